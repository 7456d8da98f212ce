// aleator slurm MODEL: a job script for clusters.
#include <filesystem>

#include "api/model_check.hpp"
#include "base/atomic_file.hpp"
#include "base/errors.hpp"
#include "cli/arguments.hpp"
#include "study/session.hpp"
#include "study/slurm_script.hpp"

namespace aleator::app {
namespace {

using namespace core;

namespace fs = std::filesystem;

struct SlurmArguments {
  StudyArguments run;
  std::string isa;
  std::string form = "array", time, partition, account, memory, script;
  long nodes = 1, tasks_per_node = 1, cpus = 0;
  bool overwrite = false;
};

// The launcher of the repository, if this program was built there; it never builds on clusters.
std::string program_path() {
  const fs::path self = fs::canonical("/proc/self/exe");
  const fs::path root = self.parent_path().parent_path().parent_path();
  const bool checkout = self.parent_path() == root / "build/release" && fs::exists(root / "scripts/common.sh");
  return (checkout ? root / "aleator" : self).string();
}

void check_form(const SlurmArguments& o, const Study& study) {
  if (o.form != "array") return;
  if (const std::string why = indivisible(study, o.nodes * std::max(1L, o.tasks_per_node)); !why.empty())
    throw UsageError("--form", fmt::format("an array computes parts, but {}; or --form mpi", why));
  if (o.tasks_per_node > 1 && o.cpus == 0)
    throw UsageError("--tasks-per-node", "also needs --cpus-per-task with --form array: each part is a job of its own");
}

std::vector<std::string> options_of_study(const SlurmArguments& o) {
  const StudyArguments& r = o.run;
  // Named always: parts from machines with different instruction sets would not fit together.
  std::vector<std::string> list = {"--isa", name(isa_of(o.isa))};
  const auto add = [&](const char* option, const std::string& value) {
    if (!value.empty()) list.insert(list.end(), {option, value});
  };
  add("--what", r.what);
  add("--number", r.modes > 0 ? std::to_string(r.modes) : "");
  add("--about", r.about);
  add("--frame", r.frame);
  add("--method", r.method);
  add("--samples", r.samples > 0 ? std::to_string(r.samples) : "");
  add("--accuracy", r.accuracy);
  add("--budget", r.budget);
  add("--seed", r.seed >= 0 ? std::to_string(r.seed) : "");
  if (r.sensitivity) list.push_back("--sensitivity");
  add("--on-failure", r.on_failure);
  add("--failed-at-most", r.failed_at_most);
  for (const std::string& s : r.model.settings) add("--set", s);
  return list;
}

SlurmJob job_of(const SlurmArguments& o) {
  SlurmJob job;
  job.name = stem(o.run.model.file);
  job.program = program_path();
  job.model = fs::absolute(o.run.model.file).lexically_normal().string();
  job.folder = fs::absolute(o.run.folder()).lexically_normal().string();
  job.study = options_of_study(o);
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

int slurm_command(const SlurmArguments& o) {
  const aleator::Model loaded = o.run.model.load();
  if (!loaded.uncertain())
    throw input::InputError(input::Position{}, "nothing is uncertain: `aleator simulate` computes it").in_file(o.run.model.file);
  const Study study = o.run.study(loaded);
  check_form(o, study);
  const SlurmJob job = job_of(o);
  const bool array = o.form == "array";
  const long samples = planned(loaded, study).realizations;
  if (job.tasks() > samples)
    throw UsageError("--nodes", fmt::format("{} tasks are more than the {} realizations of the study", job.tasks(), samples));

  const std::string script = o.script.empty() ? job.name + ".slurm" : o.script;
  if (script != "-" && !o.overwrite && fs::is_regular_file(script))
    throw WriteError(script, "it is there already; --overwrite replaces it");
  write_file(script, array ? array_script(job) : mpi_script(job));
  if (script == "-") return exit_code::done;

  say("wrote {}: {} realizations by {}, {} {}, results in {}\n", script, samples, study.method, job.tasks(),
      array ? "parts" : "processes of MPI", job.folder);
  if (array && job.tasks() > 1000)
    say("note: many clusters allow no more than 1000 tasks: `scontrol show config | grep MaxArraySize`\n");
  say("submit it: sh {}\n", quoted(script.starts_with('-') ? "./" + script : script));
  return exit_code::done;
}

}  // namespace

void add_slurm(Command& c) {
  auto o = std::make_shared<SlurmArguments>();
  c.option("--nodes", o->nodes, "Number of nodes").required().whole(1, 10000).type("N");
  c.option("--time", o->time, "Limit of time of each job: 1h, 90m, 2d, 1:30:00").required().check(wrong_time).type("T");
  c.option("--form", o->form, "Parts as an array of jobs, or one job by MPI")
      .one_of({"array", "mpi"})
      .show_default()
      .type("FORM");
  c.option("--tasks-per-node", o->tasks_per_node, "Processes or parts on each node (default 1)").whole(1, 1024).type("N");
  c.option("--cpus-per-task", o->cpus, "Processors of each (default the whole node)").whole(1, 1024).type("N");
  c.option("--partition", o->partition, "Partition of the cluster").check(wrong_partition).type("P");
  c.option("--account", o->account, "Account to be charged").check(wrong_account).type("A");
  c.option("--memory", o->memory, "Memory on each node: 4000M, 16G").check(wrong_memory).type("M");
  o->run.add_to(c);
  add_isa(c, o->isa, "Instruction set that all nodes have (default the widest of this machine)", false);
  c.option("--script", o->script, "The script (default NAME.slurm; - prints it)").type("FILE");
  c.flag("--overwrite", o->overwrite, "Replace a script that is there");
  c.run([o] { return slurm_command(*o); });
}

}  // namespace aleator::app
