// aleator slurm MODEL: a job script for clusters.
#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.hpp"
#include "base/errors.hpp"
#include "method.hpp"
#include "slurm_script.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

namespace fs = std::filesystem;

struct SlurmArguments {
  RunArguments run;
  std::string form = "array", time, partition, account, memory, script;
  long nodes = 1, tasks_per_node = 1, cpus = 0;
  bool overwrite = false;
};

constexpr long least_time = 120, most_time = 366L * 86400;  // it is told to save a minute before

CLI::Validator limit_of_time() {
  return CLI::Validator(
      [](const std::string& text) -> std::string {
        const long s = seconds_of(text);
        if (s >= least_time && s <= most_time) return "";
        return fmt::format("expects a time from 2m to 366d, as 1h, 90m, 2d, 1d12h, 1:30:00 or 1-12:00:00, found '{}'", text);
      },
      "");
}

// What Slurm takes for the name of a partition or an account, and nothing that could end a line of the script.
CLI::Validator characters(const char* allowed, const char* what) {
  return CLI::Validator(
      [=](const std::string& text) -> std::string {
        if (!text.empty() && text.find_first_not_of(allowed) == std::string::npos) return "";
        return fmt::format("expects {}, found '{}'", what, text);
      },
      "");
}

// The launcher of the repository, if this program was built there; it never builds on clusters.
std::string program_path() {
  const fs::path self = fs::canonical("/proc/self/exe");
  const fs::path root = self.parent_path().parent_path().parent_path();
  const bool checkout = self.parent_path() == root / "build/release" && fs::exists(root / "scripts/common.sh");
  return (checkout ? root / "aleator" : self).string();
}

void check_form(const SlurmArguments& o, const Study& study) {
  if (study.method == "multilevel" || study.method == "control-variate")
    throw CLI::ValidationError("--method",
                               fmt::format("{} runs on one machine alone: its levels depend on each other", study.method));
  if (o.form != "array") return;
  if (const std::string why = indivisible(study); !why.empty())
    throw CLI::ValidationError("--form", fmt::format("an array computes parts, but {}; or --form mpi", why));
  if (o.tasks_per_node > 1 && o.cpus == 0)
    throw CLI::ValidationError("--tasks-per-node", "also needs --cpus-per-task with --form array: each part is a job of its own");
}

std::vector<std::string> options_of_study(const RunArguments& r) {
  // Named always: parts from machines with different instruction sets would not fit together.
  std::vector<std::string> list = {"--isa", name(isa_of(r.isa))};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) list.insert(list.end(), {option, value});
  };
  add("--method", r.method);
  add("--samples", r.samples > 0 ? std::to_string(r.samples) : "");
  add("--accuracy", r.accuracy);
  add("--seed", r.seed >= 0 ? std::to_string(r.seed) : "");
  if (r.shares) list.push_back("--shares");
  add("--on-failure", r.failures.on_failure);
  add("--failed-at-most", r.failures.failed_at_most);
  for (const std::string& s : r.model.settings) add("--set", s);
  return list;
}

SlurmJob job_of(const SlurmArguments& o) {
  SlurmJob job;
  job.name = stem(o.run.model.file);
  job.program = program_path();
  job.model = fs::absolute(o.run.model.file).lexically_normal().string();
  job.folder = fs::absolute(o.run.folder()).lexically_normal().string();
  job.study = options_of_study(o.run);
  job.nodes = o.nodes;
  job.tasks_per_node = o.tasks_per_node;
  job.cpus = o.cpus;
  job.seconds = seconds_of(o.time);
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) job.resources.push_back(fmt::format("--{}={}", option, value));
  };
  add("partition", o.partition);
  add("account", o.account);
  add("mem", o.memory);
  return job;
}

// As many as the method takes; throws where it cannot do it.
long realizations(const Task& task) {
  try {
    return make_method(task)->plan().samples;
  } catch (const std::invalid_argument& e) {
    throw not_studied(task.model, task.study, e.what());
  }
}

