#include "study/slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "results/version.hpp"

namespace aleator::core {
namespace {

// Slurm allows few characters in names of jobs and of their logs.
std::string plain(std::string name) {
  for (char& c : name)
    if (!(('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '.' || c == '_')) c = '-';
  return name.starts_with('-') ? "job" + name : name;
}

// D-HH:MM:SS, whole minutes: Slurm counts no seconds.
std::string time_limit(long seconds) {
  const long minutes = (seconds + 59) / 60;
  return fmt::format("{}-{:02}:{:02}:00", minutes / 1440, minutes / 60 % 24, minutes % 60);
}

std::string words(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& w : list) text += " " + quoted(w);
  return text;
}

// The first lines. `options`: of sbatch, for the tasks.
std::string header(const SlurmJob& job, const std::string& what, const std::vector<std::string>& options) {
  const std::string name = plain(job.name);
  std::string text = fmt::format(
      "#!/bin/sh\n"
      "# {}\n"
      "# Written by `aleator slurm`, aleator {}. Submit it with sh, or with sbatch. Submitted again it goes on: what is finished "
      "is\n"
      "# not computed again.\n"
      "#SBATCH --job-name={}\n",
      what, results::version(), name);
  for (const std::string& o : options) text += "#SBATCH " + o + "\n";
  for (const std::string& o : job.resources) text += "#SBATCH " + o + "\n";
  return text + fmt::format(
                    "#SBATCH --time={}\n"
                    "# A minute before that the program is told to save what it has; then it is queued again.\n"
                    "#SBATCH --signal=INT@60\n"
                    "#SBATCH --requeue\n"
                    "#SBATCH --open-mode=append\n",
                    time_limit(job.seconds));
}

std::string variables(const SlurmJob& job) {
  return fmt::format(
      "\n"
      "program={}\n"
      "model={}\n"
      "folder={}  # of the results\n"
      "most_restarts=100  # after limits of time\n"
      "\n"
      "[ -x \"$program\" ] || {{\n"
      "  echo \"$0: there is no program $program on $(hostname)\" >&2\n"
      "  exit 1\n"
      "}}\n",
      quoted(job.program), quoted(job.model), quoted(job.folder));
}

// What follows the program: 130 means that it was told to save. `id`: what is queued again.
std::string ending(const char* id) {
  return fmt::format(
      "\n"
      "if [ $code -eq 130 ] && [ \"${{SLURM_RESTART_COUNT:-0}}\" -lt $most_restarts ]; then\n"
      "  echo \"told to save: queued again, to go on\"\n"
      "  scontrol requeue \"{}\"\n"
      "fi\n"
      "exit $code\n",
      id);
}

// All processors of the node, or those that were asked for.
std::string processors(const SlurmJob& job) {
  return job.cpus > 0 ? fmt::format("--cpus-per-task={}", job.cpus) : "--cpu-bind=none";
}

long whole(std::string_view digits) { return std::stol(std::string(digits)); }

// "12h" from the front of a text, which loses it: at most so many digits, then the unit. 0 where there is something else.
long take(std::string_view& text, std::size_t most, std::string_view unit) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || digits > most || !text.substr(digits).starts_with(unit)) return 0;
  const long taken = whole(text.substr(0, digits));
  text.remove_prefix(digits + unit.size());
  return taken;
}

const char* const cancelled = "trap 'exit 143' TERM  # scancel: the end, not another start\n";

}  // namespace

std::string quoted(const std::string& text) {
  const auto harmless = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') ||
           std::string_view("_-./=:,%+@").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), harmless)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

long seconds_of(const std::string& text) {
  std::string_view left = text;
  long seconds = 86400 * take(left, 4, "d");
  seconds += 3600 * take(left, 5, "h");
  seconds += 60 * take(left, 6, left.ends_with("min") ? "min" : "m");
  if (left.empty()) return seconds;
  left = text;
  seconds = 86400 * take(left, 3, "-");
  seconds += 3600 * take(left, 4, ":");
  const auto below_60 = [](std::string_view two) { return '0' <= two[0] && two[0] <= '5' && '0' <= two[1] && two[1] <= '9'; };
  if (left.size() != 5 || left[2] != ':' || !below_60(left) || !below_60(left.substr(3))) return 0;
  return seconds + 60 * whole(left.substr(0, 2)) + whole(left.substr(3));
}

