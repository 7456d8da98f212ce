// aleator run MODEL: the study; writes results.h5 and the page that shows it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/atomic_file.hpp"
#include "base/folder_lock.hpp"
#include "base/errors.hpp"
#include "company.hpp"
#include "ensemble/choose_for_study.hpp"
#include "make_report.hpp"
#include "model/language_study.hpp"
#include "multilevel.hpp"
#include "nominal.hpp"
#include "results/part.hpp"
#include "study_run.hpp"

namespace aleator::core::app {
namespace {

// "1%" or "0.01"
double share_of(const std::string& option, const std::string& text) {
  size_t used = 0;
  double x = 0;
  try {
    x = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string rest = text.substr(used);
  if (rest == "%") x /= 100;
  if (used == 0 || (!rest.empty() && rest != "%") || !(x >= 0 && x <= 1))
    throw CLI::ValidationError(option, fmt::format("must lie between 0 and 1 (0.01, or 1%), found '{}'", text));
  return x;
}

double accuracy_of(const std::string& text) {
  const double x = share_of("--accuracy", text);
  if (x > 0 && x < 1) return x;
  throw CLI::ValidationError("--accuracy", fmt::format("must lie between 0 and 1 (0.01, or 1%), found '{}'", text));
}

}  // namespace

Study study_of(const RunArguments& o, const Model& model) {
  Study s = read_study(model, split_settings(model.description, o.model.overrides()).model);
  if (!o.method.empty()) s.method = o.method;
  if (!o.accuracy.empty()) {
    s.accuracy = accuracy_of(o.accuracy);
    s.samples = 100000;
  }
  if (o.samples > 0) s.samples = o.samples;
  if (o.seed >= 0) s.seed = std::uint64_t(o.seed);
  if (o.shares) s.shares = true;
  if (!o.failures.on_failure.empty()) s.on_failure = o.failures.on_failure;
  if (!o.failures.failed_at_most.empty()) s.failed_at_most = share_of("--failed-at-most", o.failures.failed_at_most);
  // By sampling alone: expansions and linearisations have them anyway, the others have none.
  s.shares = s.shares && (s.method == "auto" || s.method == s.sampling());
  return s;
}

namespace {

void note_what_is_ignored(const RunArguments& o, const Model& model, const Study& s) {
  const std::string& m = s.method;
  const bool shares = o.shares || read_study(model, split_settings(model.description, o.model.overrides()).model).shares;
  if (shares && (m == "multilevel" || m == "control-variate" || m == "morris"))
    fmt::print(stderr, "{}: note: the method {} computes no shares of the variance\n", o.model.file, m);
  if (s.accuracy > 0 && (m == "first-order" || m == "morris"))
    fmt::print(stderr, "{}: note: the method {} knows no accuracy: it takes the realizations it takes\n", o.model.file, m);
}

// A larger Latin hypercube keeps the points of a smaller one if it is a whole multiple of it. One that grows until it is accurate
// does so by doubling; the last one is the largest that is allowed.
void extend_hypercube(const RunArguments& o, Study& study, std::optional<Earlier>& earlier) {
  if (study.sampling() != "latin-hypercube") return;
  if (study.accuracy > 0) {
    long n = std::min(first_look, study.samples);
    for (; 2 * n <= study.samples; n *= 2) study.stages.push_back(n);
    study.samples = n;
    return earlier.reset();
  }
  if (o.resume) {
    study.stages = stages_of_unfinished(o.folder());
    if (!study.stages.empty() && study.samples % study.stages.back() != 0) study.stages.clear();  // another study: refused later
  }
  if (!earlier) return;
  if (study.samples % earlier->samples != 0) {
    fmt::print(stderr,
               "{}: note: a Latin hypercube is extended by whole multiples, and {} is none of the {} realizations in {}; "
               "starting anew\n",
               o.model.file, study.samples, earlier->samples, earlier->file->path());
    return earlier.reset();
  }
  study.stages = earlier->stages;
  study.stages.push_back(earlier->samples);
}

}  // namespace

int kept_when_it_cannot_write(const RunArguments& o, const std::function<int()>& steps) {
  try {
    return steps();
  } catch (const WriteError& e) {
    std::error_code ignored;
    if (!std::filesystem::exists(results::StudyStore::file_in(o.folder()), ignored)) throw;
    throw WriteError(
        e.path(), e.reason() + fmt::format("; what was finished before is kept, and `aleator resume {}` continues", o.folder()));
  }
}

int run_study(const RunArguments& o, const std::string& command_line, Model& model, const RandomModel& random,
              std::shared_ptr<const results::Identification> identification, RankSession* company) {
  if (model.channels.empty())
    throw input::InputError(model.description.top.at, "the model has no outputs: there is nothing to study")
        .in_file(o.model.file);
  watch_interrupts();
  Task task{model, random, study_of(o, model), int(o.threads)};
  note_what_is_ignored(o, model, task.study);
  task.identification = std::move(identification);
  if (random.levels_vary())
    task.derived = [&](const std::vector<double>& sample) { return realize_derived(model, random.overrides(sample)); };
  try {
    if (!o.part.whole())
      if (const std::string why = indivisible(task.study); !why.empty()) throw std::invalid_argument("no parts of it: " + why);
    if (is_open(model.settings) && !o.parts.empty()) {  // the parts have chosen
      const RunRecord record = read_record(results::read_part_header(o.parts[0]).record);
      model.settings.integrator = value_of(record.settings, "integrator");
      model.settings.step = std::strtod(value_of(record.settings, "step").c_str(), nullptr);
    } else if (is_open(model.settings)) {
      const Plan plan = make_plan(task.study, random);
      take(choose_for_study(model, random, plan, task.study.seed, isa_of(o.isa)), model);
    }
    if (task.study.method == "multilevel" || task.study.method == "control-variate") {
      if (company && company->several())
        throw std::invalid_argument("it is computed by one process; start it without mpirun, or choose a sampling method");
      return run_multilevel(o, command_line, task);
    }
    std::optional<Earlier> earlier;
    if (!o.overwrite && !o.resume && o.part.whole() && o.parts.empty() && task.study.keep_all && !task.study.shares)
      earlier = find_earlier(o.folder(), identity_of_realizations(model, task.study, o.model.settings, name(isa_of(o.isa))),
                             task.study.samples);
    extend_hypercube(o, task.study, earlier);
    const std::unique_ptr<Method> method = make_method(task);
    if (!method->extends()) earlier.reset();
    if (o.samples > 0 && method->plan().samples != task.study.samples)
      fmt::print(stderr, "{}: note: {} takes {} realizations\n", o.model.file, task.study.method, method->plan().samples);
    StudyRun run(o, command_line, task, *method, std::move(earlier), company);
    run.nominal();
    if (interrupted()) return exit_code::interrupted;
    run.open();
    return kept_when_it_cannot_write(o, [&] {
      o.parts.empty() ? run.simulate() : run.merge();
      return run.finish();
    });
  } catch (const std::invalid_argument& e) {
    throw not_studied(model, task.study, e.what());
  }
}

namespace {

// The earliest of all times when it is not there.
std::filesystem::file_time_type written_at(const std::string& file) {
  std::error_code missing;
  const auto time = std::filesystem::last_write_time(file, missing);
  return missing ? std::filesystem::file_time_type::min() : time;
}

// `run --resume --force`: what the run was asked for when it began, whatever is asked for now.
RunArguments forced(const RunArguments& now) {
  RunArguments o = unfinished_in(now.folder(), true);
  o.threads = now.threads;
  o.profile = now.profile;
  o.no_report = now.no_report;
  fmt::print(stderr, "{}: note: going on with what was asked for when the run began\n", now.folder());
  return o;
}

// A part that is finished is not computed again when it is resumed; another one is not replaced.
bool is_finished_part(const RunArguments& o, const Model& model, const RandomModel& random) {
  std::error_code ignored;
  if (o.part.whole() || !o.resume || std::filesystem::exists(results::StudyStore::file_in(o.folder()), ignored)) return false;
  if (!std::filesystem::exists(o.results(), ignored)) return false;
  const std::string there = results::read_part_header(o.results()).record;
  const Task task{model, random, study_of(o, model), int(o.threads)};
  if (is_open(model.settings)) return false;  // how time is stepped is not known yet
  if (const std::string difference = difference_from(there, record_of(o, task), o.force); !difference.empty())
    throw WriteError(o.results(), "it is a part of another study; without --resume it is replaced:\n" + difference);
  fmt::print("{} is complete: there is nothing to resume\n", o.results());
  return true;
}

int run_here(const RunArguments& o, const std::string& command_line, RankSession& company) {
  Model model = o.model.load();
  const RandomModel random(model, o.model.overrides());
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  if (random.empty()) fmt::print(stderr, "{}: nothing is uncertain; computing the nominal model\n", o.model.file);
  if (random.empty() && !o.part.whole())
    throw CLI::ValidationError("--part", "there is nothing to divide, for nothing is uncertain");
  if (is_finished_part(o, model, random)) return exit_code::done;
  const std::string results = random.empty() ? o.folder() + "/nominal.h5" : o.results(), page = report_beside(results);
  const auto before = written_at(results);
  std::optional<FolderLock> lock;
  if (!random.empty()) {
    create_folder(o.folder());
    lock.emplace(o.folder());
    remove_leftovers(o.folder());
  }
  const int code = random.empty() ? simulate_command({o.model, o.out, ""}, command_line)
                                  : run_study(o, command_line, model, random, nullptr, &company);
  if (written_at(results) == before || !o.part.whole()) return code;  // a page that is there still shows them
  if (o.no_report) {
    std::error_code ignored;
    std::filesystem::remove(page, ignored);  // one that is there shows other results
  } else {
    make_report({results}, page);
    fmt::print("wrote {}\n", page);
  }
  return code;
}

}  // namespace

int run_command(RunArguments o, const std::string& command_line) {
  std::error_code ignored;
  if (o.resume && o.force && !o.model.sources && std::filesystem::exists(results::StudyStore::file_in(o.folder()), ignored))
    o = forced(o);
  RankSession company(o);
  if (!company.leads()) return company.work(o);
  return company.end(reported([&] { return run_here(o, command_line, company); }));
}

void RunArguments::add_study_to(CLI::App& c) {
  model.add_to(c);
  c.add_option("--out", out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c.add_option("--samples", samples, "Number of realizations")->check(whole_number(1, most_samples))->type_name("N");
  c.add_option("--seed", seed, "Seed of the random numbers")->check(whole_number(0, most_seed))->type_name("S");
  std::vector<std::string> methods(study_methods().begin(), study_methods().end());
  c.add_option("--method", method, "How uncertainty is propagated")->check(CLI::IsMember(methods))->type_name("M");
  c.add_option("--accuracy", accuracy, "Go on until standard errors are below this (0.01, or 1%)")->type_name("X");
  c.add_flag("--shares", shares, "Also compute the shares of the variance by cause");
  failures.add_to(c);
}

void add_run(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunArguments>();
  CLI::App* c = app.add_subcommand("run", "Compute the study: the distribution of the motion; writes results.h5 and report.html");
  o->add_study_to(*c);
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(whole_number(1, 1024))->type_name("N");
  c->add_option("--isa", o->isa, "Instruction set (default the widest this processor has)")
      ->check(CLI::IsMember(isa_names))
      ->check([](const std::string& name) {
        return available(isa_of(name)) ? "" : fmt::format("this processor does not have {}", name);
      })
      ->type_name("NAME");
  c->add_flag("--profile", o->profile, "Tell where the time goes");
  c->add_flag("--no-report", o->no_report, "Write results.h5 alone");
  c->add_option_function<std::string>(
       "--part", [o](const std::string& text) { o->part = part_of(text); }, "Compute this share alone, into its own file: 3/16")
      ->type_name("K/N");
  auto* resume = c->add_flag("--resume", o->resume, "Continue an unfinished run");
  c->add_flag("--force", o->force, "Continue it also if the model file, settings or version changed: as it began")->needs(resume);
  c->add_flag("--overwrite", o->overwrite, "Start again, dropping an unfinished run")->excludes(resume);
  c->callback([o, &action] { action.run = [o, &action] { return run_command(*o, action.command_line); }; });
}

}  // namespace aleator::core::app
