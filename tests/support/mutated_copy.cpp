#include "support/mutated_copy.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>

#include <fmt/format.h>

#include "analysis/accumulate.hpp"
#include "cli/mutations.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/errors.hpp"
#include "dynamics/modes.hpp"
#include "ensemble/ensemble.hpp"
#include "input/error.hpp"
#include "model/derived.hpp"
#include "model/language.hpp"
#include "propagation/method.hpp"
#include "support/mistakes.hpp"
#include "support/model_text.hpp"
#include "support/places.hpp"
#include "support/run.hpp"
#include "support/sanitized.hpp"

namespace aleator::core::test {

namespace {

#if defined(ALEATOR_ADDRESS_SANITIZER)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif
constexpr int most_seconds = sanitized ? 60 : 10;     // of the processor, per copy
constexpr rlim_t most_bytes = rlim_t(3) << 30;        // of address space; sanitizers take all there is
constexpr long few_steps = 10, few_realizations = 9;  // more than there are lanes
constexpr int many_unknowns = 300;                    // a beam with many elements: right, but slow, and only compiled

struct Defect : std::runtime_error {
  using std::runtime_error::runtime_error;
};

const std::string& examples_folder() {
  static const std::string folder = source_folder() + "/examples";
  return folder;
}

void shorten(Model& m) {
  m.settings.duration = std::min(m.settings.duration, few_steps * m.settings.step);
  m.settings.output_step = std::max(m.settings.output_step, m.settings.step);
  if (m.settings.integrator == "ida") m.settings.integrator = "generalized-alpha";  // may take its time
}

void expect_finite(std::span<const double> values, const char* what) {
  for (const double x : values)
    if (!std::isfinite(x)) throw Defect(fmt::format("{}: {}", what, x));
}

Trajectory nominal(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> start = assemble(a);
  find_redundancy(a, start);
  Trajectory t = simulate_model(m, m.nominal, {.poses = true});
  expect_finite(t.values, "a nominal output");
  expect_finite(t.poses, "a nominal pose");
  modes(a, start);
  equilibrium(a, start);
  return t;
}

analysis::StatisticsRequest questions(const Model& m, const Study& study, const Plan& plan, const Trajectory& t) {
  analysis::StatisticsRequest q;
  q.times = t.times;
  for (const Channel& c : m.channels) q.channels.push_back(c.name);
  q.nominal.assign(t.values.begin(), t.values.end());
  q.confidence = study.confidence;
  q.samples = few_realizations;
  q.threads = 1;
  q.replicates = plan.replicates();
  for (const Limit& l : m.limits) q.limits.push_back({l.channel, l.value, l.above, l.scalar});
  for (const DerivedScalar& s : m.scalars) q.scalars.push_back({s.name, s.unit, "", s.channel, s.settings});
  return q;
}

// Of at least two realizations: means have errors then.
void expect_finite(const results::StudyStatistics& s) {
  for (const results::ChannelStatistics& c : s.channels) {
    for (const auto* v : {&c.mean, &c.std, &c.lower, &c.upper, &c.minimum, &c.maximum}) expect_finite(*v, "a statistic");
    for (const auto* v : {&c.mean_error, &c.std_error}) expect_finite(*v, "a standard error");
  }
  for (const results::LimitStatistics& l : s.limits) expect_finite(l.probability, "a probability");
  for (const results::ScalarStatistics& x : s.scalars)
    if (x.count > 1) expect_finite(std::vector{x.mean.value, x.std.value, x.minimum, x.maximum}, "the statistic of a scalar");
  for (const std::vector<double>& curve : s.convergence.values) expect_finite(curve, "a convergence curve");
}

Ending study(const Model& m, const RandomModel& random, const Trajectory& t) {
  Study study = read_study(m);
  study.samples = std::min(study.samples, few_realizations);
  study.replicates = std::min(study.replicates, 3);
  Plan plan;
  try {
    plan = sampling_plan(study, random);
  } catch (const std::invalid_argument& e) {  // the program points at `method:`
    return {End::wrong_model, e.what()};
  }
  const Ensemble ensemble(m, random, plan, study.seed);
  analysis::Accumulator statistics(questions(m, study, plan, t));
  long ok = 0;
  std::string why;
  EnsembleOptions options;
  options.threads = 1;
  options.poses_of = 1;
  options.end_row = few_realizations;
  const long done = ensemble.run(options, [&](SimulatedRow&& r) {
    expect_finite(r.values, "an output");
    expect_finite(r.poses, "a pose");
    if (!r.ok && r.why.empty()) throw Defect("a realization failed for no reason");
    if (!r.ok) why = r.why;
    ok += r.ok;
    std::vector<double> limits;
    std::vector<ReductionSettings> reductions;
    if (r.ok && random.levels_vary()) {
      const Derived own = realize_derived(m, random.overrides(r.sample));
      for (const Limit& l : own.limits) limits.push_back(l.value);
      for (const DerivedScalar& x : own.scalars) reductions.push_back(x.settings);
    }
    statistics.add(r.ok, r.values, limits, reductions);
  });
  if (done != std::min(few_realizations, plan.rows())) throw Defect(fmt::format("{} realizations were delivered", done));
  const results::StudyStatistics s = statistics.finish();
  if (!m.channels.empty() && s.realizations != ok) throw Defect(fmt::format("statistics of {} of {}", s.realizations, ok));
  if (ok > 1 && plan.replicates() == 1) expect_finite(s);
  if (ok == 0) return {End::simulation_failed, why};
  return ok < done ? Ending{End::some_failed, why} : Ending{End::finished, ""};
}

Ending run(const std::string& text, const std::string& file) {
  Model m = make_model(input::read_text(text, file, language()));
  const RandomModel random(m);
  if (m.structure.dofs > many_unknowns) return {End::finished, ""};
  shorten(m);
  const Trajectory t = nominal(m);
  return random.empty() ? Ending{End::finished, ""} : study(m, random, t);
}

}  // namespace

Ending ending_of(const std::string& model) {
  const std::string file = examples_folder() + "/mutated.yaml";  // for the tables it refers to
  try {
    return run(model, file);
  } catch (const input::InputError& e) {
    // An error in a table of numbers names that file.
    if (e.where().line <= 0) return {End::defect, fmt::format("an InputError that does not say where: {}", e.what())};
    if (!std::string_view(e.what()).starts_with(examples_folder()))
      return {End::defect, fmt::format("names no file: {}", e.what())};
    return {End::wrong_model, e.what()};
  } catch (const SimulationError& e) {
    if (!*e.what()) return {End::defect, "a SimulationError without words"};
    return {End::simulation_failed, e.what()};
  } catch (const std::exception& e) {
    return {End::defect, fmt::format("an exception of another kind: {}", e.what())};
  }
}

std::vector<std::string> mutated_examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(examples_folder()))
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

