// Numbers derived from a sampled function of time, against closed forms.
#include "numerics/series.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "numerics/sampled.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr Reduction all_reductions[] = {Reduction::maximum, Reduction::minimum, Reduction::largest_magnitude, Reduction::final,
                                        Reduction::rms,     Reduction::average, Reduction::first_crossing};

double of(Reduction r, const std::vector<double>& t, const std::vector<double>& x) { return reduce({r}, t, x.data(), 1); }

double crossing(double level, int direction, const std::vector<double>& t, const std::vector<double>& x) {
  return reduce({Reduction::first_crossing, level, direction}, t, x.data(), 1);
}

TEST(Series, extremes_are_values_of_the_series) {
  const std::vector<double> t = {0, 1, 2, 3}, x = {-1, 2, -5, 3};
  EXPECT_EQ(of(Reduction::maximum, t, x), 3);
  EXPECT_EQ(of(Reduction::minimum, t, x), -5);
  EXPECT_EQ(of(Reduction::largest_magnitude, t, x), 5);
  EXPECT_EQ(of(Reduction::final, t, x), 3);
  const std::vector<double> negative = {-4, -2, -3, -4};
  EXPECT_EQ(of(Reduction::maximum, t, negative), -2);  // not 0
  EXPECT_EQ(of(Reduction::minimum, t, {4, 2, 3, 4}), 2);
}

TEST(Series, average_and_rms_weight_uneven_steps) {
  // Piecewise linear x, for which the trapezoidal rule is exact: ∫x = 1/2 + 3 (1 + 3)/2 = 6.5 over 4 s. Round-off only.
  const std::vector<double> t = {0, 1, 4}, x = {0, 1, 3};
  EXPECT_NEAR(of(Reduction::average, t, x), 6.5 / 4, 1e-15);
  // The rule applied to x² of the same points: 1/2 + 3 (1 + 9)/2 = 15.5.
  EXPECT_NEAR(of(Reduction::rms, t, x), std::sqrt(15.5 / 4), 1e-15);
  EXPECT_NEAR(integral_of_square(t, x.data(), 1), 15.5, 1e-14);
}

TEST(Series, rms_of_a_sine_over_whole_periods) {
  // On equidistant points over whole periods the trapezoidal rule is exact for sin²: round-off of 1000 sums of size 1.
  std::vector<double> t, x;
  for (int i = 0; i <= 1000; ++i) {
    t.push_back(5 + i * 0.003);
    x.push_back(3 * std::sin(2 * std::numbers::pi * i / 250.0));
  }
  EXPECT_NEAR(of(Reduction::rms, t, x), 3 / std::numbers::sqrt2, 1e-12);
  EXPECT_NEAR(of(Reduction::average, t, x), 0, 1e-12);
}

TEST(Series, the_first_crossing_is_interpolated) {
  const std::vector<double> t = {0, 1, 3, 4}, x = {0, 4, -4, 4};
  // Straight lines: exact up to the round-off of one division.
  EXPECT_NEAR(crossing(1, 0, t, x), 0.25, 1e-15);
  EXPECT_NEAR(crossing(1, +1, t, x), 0.25, 1e-15);
  EXPECT_NEAR(crossing(1, -1, t, x), 1.75, 1e-15);
  EXPECT_NEAR(crossing(-2, +1, t, x), 3.25, 1e-15);
  EXPECT_NEAR(crossing(-2, 0, t, x), 2.5, 1e-15);
}

TEST(Series, a_level_that_is_never_crossed_has_no_time) {
  const std::vector<double> t = {0, 1, 2}, x = {0, 1, 0.5};
  EXPECT_TRUE(std::isnan(crossing(2, 0, t, x)));
  EXPECT_TRUE(std::isnan(crossing(0.75, -1, {0, 1}, {0, 1})));
  EXPECT_TRUE(std::isnan(crossing(0.75, +1, {0, 1}, {1, 0})));
  EXPECT_TRUE(std::isnan(crossing(0.5, 0, {3}, {0.5})));
}

