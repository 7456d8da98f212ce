// N-four-bar, IFToMM benchmark A02: N = 40, 20 s, twenty times through the position in which all links lie flat and the
// constraints lose rank. Expected: the energy integral of its one freedom (n_four_bar.hpp).
#include "n_four_bar.hpp"

#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Errors {          // largest ones
  double angle = 0;      // of the first vertical, rad
  double energy = 0;     // relative
  double last = 0;       // last vertical against the first, rad
  double violation = 0;  // m
};

Errors errors(const Result& r, int n) {
  const NFourBarMotion exact(n);
  const std::vector<double> turn = r.channel("turn"), last = r.channel("last_turn"), energy = r.channel("energy"),
                            violation = r.channel("violation");
  Errors e;
  for (size_t k = 0; k < r.times.size(); ++k) {
    const double theta = -turn[k];  // to the right
    e.angle = std::max(e.angle, std::abs((r.times[k] - exact.time(theta)) * exact.rate(theta)));
    e.last = std::max(e.last, std::abs(turn[k] - last[k]));
    e.energy = std::max(e.energy, std::abs(energy[k] / exact.energy() - 1));
    e.violation = std::max(e.violation, violation[k]);
  }
  return e;
}

TEST(NFourBar, generalized_alpha_crosses_the_flat_position) {
  const Result r = run(n_four_bar(40, 20, 2e-3));
  EXPECT_GT(-r.last("turn"), 10 * 6.28);  // it has gone round ten times, and through the flat position twenty times
  const Errors fine = errors(r, 40), coarse = errors(run(n_four_bar(40, 20, 4e-3)), 40);
  // Order 2: the error of the period of 2 s is 3e-6 at h = 2e-3, after ten of them it is 1.8e-3 rad (observed).
  EXPECT_LT(fine.angle, 2.5e-3);
  EXPECT_NEAR(coarse.angle / fine.angle, 4, 0.5);
  // The error of one step, not accumulated: 1.3e-4 (observed).
  EXPECT_LT(fine.energy, 2e-4);
  EXPECT_NEAR(coarse.energy / fine.energy, 4, 0.2);
  // All verticals turn as one: nothing but round-off of 40 m chooses another way out of the flat position.
  EXPECT_LT(fine.last, 1e-11);
  EXPECT_LT(fine.violation, 1e-10);
}

// Order 4 holds between the flat positions. A step that lands close to one has large multipliers, and leaves an error that
// depends on how close; 5e-5 rad and 2e-7 of the energy observed.
TEST(NFourBar, runge_kutta_crosses_the_flat_position) {
  const Errors e = errors(run(n_four_bar(40, 20, 2e-3, "runge-kutta")), 40);
  EXPECT_LT(e.angle, 5e-4);
  EXPECT_LT(e.energy, 2e-6);
  EXPECT_LT(e.last, 1e-11);
  EXPECT_LT(e.violation, 1e-12);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