int slurm_command(const SlurmArguments& o) {
  const Model model = o.run.model.load();
  const RandomModel random(model, o.run.model.overrides());
  if (random.empty())
    throw input::InputError(input::Position{}, "nothing is uncertain: `aleator simulate` computes it").in_file(o.run.model.file);
  const Task task{model, random, study_of(o.run, model)};
  check_form(o, task.study);
  const SlurmJob job = job_of(o);
  const bool array = o.form == "array";
  const long samples = realizations(task);
  if (job.tasks() > samples)
    throw CLI::ValidationError("--nodes",
                               fmt::format("{} tasks are more than the {} realizations of the study", job.tasks(), samples));

  const std::string script = o.script.empty() ? job.name + ".slurm" : o.script;
  if (script != "-" && !o.overwrite && fs::is_regular_file(script))
    throw WriteError(script, "it is there already; --overwrite replaces it");
  AtomicFile file(script);
  file.write(array ? array_script(job) : mpi_script(job));
  file.commit();
  if (script == "-") return exit_code::done;

  fmt::print("wrote {}: {} realizations by {}, {} {}, results in {}\n", script, samples, task.study.method, job.tasks(),
             array ? "parts" : "processes of MPI", job.folder);
  if (array && job.tasks() > 1000)
    fmt::print("note: many clusters allow no more than 1000 tasks: `scontrol show config | grep MaxArraySize`\n");
  fmt::print("submit it: sh {}\n", quoted(script.starts_with('-') ? "./" + script : script));
  return exit_code::done;
}

}  // namespace

void add_slurm(CLI::App& app, Action& action) {
  auto o = std::make_shared<SlurmArguments>();
  CLI::App* c = app.add_subcommand("slurm", "Write a job script that computes the study on a cluster");
  c->add_option("--nodes", o->nodes, "Number of nodes")->required()->check(whole_number(1, 10000))->type_name("N");
  c->add_option("--time", o->time, "Limit of time of each job: 1h, 90m, 2d, 1:30:00")
      ->required()
      ->check(limit_of_time())
      ->type_name("T");
  c->add_option("--form", o->form, "Parts as an array of jobs, or one job by MPI")
      ->check(CLI::IsMember({"array", "mpi"}))
      ->capture_default_str();
  c->add_option("--tasks-per-node", o->tasks_per_node, "Processes or parts on each node (default 1)")
      ->check(whole_number(1, 1024))
      ->type_name("N");
  c->add_option("--cpus-per-task", o->cpus, "Processors of each (default the whole node)")
      ->check(whole_number(1, 1024))
      ->type_name("N");
  c->add_option("--partition", o->partition, "Partition of the cluster")
      ->check(characters("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,",
                         "letters, digits, '_', '-', '.' and ','"))
      ->type_name("P");
  c->add_option("--account", o->account, "Account to be charged")
      ->check(characters("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.@",
                         "letters, digits, '_', '-', '.' and '@'"))
      ->type_name("A");
  c->add_option("--memory", o->memory, "Memory on each node: 4000M, 16G")
      ->check([](const std::string& text) -> std::string {
        const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
        const bool unit = text.size() == digits + 1 && std::string_view("KMGT").find(text.back()) != std::string_view::npos;
        if (digits > 0 && digits < 10 && unit) return "";
        return fmt::format("expects a number with K, M, G or T, as 4000M or 16G, found '{}'", text);
      })
      ->type_name("M");
  o->run.add_study_to(*c);
  c->add_option("--isa", o->run.isa, "Instruction set that all nodes have (default the widest of this machine)")
      ->check(CLI::IsMember(isa_names))
      ->type_name("NAME");
  c->add_option("-o,--script", o->script, "The script (default NAME.slurm; - prints it)")->type_name("FILE");
  c->add_flag("--overwrite", o->overwrite, "Replace a script that is there");
  c->callback([o, &action] { action.run = [o] { return slurm_command(*o); }; });
}

}  // namespace aleator::core::app