TEST(Series, to_begin_on_the_level_is_no_crossing) {
  EXPECT_TRUE(std::isnan(crossing(1, 0, {0, 1, 2}, {1, 2, 3})));
  EXPECT_TRUE(std::isnan(crossing(1, 0, {0, 1, 2}, {1, 1, 1})));
  // It leaves upwards, and comes back through the level: that is the first crossing, and it goes down.
  EXPECT_NEAR(crossing(1, 0, {0, 1, 2}, {1, 2, 0}), 1.5, 1e-15);
  EXPECT_NEAR(crossing(1, -1, {0, 1, 2}, {1, 2, 0}), 1.5, 1e-15);
  EXPECT_TRUE(std::isnan(crossing(1, +1, {0, 1, 2}, {1, 2, 0})));
}

TEST(Series, a_level_is_crossed_when_it_is_reached) {
  EXPECT_EQ(crossing(1, +1, {0, 1, 2}, {0, 1, 0}), 1);
  EXPECT_EQ(crossing(1, -1, {0, 1, 2}, {2, 1, 1}), 1);
}

TEST(Series, a_stride_picks_one_channel) {
  const std::vector<double> t = {0, 1, 2}, x = {1, 10, 100, 2, 20, 200, 3, 30, 300};  // [times][3]
  EXPECT_EQ(reduce({Reduction::final}, t, x.data() + 1, 3), 30);
  EXPECT_EQ(reduce({Reduction::maximum}, t, x.data(), 3), 3);
  EXPECT_EQ(reduce({Reduction::minimum}, t, x.data() + 2, 3), 100);
  EXPECT_EQ(reduce({Reduction::average}, t, x.data() + 2, 3), 200);
  EXPECT_EQ(reduce({Reduction::first_crossing, 25, 0}, t, x.data() + 1, 3), 1.5);
  EXPECT_EQ(integral_of_square(t, x.data(), 3), 0.5 * (1 + 4) + 0.5 * (4 + 9));
}

TEST(Series, a_single_time_is_its_value) {
  for (const Reduction r : {Reduction::maximum, Reduction::minimum, Reduction::final, Reduction::average})
    EXPECT_EQ(of(r, {7}, {-2}), -2);
  EXPECT_EQ(of(Reduction::largest_magnitude, {7}, {-2}), 2);
  EXPECT_EQ(of(Reduction::rms, {7}, {-2}), 2);
}

// A maximum over what happens to be finite would look like an answer.
TEST(Series, a_value_that_is_not_finite_leaves_nothing) {
  for (const Reduction r : all_reductions)
    for (const double bad : {nan, infinity, -infinity})
      for (std::size_t at = 0; at < 3; ++at) {
        std::vector<double> x = {-1, 1, 2};
        x[at] = bad;
        EXPECT_TRUE(std::isnan(of(r, {0, 1, 2}, x))) << int(r) << " " << at;
      }
  for (const Reduction r : all_reductions) EXPECT_TRUE(std::isnan(reduce({r}, {}, nullptr, 1)));
  // Another channel is not concerned.
  const std::vector<double> x = {nan, 1, nan, 2};
  EXPECT_EQ(reduce({Reduction::maximum}, std::vector<double>{0, 1}, x.data() + 1, 2), 2);
}

// Between the times: a sine with 20 times in a period. The quartic through five values is off by (ωh)⁵/120 |s(s²−1)(s²−4)|, which is 3.63
// at most between the five (at the ends of the series), 1.42 within a step of the middle one; samples alone miss the peak by up to 1 − cos(ωh/2) = 1.2e-2.
TEST(Series, extremes_and_crossings_of_an_oscillator_are_between_the_times) {
  const double step = 2 * std::numbers::pi / 20, off = 3.63 / 120 * std::pow(step, 5);
  for (int k = 0; k < 40; ++k) {
    const double phase = 0.05 * k;
    std::vector<double> t, x;
    for (int i = 0; i <= 50; ++i) t.push_back(0.1 * i), x.push_back(3 * std::sin(step * i + phase));
    EXPECT_NEAR(of(Reduction::maximum, t, x), 3, 3 * off) << phase;
    EXPECT_NEAR(of(Reduction::minimum, t, x), -3, 3 * off) << phase;
    EXPECT_NEAR(of(Reduction::largest_magnitude, t, x), 3, 3 * off) << phase;
    // Downwards through 1.5: ωt + φ = π − π/6; there the slope is 3 cos(π/6) per radian
    const double after = std::fmod(std::numbers::pi * 5 / 6 - phase + 2 * std::numbers::pi, 2 * std::numbers::pi);
    EXPECT_NEAR(crossing(1.5, -1, t, x), 0.1 * after / step, 0.1 / step * 2 * off / std::cos(std::numbers::pi / 6)) << phase;
  }
}