std::string array_script(const SlurmJob& job) {
  const std::string name = plain(job.name);
  const long parts = job.tasks();
  std::vector<std::string> options = {fmt::format("--array=1-{}", parts), "--nodes=1", "--ntasks=1",
                                      job.cpus > 0 ? fmt::format("--cpus-per-task={}", job.cpus) : "--exclusive",
                                      fmt::format("--output={}-%a.log", name)};
  std::string text =
      header(job, fmt::format("A study in {} parts, one per task of an array of jobs, and their merge.", parts), options);
  text += variables(job);
  const std::string merge = fmt::format("cd {} && exec {} merge *-of-{}.h5 -o {}", quoted(job.folder + "/parts"),
                                        quoted(job.program), parts, quoted(job.folder + "/results.h5"));
  text += fmt::format(
      R"sh(parts={}
merge={}

# Joins the parts of job $1 when all of them are finished; if one fails, there is no merge.
submit_merge() {{
  sbatch --parsable --dependency="afterok:$1" --kill-on-invalid-dep=yes --job-name={}-merge --nodes=1 --ntasks=1 \
    --time={}{} --open-mode=append --output={}-merge.log --wrap="$merge"
}}

if [ -z "${{SLURM_ARRAY_TASK_ID-}}" ]; then  # sh
  job=$(sbatch --parsable "$0" parts) || exit
  merge_job=$(submit_merge "${{job%%;*}}") || exit
  echo "submitted $parts parts as job ${{job%%;*}}, and their merge as job ${{merge_job%%;*}}"
  exit
fi
if [ "${{1-}}" != parts ] && [ "$SLURM_ARRAY_TASK_ID" -eq 1 ] && [ "${{SLURM_RESTART_COUNT:-0}}" -eq 0 ]; then  # sbatch
  if merge_job=$(submit_merge "$SLURM_ARRAY_JOB_ID"); then
    echo "the merge of the parts is job ${{merge_job%%;*}}"
  else
    echo "the merge of the parts could not be submitted; when all are there: $merge" >&2
  fi
fi

)sh",
      parts, quoted(merge), name, time_limit(job.seconds), words(job.resources), name);
  text += cancelled;
  text += fmt::format(
      "srun --mpi=none --ntasks=1 {} \"$program\" run \"$model\" --out \"$folder\" \\\n"
      "  --part \"$SLURM_ARRAY_TASK_ID/$parts\" --resume --threads \"$SLURM_CPUS_ON_NODE\"{}\n"
      "code=$?\n"
      "[ $code -ne 5 ] || code=0  # finished; some realizations failed, which the results tell\n",
      processors(job), words(job.study));
  // SLURM_JOB_ID of the last task is that of the whole array, and all of it would be queued again.
  return text + ending("${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID");
}

std::string mpi_script(const SlurmJob& job) {
  std::vector<std::string> options = {fmt::format("--nodes={}", job.nodes),
                                      fmt::format("--ntasks-per-node={}", job.tasks_per_node),
                                      job.cpus > 0 ? fmt::format("--cpus-per-task={}", job.cpus) : "--exclusive",
                                      fmt::format("--output={}.log", plain(job.name))};
  std::string text = header(job, fmt::format("A study by MPI, {} processes on {} nodes.", job.tasks(), job.nodes), options);
  text += variables(job);
  text += fmt::format(
      R"sh(
[ -n "${{SLURM_JOB_ID-}}" ] || exec sbatch "$0"

set -- "$program" run "$model" --out "$folder" --resume{}
{}if srun --mpi=list 2>&1 | grep -qw pmix; then
  srun --mpi=pmix --kill-on-bad-exit=1 {} "$@"  # or the others might wait for one that is gone
else  # Open MPI starts the processes itself, and they are not told to save
  mpirun --map-by ppr:{}:node --bind-to none "$@"
fi
code=$?
)sh",
      (job.cpus > 0 ? fmt::format(" --threads {}", job.cpus) : "") + words(job.study), cancelled, processors(job),
      job.tasks_per_node);
  return text + ending("$SLURM_JOB_ID");
}

std::string wrong_time(const std::string& text) {
  constexpr long least_time = 120, most_time = 366L * 86400;  // it is told to save a minute before
  const long s = seconds_of(text);
  if (s >= least_time && s <= most_time) return "";
  return fmt::format("expects a time from 2m to 366d, as 1h, 90m, 2d, 1d12h, 1:30:00 or 1-12:00:00, found '{}'", text);
}

static std::string other_than(const std::string& text, const std::string& further, const char* what) {
  static const std::string letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  if (!text.empty() && text.find_first_not_of(letters_and_digits + further) == std::string::npos) return "";
  return fmt::format("expects {}, found '{}'", what, text);
}

std::string wrong_partition(const std::string& text) {
  return other_than(text, "_-.,", "letters, digits, '_', '-', '.' and ','");
}

std::string wrong_account(const std::string& text) { return other_than(text, "_-.@", "letters, digits, '_', '-', '.' and '@'"); }

std::string wrong_memory(const std::string& text) {
  const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const bool unit = text.size() == digits + 1 && std::string_view("KMGT").find(text.back()) != std::string_view::npos;
  if (digits > 0 && digits < 10 && unit) return "";
  return fmt::format("expects a number with K, M, G or T, as 4000M or 16G, found '{}'", text);
}

}  // namespace aleator::core