// A few steps are enough: each is an output.
void shorten(input::Tree& model) {
  for (input::Tree& section : model.children) {
    if (section.key != "simulation") continue;
    double duration = 0, step = 0;
    for (const input::Tree& entry : section.children) {
      if (entry.key == "duration") duration = std::strtod(entry.text.c_str(), nullptr);
      if (entry.key == "step") step = std::strtod(entry.text.c_str(), nullptr);
    }
    if (step == 0) step = duration / 1000;
    for (input::Tree& entry : section.children) {
      if (entry.key == "duration") entry.text = fmt::format("{:g}", few_steps * step);
      if (entry.key == "output_step") entry.text = fmt::format("{:g}", step);
    }
  }
}

// The examples as trees, with short durations, and the keys of all of them.
struct Originals {
  std::map<std::string, input::Tree> trees;
  std::vector<std::string> keys;
};
const Originals& originals() {
  static const Originals all = [] {
    Originals o;
    for (const std::string& name : mutated_examples()) {
      collect_keys(o.trees[name] = input::yaml_tree(example(name)), o.keys);
      shorten(o.trees[name]);
    }
    return o;
  }();
  return all;
}

}  // namespace

std::string mutated_copy(const std::string& name, int number) {
  std::uint64_t seed = std::uint64_t(number);
  for (const char c : name) seed = seed * 1099511628211U + std::uint64_t(c);  // other mistakes in every example
  if (number % 4 == 0) return Mutations(unsigned(seed)).mutated(example(name));
  return written(Mistakes(originals().keys, seed).in(originals().trees.at(name)));
}

namespace {

// The outcome of one copy, as it comes through a pipe.
struct Report {
  End end;
  char words[2000];
};

// Tries copies from `first` on and reports each. Does not return.
[[noreturn]] void try_copies(const std::string& example, int first, int end, int to) {
  if (!sanitized) {
    const rlimit memory{most_bytes, most_bytes};
    setrlimit(RLIMIT_AS, &memory);
  }
  for (int i = first; i < end; ++i) {
    const itimerval time{{}, {most_seconds, 0}};
    setitimer(ITIMER_PROF, &time, nullptr);  // its signal ends this process
    const Ending e = ending_of(mutated_copy(example, i));
    Report r{e.end, ""};
    std::strncpy(r.words, e.words.c_str(), sizeof(r.words) - 1);
    if (write(to, &r, sizeof(r)) != sizeof(r)) _exit(1);
  }
  _exit(0);
}

// Hands over what a process says about copies from `first` on; returns the one after the last, which may have ended the process.
int each_report(const std::string& example, int first, int end, int& status, const std::function<void(int, const Report&)>& use) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    try_copies(example, first, end, ends[1]);
  }
  close(ends[1]);
  Report r;
  while (read(ends[0], &r, sizeof(r)) == sizeof(r)) use(first++, r);
  close(ends[0]);
  waitpid(child, &status, 0);
  return first;
}

}  // namespace

std::map<End, int> endings_of_copies(const std::string& example, int first, int count) {
  std::map<End, int> endings;
  const int end = first + count;
  const auto complain = [&](int copy, const std::string& what) {
    ++endings[End::defect];
    ADD_FAILURE() << "copy " << copy << " of " << example << ": " << what << "\n" << mutated_copy(example, copy);
  };
  for (int next = first; next < end;) {
    int status = 0;
    next = each_report(example, next, end, status, [&](int copy, const Report& r) {
      if (r.end == End::defect) return complain(copy, r.words);
      ++endings[r.end];
    });
    if (next == end) break;
    complain(next++, WIFSIGNALED(status) ? fmt::format("ended by the signal {}", strsignal(WTERMSIG(status)))
                                         : fmt::format("ended the process with {}", WEXITSTATUS(status)));
  }
  return endings;
}

}  // namespace aleator::core::test