// A peak that passes a level between two times has crossed it. With ωh = 2π/20 and the peak in the middle of a step samples reach cos(π/20) = 0.988.
TEST(Series, a_level_that_only_the_peak_passes_is_crossed) {
  std::vector<double> t, x;
  const double step = 2 * std::numbers::pi / 20;
  for (int i = 0; i <= 12; ++i) t.push_back(i), x.push_back(std::cos(step * (i - 5.5)));
  const double reach = std::acos(0.995) / step;  // from the peak at 5.5
  // The error of the value, 3.6e-5, over the slope of the cosine there, 0.1, in steps of 0.314: 1.1e-3
  EXPECT_NEAR(crossing(0.995, +1, t, x), 5.5 - reach, 1.2e-3);
  EXPECT_NEAR(crossing(0.995, 0, t, x), 5.5 - reach, 1.2e-3);
  EXPECT_NEAR(crossing(0.995, -1, t, x), 5.5 + reach, 1.2e-3);
  EXPECT_TRUE(std::isnan(crossing(1.001, 0, t, x)));
}

// What the times do not resolve is not made smooth: a polynomial through a jump would overshoot by an eighth of it.
TEST(Series, jumps_and_spikes_do_not_overshoot) {
  const std::vector<double> t = {0, 1, 2, 3, 4, 5, 6, 7};
  EXPECT_EQ(of(Reduction::maximum, t, {0, 0, 0, 1, 1, 1, 1, 1}), 1);
  EXPECT_EQ(of(Reduction::maximum, t, {0, 0, 0, 0.5, 1, 1, 1, 1}), 1);
  EXPECT_EQ(of(Reduction::minimum, t, {0, 0, 0, 1, 1, 1, 1, 1}), 0);
  EXPECT_EQ(of(Reduction::maximum, t, {0, 0, 0, 1, 0, 0, 0, 0}), 1);
  EXPECT_EQ(of(Reduction::maximum, t, {0, 1, 2, 3, 2, 1, 0, -1}), 3);  // a corner
  EXPECT_EQ(crossing(0.25, +1, t, {0, 0, 0, 1, 1, 1, 1, 1}), 2.25);
  EXPECT_EQ(of(Reduction::maximum, t, {2, 2, 2, 2, 2, 2, 2, 2}), 2);
}

// Equal steps or nothing: the last time may be the end of the simulation.
TEST(Series, uneven_times_are_not_interpolated) {
  EXPECT_EQ(of(Reduction::maximum, {0, 1, 2, 3.5, 4}, {0, 3, 4, 3, 0}), 4);
  EXPECT_GT(of(Reduction::maximum, {0, 1, 2, 3, 4}, {0, 3, 4, 3.5, 1}), 4);
}

// Peaks that cannot be the highest are not looked for: the largest value is that of all peaks nevertheless, and passes exactly the levels below
// it. Sums of sines, with jumps in some.
TEST(Series, the_largest_value_is_that_of_all_peaks) {
  std::vector<double> t;
  for (int i = 0; i < 200; ++i) t.push_back(0.01 * i);
  for (int kind = 0; kind < 40; ++kind) {
    std::vector<double> x;
    for (const double at : t)
      x.push_back(std::sin(3.1 * (kind + 1) * at) + 0.9 * std::sin(5.7 * at + kind) + (kind % 3 == 2 && at > 1 ? 0.5 : 0));
    const Sampled f{t, x.data(), 1};
    for (const double sign : {1.0, -1.0}) {
      double expected = -10;
      for (std::size_t i = 0; i < t.size(); ++i) {
        const bool up = i == 0 || sign * x[i] >= sign * x[i - 1], down = i + 1 == t.size() || sign * x[i] >= sign * x[i + 1];
        expected = std::max(expected, sign * x[i]);
        if (up && down) expected = std::max(expected, peak_beside(f, i, sign).value);
      }
      EXPECT_EQ(largest(f, sign), expected) << kind;
      EXPECT_TRUE(passes(f, sign, std::nextafter(expected, -10))) << kind;
      EXPECT_FALSE(passes(f, sign, expected)) << kind;
    }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
