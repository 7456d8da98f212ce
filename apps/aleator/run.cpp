// aleator run MODEL: the study; writes results.h5 and the page that shows it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "ensemble/choose_for_study.hpp"
#include "make_report.hpp"
#include "model/language_study.hpp"
#include "multilevel.hpp"
#include "nominal.hpp"
#include "study_run.hpp"

namespace aleator::app {
namespace {

// "1%" or "0.01"
double accuracy_of(const std::string& text) {
  size_t used = 0;
  double x = 0;
  try {
    x = std::stod(text, &used);
  } catch (const std::exception&) {
    used = 0;
  }
  const std::string rest = text.substr(used);
  if (rest == "%") x /= 100;
  if (used == 0 || (!rest.empty() && rest != "%") || !(x > 0 && x < 1))
    throw CLI::ValidationError("--accuracy", fmt::format("must lie between 0 and 1 (0.01, or 1%), found '{}'", text));
  return x;
}

Study study_of(const RunArguments& o, const Model& model, std::span<const Override> settings) {
  Study s = read_study(model, settings);
  if (!o.method.empty()) s.method = o.method;
  if (!o.accuracy.empty()) {
    s.accuracy = accuracy_of(o.accuracy);
    s.samples = 100000;
  }
  if (o.samples > 0) s.samples = o.samples;
  if (o.seed >= 0) s.seed = std::uint64_t(o.seed);
  if (o.shares) s.shares = true;
  // By sampling alone: expansions and linearisations have them anyway, the others have none.
  const std::string& m = s.method;
  if (s.shares && (m == "multilevel" || m == "control-variate" || m == "morris"))
    fmt::print(stderr, "{}: note: the method {} computes no shares of the variance\n", o.model.file, m);
  s.shares = s.shares && (m == "auto" || m == s.sampling());
  if (s.accuracy > 0 && (m == "first-order" || m == "morris"))
    fmt::print(stderr, "{}: note: the method {} knows no accuracy: it takes the realizations it takes\n", o.model.file, m);
  return s;
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

int run_study(const RunArguments& o, const std::string& command_line, Model& model, const RandomModel& random,
              std::shared_ptr<const results::Identification> identification) {
  if (model.channels.empty())
    throw input::InputError(model.description.top.at, "the model has no outputs: there is nothing to study")
        .in_file(o.model.file);
  watch_interrupts();
  Task task{model, random, study_of(o, model, split_settings(model.description, o.model.overrides()).model), int(o.threads)};
  task.identification = std::move(identification);
  if (random.levels_vary())
    task.derived = [&](const std::vector<double>& sample) { return realize_derived(model, random.overrides(sample)); };
  try {
    if (is_open(model.settings)) {
      const Plan plan = make_plan(task.study, random);
      take(choose_for_study(model, random, plan, task.study.seed, isa_of(o.isa)), model);
    }
    if (task.study.method == "multilevel" || task.study.method == "control-variate") return run_multilevel(o, command_line, task);
    std::optional<Earlier> earlier;
    if (!o.overwrite && !o.resume && task.study.keep_all && !task.study.shares)
      earlier = find_earlier(o.folder(), identity_of_realizations(model, task.study, o.model.settings, name(isa_of(o.isa))),
                             task.study.samples);
    extend_hypercube(o, task.study, earlier);
    const std::unique_ptr<Method> method = make_method(task);
    if (!method->extends()) earlier.reset();
    if (o.samples > 0 && method->plan().samples != task.study.samples)
      fmt::print(stderr, "{}: note: {} takes {} realizations\n", o.model.file, task.study.method, method->plan().samples);
    StudyRun run(o, command_line, task, *method, std::move(earlier));
    run.nominal();
    if (interrupted()) return exit_code::interrupted;
    run.open();
    run.simulate();
    return run.finish();
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

int run_command(const RunArguments& o, const std::string& command_line) {
  Model model = o.model.load();
  const RandomModel random(model, o.model.overrides());
  for (const std::string& note : random.notes()) fmt::print(stderr, "{}: note: {}\n", o.model.file, note);
  if (random.empty()) fmt::print(stderr, "{}: nothing is uncertain; computing the nominal model\n", o.model.file);
  const std::string results = o.folder() + (random.empty() ? "/nominal.h5" : "/results.h5"), page = report_beside(results);
  const auto before = written_at(results);
  const int code =
      random.empty() ? simulate_command({o.model, o.out, ""}, command_line) : run_study(o, command_line, model, random);
  if (written_at(results) == before) return code;  // a page that is there still shows them
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

void add_run(CLI::App& app, Action& action) {
  auto o = std::make_shared<RunArguments>();
  CLI::App* c = app.add_subcommand("run", "Compute the study: the distribution of the motion; writes results.h5 and report.html");
  o->model.add_to(*c);
  c->add_option("--out", o->out, "Folder for the results (default out/NAME)")->type_name("DIR");
  c->add_option("--samples", o->samples, "Number of realizations")->check(whole_number(1, most_samples))->type_name("N");
  c->add_option("--seed", o->seed, "Seed of the random numbers")->check(whole_number(0, most_seed))->type_name("S");
  c->add_option("--threads", o->threads, "Number of threads (default all)")->check(whole_number(1, 1024))->type_name("N");
  std::vector<std::string> methods(study_methods().begin(), study_methods().end());
  c->add_option("--method", o->method, "How uncertainty is propagated")->check(CLI::IsMember(methods))->type_name("M");
  c->add_option("--accuracy", o->accuracy, "Go on until standard errors are below this (0.01, or 1%)")->type_name("X");
  c->add_option("--isa", o->isa, "Instruction set (default the widest this processor has)")
      ->check(CLI::IsMember({"portable", "x86-64-v2", "avx2", "avx512"}))
      ->check([](const std::string& name) {
        return available(isa_of(name)) ? "" : fmt::format("this processor does not have {}", name);
      })
      ->type_name("NAME");
  c->add_flag("--shares", o->shares, "Also compute the shares of the variance by cause");
  c->add_flag("--profile", o->profile, "Tell where the time goes");
  c->add_flag("--no-report", o->no_report, "Write results.h5 alone");
  auto* resume = c->add_flag("--resume", o->resume, "Continue an unfinished run");
  c->add_flag("--overwrite", o->overwrite, "Start again, dropping an unfinished run")->excludes(resume);
  c->callback([o, &action] { action.run = [o, &action] { return run_command(*o, action.command_line); }; });
}

}  // namespace aleator::app
