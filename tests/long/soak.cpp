// Ten million short realizations, some of which fail: none is lost, every failure is one that had to be, statistics are right and
// memory does not grow. ALEATOR_SOAK is another number of realizations.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include "analysis/accumulate.hpp"
#include "ensemble/ensemble.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A ball flies straight on: x = v t, whatever its mass. A mass that is not positive makes no mechanism, and a rod that is shorter than
// the distance it spans one that cannot be assembled; lengths in between those are drawn once in 10⁹.
constexpr double share_of_each = 5e-4;
const char* const model_text = R"yaml(
plane: xy
parameters: {v: 1.5, m: 1, u: 0.5, reach: "0.9 + 0.2*min(1, max(0, (u - 5e-4)*1e9))"}
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: m, velocity: [v, 0]}
  slider: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.5, 0]}
joints:
  guide: {prismatic: [ground, slider], axis: x, at: [0.5, 0]}
  rod: {distance: [ground, slider], points: [[0, 1], [0.5, 0]], length: reach}
uncertain:
  v: {uniform: {lower: 1, upper: 2}}
  m: {uniform: {lower: -5e-4, upper: 0.9995}}
  u: {uniform: {lower: 0, upper: 1}}
outputs:
  x: {position: ball, component: x}
simulation: {duration: 0.02, step: 1e-2, output_step: 1e-2}
)yaml";

double megabytes() {
  std::ifstream statm("/proc/self/statm");
  long all = 0, resident = 0;
  statm >> all >> resident;
  return double(resident * sysconf(_SC_PAGESIZE)) / (1 << 20);
}

long realizations() {
  const char* text = std::getenv("ALEATOR_SOAK");
  return text ? std::atol(text) : 10'000'000;
}

analysis::StatisticsRequest questions(const Model& m, long samples) {
  const Trajectory t = simulate_model(m, m.nominal);
  analysis::StatisticsRequest q;
  q.times = t.times;
  q.channels = {"x"};
  q.nominal.assign(t.values.begin(), t.values.end());
  q.keep_all = false;
  q.samples = samples;
  return q;
}

TEST(Soak, short_realizations_with_failures) {
  const Model m = model_from(model_text);
  const RandomModel random(m);
  ASSERT_EQ(random.columns(), (std::vector<std::string>{"v", "m", "u"}));
  const long n = realizations();
  analysis::Accumulator statistics(questions(m, n));
  long next = 0, ok = 0, no_mechanism = 0, not_assembled = 0, wrong = 0;
  double at_first = 0, most = 0;
  const auto start = std::chrono::steady_clock::now();
  const long done = Ensemble(m, random, {n, 0}, 3).run({}, [&](SimulatedRow&& r) {
    const bool mass = r.sample[1] > 0, reach = r.sample[2] > share_of_each;
    const bool as_it_must = r.row == next++ && r.ok == (mass && reach) && r.why.empty() == r.ok &&
                            (mass || r.why.find("'mass' may not be negative") != std::string::npos);
    wrong += !as_it_must;
    (r.ok ? ok : mass ? not_assembled : no_mechanism) += 1;
    statistics.add(r.ok, r.values);
    if (next % std::max(1L, n / 1000) != 0) return;
    if (next <= n / 20) at_first = megabytes();  // all is warm
    most = std::max(most, megabytes());
  });
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::cout << n << " realizations in " << seconds << " s: " << double(n) / seconds << " per second; " << no_mechanism
            << " no mechanism, " << not_assembled << " not assembled; memory " << at_first << " MB after a twentieth, at most "
            << most << " MB\n";
  EXPECT_EQ(done, n);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(ok + no_mechanism + not_assembled, n);
  const double expected = share_of_each * double(n), scatter = 5 * std::sqrt(expected);  // false alarm: 1 in a million
  EXPECT_NEAR(double(no_mechanism), expected, scatter);
  EXPECT_NEAR(double(not_assembled), expected, scatter);
  EXPECT_LT(most - at_first, 4) << "MB";

  // v is uniform on [1, 2]: at t = 0.02 the mean of x is 0.03, its standard deviation 0.02/√12, its 5 % quantile 0.021.
  const results::StudyStatistics s = statistics.finish();
  EXPECT_EQ(s.realizations, ok);
  const results::ChannelStatistics& x = s.channels[0];
  const double std = 0.02 / std::sqrt(12.0), root = std::sqrt(double(ok));
  EXPECT_NEAR(x.mean.back(), 0.03, 5 * std / root);
  EXPECT_NEAR(x.std.back(), std, 5 * std * std::sqrt(0.2) / root);  // (κ − 1)/4 of a uniform law is 0.2
  const double rank = s.rank_error + 5 * std::sqrt(0.05 * 0.95) / root;
  EXPECT_NEAR(x.lower.back(), 0.021, 0.02 * rank);
  EXPECT_NEAR(x.upper.back(), 0.039, 0.02 * rank);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
