// The job scripts of `aleator slurm`: POSIX shell, for sbatch and for sh.
#pragma once

#include <string>
#include <vector>

namespace aleator::core {

struct SlurmJob {
  std::string name;                              // of the model; any text
  std::string program, model, folder;            // absolute paths, any text
  std::vector<std::string> study;                // options of `run` that say what is computed
  long nodes = 1, tasks_per_node = 1, cpus = 0;  // cpus 0: all of the node
  long seconds = 0;                              // limit of time
  std::vector<std::string> resources;            // further options of sbatch, --mem=8G; no character in them needs quotes

  long tasks() const { return nodes * tasks_per_node; }
};

std::string array_script(const SlurmJob& job);  // parts, one per task, and their merge
std::string mpi_script(const SlurmJob& job);

// A word of a shell that stands for this text, whatever is in it: in single quotes where it needs them.
std::string quoted(const std::string& text);

// 1h, 90m, 2d, 1d12h, 1:30:00, 1-12:00:00; in seconds, 0 for what is none of these. Slurm's own "90" and "1:30" are not read: they
// mean minutes, and minutes and seconds, which is easily taken for something else.
long seconds_of(const std::string& text);

// What is wrong with a text that is to be a limit of time, a partition, an account or an amount of memory; empty: nothing. No text that
// passes could end a line of the script.
std::string wrong_time(const std::string& text);
std::string wrong_partition(const std::string& text);
std::string wrong_account(const std::string& text);
std::string wrong_memory(const std::string& text);

}  // namespace aleator::core
