// N-four-bar (IFToMM A02) for a minute, and N = 200: sixty and more passages through the flat position, no loss of energy
// beyond the error of the scheme, all cranks together.
#include "published/n_four_bar.hpp"

#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

void expect_motion(int n, double duration, double step, const std::string& integrator, double angle, double energy) {
  const Result r = run(n_four_bar(n, duration, step, integrator));
  const NFourBarMotion exact(n);
  const std::vector<double> turn = r.channel("turn"), last = r.channel("last_turn"), e = r.channel("energy");
  double worst = 0, lost = 0, apart = 0;
  for (size_t k = 0; k < r.times.size(); ++k) {
    worst = std::max(worst, std::abs((r.times[k] - exact.time(-turn[k])) * exact.rate(-turn[k])));
    lost = std::max(lost, std::abs(e[k] / exact.energy() - 1));
    apart = std::max(apart, std::abs(turn[k] - last[k]));
  }
  EXPECT_LT(worst, angle);
  EXPECT_LT(lost, energy);
  EXPECT_LT(apart, 1e-10);  // round-off of 200 m
}

// Truncation, as in published/n_four_bar.cpp: the error of the angle grows with time, that of the energy does not.
TEST(NFourBarLong, a_minute_of_generalized_alpha) { expect_motion(40, 60, 1e-3, "generalized-alpha", 2e-3, 5e-5); }
// What a passage leaves depends on how close to the flat position a step ends; 1e-3 rad and 1e-6 observed.
TEST(NFourBarLong, a_minute_of_runge_kutta) { expect_motion(40, 60, 1e-3, "runge-kutta", 5e-3, 1e-5); }
TEST(NFourBarLong, two_hundred_linkages) { expect_motion(200, 20, 2e-3, "generalized-alpha", 2.5e-3, 2e-4); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
