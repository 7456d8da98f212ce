// How many realizations pass a level, and how well that is known.
#include "analysis/exceedance.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "analysis/replicates.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

// Sines with amplitudes 1, 2, …, 8, whose maximum lies between two of 16 times in a period; two outputs, of which the second is theirs.
struct Sines {
  std::vector<double> times, all;
  static constexpr int rows = 8, n = 17;
  Sines() {
    for (int t = 0; t < n; ++t) times.push_back(t / 16.0);
    for (int k = 0; k < rows; ++k)
      for (const double t : times) all.insert(all.end(), {100.0, (k + 1) * std::sin(2 * std::numbers::pi * (t + 1 / 32.0))});
  }
  ResponseRows y() const { return {all.data() + 1, rows, 2 * n, 2}; }
};

TEST(Exceedance, counts_extremes_between_the_times) {
  const Sines s;
  const double seen = std::cos(2 * std::numbers::pi / 32);  // at most, of an amplitude of 1: 0.981
  const double level = 6 * (1 + seen) / 2;                  // passed by the sixth between its times alone
  EXPECT_EQ(exceedance(s.times, s.y(), level, true, 1).value, 3.0 / 8);
  EXPECT_EQ(exceedance(s.times, s.y(), -level, false, 1).value, 3.0 / 8);
  EXPECT_EQ(exceedance_at(s.times, 3, s.y(), level, true, 1).value, 2.0 / 8);
  EXPECT_EQ(exceedance(s.times, s.y(), 9, true, 1).value, 0);
  EXPECT_GT(exceedance(s.times, s.y(), 9, true, 1).error, 0.05);  // none of eight says little
}

TEST(Exceedance, leaves_out_what_failed) {
  Sines s;
  s.all[std::size_t(2 * Sines::n * 7 + 1)] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(exceedance(s.times, s.y(), 4.99, true, 1).value, 3.0 / 7);
  EXPECT_TRUE(std::isnan(exceedance(s.times, {s.all.data() + 1, 0, 34, 2}, 1, true, 1).value));
}

TEST(Exceedance, errors_come_from_the_scatter_of_randomisations) {
  const Sines s;
  // Rows 0, 2, 4, 6 and 1, 3, 5, 7: of the first, amplitudes 5 and 7 are above 4.5, of the second 6 and 8.
  const double alike = exceedance(s.times, s.y(), 4.5, true, 2).error, unseen = 2.0 * 4 / 6 / 2 / 8;
  EXPECT_DOUBLE_EQ(alike, unseen);
  // Above 5.5: 7; 6 and 8. Shares 1/4 and 1/2: their mean has the standard error 1/8.
  EXPECT_DOUBLE_EQ(exceedance(s.times, s.y(), 5.5, true, 2).error, replicate_factor(2) / 8);
}

TEST(Exceedance, has_an_interval_that_is_right_for_none) {
  const Sines s;
  const results::Probability none = exceedance(s.times, s.y(), 9, true, 1), three = exceedance(s.times, s.y(), 5.9, true, 1);
  EXPECT_EQ(none.interval.low, 0);
  EXPECT_NEAR(none.interval.high, 1 - std::pow(0.025, 1.0 / 8), 1e-12);
  EXPECT_NEAR(three.interval.low, 0.0852, 5e-5);  // of Clopper and Pearson: 3 of 8
  EXPECT_NEAR(three.interval.high, 0.7551, 5e-5);
  // of randomisations ± two standard errors, and for none, or all, the same bound
  const results::Probability two = exceedance(s.times, s.y(), 4.5, true, 2), nothing = exceedance(s.times, s.y(), 9, true, 2),
                             all = exceedance(s.times, s.y(), 0.5, true, 2);
  EXPECT_DOUBLE_EQ(two.interval.high, std::min(1.0, 0.5 + 2 * two.error));
  EXPECT_GE(nothing.interval.high, none.interval.high);
  EXPECT_LE(all.interval.low, 1 - none.interval.high);
  EXPECT_EQ(all.interval.high, 1);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
