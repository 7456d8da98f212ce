// Everything threads share when a study runs: laws, designs, compiled models, statistics. Numbers are compared elsewhere
// (tests/equivalence/ensemble.cpp); here the thread sanitizer looks on (scripts/thread-sanitizer).
#include <gtest/gtest.h>

#include <thread>

#include "analysis/accumulate.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "propagation/method.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr int threads = 4;

Model shortened(const std::string& text, double duration) {
  Model m = model_from(text);
  m.settings.duration = duration;
  m.settings.output_step = std::max(m.settings.step, duration / 5);
  return m;
}

analysis::StatisticsRequest questions(const Model& m, long samples, bool keep_all) {
  analysis::StatisticsRequest q;
  const Trajectory t = simulate_model(m, m.nominal);
  q.times = t.times;
  for (const Channel& c : m.channels) q.channels.push_back(c.name);
  q.nominal.assign(t.values.begin(), t.values.end());
  q.samples = samples;
  q.keep_all = keep_all;
  q.threads = threads;
  for (const Limit& l : m.limits) q.limits.push_back({l.channel, l.value, l.above, l.scalar});
  for (const DerivedScalar& s : m.scalars) q.scalars.push_back({s.name, s.unit, "", s.channel, s.settings});
  return q;
}

// As the program does it: statistics are accumulated while realizations are computed, and looked at under way.
void study(const Model& m, Study s, bool keep_all) {
  const RandomModel random(m);
  s.samples = 60;
  const Plan plan = sampling_plan(s, random);
  analysis::Accumulator statistics(questions(m, s.samples, keep_all));
  EnsembleProfile profile;
  EnsembleOptions options;
  options.threads = threads;
  options.poses_of = 3;
  options.profile = &profile;
  const Ensemble ensemble(m, random, plan, s.seed);
  long delivered = 0;
  EXPECT_EQ(ensemble.run(options,
                         [&](SimulatedRow&& r) {
                           if (plan.point(r.row).source == DesignPoint::first) statistics.add(r.ok, r.values);
                           if (++delivered % 25 == 0) statistics.finish();
                         }),
            plan.rows());
  EXPECT_EQ(delivered, plan.rows());
  EXPECT_GT(statistics.finish().realizations, s.samples / 2);
}

TEST(Threads, bodies_as_they_are_drawn) {
  const Model m = shortened(example("five-body"), 2e-3);
  study(m, {.method = "monte-carlo"}, true);
  study(m, {.method = "monte-carlo", .sensitivity = true}, false);
}

TEST(Threads, designs) {
  const Model m = shortened(example("five-body"), 1e-3);
  for (const char* method : {"latin-hypercube", "sobol", "halton"}) study(m, {.method = method}, true);
}

TEST(Threads, fields_along_beams) { study(shortened(example("slider-crank"), 5e-4), {.method = "sobol"}, true); }

TEST(Threads, copulas_expressions_and_equilibria) { study(shortened(example("vehicle-bump"), 2e-2), {}, true); }

// Failures are tried again, alone.
TEST(Threads, failures) {
  study(model_from("parameters: {m: 1}\nbodies:\n  a: {shape: {box: [1, 1, 1]}, mass: m}\n"
                   "outputs:\n  x: {position: a, component: x}\nsimulation: {duration: 0.1, step: 1e-2}\n"
                   "uncertain:\n  m: {uniform: {lower: -1, upper: 3}}\n"),
        {}, false);
}

TEST(Threads, stopped_from_outside) {
  const Model m = shortened(example("five-body"), 2e-3);
  const RandomModel random(m);
  std::atomic<bool> stop{false}, begun{false};
  std::thread other([&] {
    while (!begun) std::this_thread::yield();
    stop = true;
  });
  const long next = Ensemble(m, random, {1'000'000, 0}, 1).run({.threads = threads, .stop = &stop}, [&](SimulatedRow&& r) {
    if (r.row == 10) begun = true;
  });
  other.join();
  EXPECT_LT(next, 1'000'000);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
