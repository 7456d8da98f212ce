// Functions that repeat themselves: one period is all that is fitted, and its pieces come again.
#include "numerics/periodic.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "numerics/refit.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Function = std::function<double(double)>;
constexpr double pi = std::numbers::pi;

TEST(NumericsPeriodic, values_and_derivatives_of_all_periods_are_those_of_the_function) {
  for (const double w : {1.0, 2 * pi, 37.3, 402.1}) {
    const double duration = 64.3 * 2 * pi / w;
    const auto f = [=](double t) { return std::tanh(3 * std::sin(w * t)); };
    const PiecewisePolynomial p = repeated(fit(f, 0, 2 * pi / w), duration);
    EXPECT_TRUE(p.breakpoints.empty());
    EXPECT_GE(p.knots.back(), duration);
    for (int i = 0; i <= 4000; ++i) {
      const double t = duration * i / 4000, s = std::sin(w * t), c = std::cos(w * t), y = std::tanh(3 * s), d = 1 - y * y;
      const Jet<double> j = evaluate(p, t);
      // what fits promise, and the rounding of ω t, 400 rad, times the slope: 3 · 400 · 1e-16
      ASSERT_NEAR(j.f, y, 1e-12) << w << " at " << t;
      ASSERT_NEAR(j.d1, 3 * w * c * d, 1e-9 * w) << w << " at " << t;
      ASSERT_NEAR(j.d2, w * w * d * (-3 * s - 18 * y * c * c), 1e-7 * w * w) << w << " at " << t;
    }
  }
}

TEST(NumericsPeriodic, periods_share_their_series) {
  const auto f = [](double t) { return std::exp(std::cos(2 * pi * t)); };
  const PiecewisePolynomial one = fit(f, 0, 1);
  const PiecewisePolynomial p = repeated(one, 1000);
  EXPECT_EQ(p.coefficients, one.coefficients);
  EXPECT_EQ(p.pieces(), 1000 * one.pieces());
  EXPECT_EQ(p.knots.back(), 1000);
  EXPECT_TRUE(std::is_sorted(p.knots.begin(), p.knots.end()));
  for (int i = 0; i < p.pieces(); ++i) ASSERT_EQ(p.of_piece(i) - p.coefficients.data(), (i % one.pieces()) * (p.degree + 1));
}

// In the middle of periods as the fit has found them, and between them.
TEST(NumericsPeriodic, breakpoints_come_again) {
  const auto times = [](const Function& f, double duration) { return repeated(fit(f, 0, 1), duration).breakpoints; };
  EXPECT_EQ(times([](double t) { return std::abs(std::sin(pi * t)); }, 4), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(times([](double t) { return t - std::floor(t) < 0.25 ? 1.0 : 0.0; }, 2.1), (std::vector<double>{0.25, 1, 1.25, 2}));
  // A third of a second three times: the end of the last period is the end, however it is rounded.
  const auto third = [](double t) { return std::abs(std::sin(3 * pi * t)); };
  EXPECT_EQ(repeated(fit(third, 0, 1.0 / 3), 1).breakpoints.size(), 2u);
  EXPECT_EQ(repeated(fit(third, 0, std::nextafter(1.0 / 3, 0)), 1).breakpoints.size(), 2u);
}

// Evaluations do not grow with the number of periods.
TEST(NumericsPeriodic, a_realization_is_fitted_in_its_first_period_alone) {
  const auto wave = [](double w) { return [=](double t) { return std::tanh(3 * std::sin(w * t)); }; };
  for (const double periods : {2.0, 64.0, 640.0}) {
    const PiecewisePolynomial nominal = repeated(fit(wave(2 * pi * periods), 0, 1 / periods), 1);
    const double f = 1.07 * periods;
    const auto like = first_period(nominal, 1 / f);
    ASSERT_TRUE(like);
    EXPECT_EQ(like->knots.back(), 1 / f);
    long points = 0;
    const ValuesAt values = [&](std::span<const double> t, std::span<double> y) {
      points += long(t.size());
      std::transform(t.begin(), t.end(), y.begin(), wave(2 * pi * f));
    };
    const auto one = refit(values, *like);
    ASSERT_TRUE(one);
    EXPECT_LT(points, 1500) << periods;
    EXPECT_LT(one->pieces(), 50) << periods;
    const PiecewisePolynomial p = repeated(*one, 1);
    double worst = 0;
    for (int i = 0; i <= 3000; ++i) worst = std::max(worst, std::abs(evaluate(p, i / 3000.0).f - wave(2 * pi * f)(i / 3000.0)));
    EXPECT_LT(worst, 3e-12) << periods;  // the rounding of 2π f t, 4300 rad, times the slope, 3: 1.5e-12
  }
  EXPECT_FALSE(first_period(fit(wave(1), 0, 1), 1)) << "that was not made of periods";
}

// The series of a period are the first ones times a factor; what has faded away has no breakpoints.
TEST(NumericsPeriodic, periods_may_grow_or_decay) {
  for (const double growth : {-30.0, -0.5, 0.5}) {
    const auto f = [=](double t) { return std::exp(growth * t) * (2 + std::abs(std::sin(pi * t))); };
    const PiecewisePolynomial one = fit(f, 0, 1), p = repeated(one, 20.3, growth);
    EXPECT_GT(p.pieces(), 20 * one.pieces());
    EXPECT_EQ(p.of_period, one.pieces());
    EXPECT_TRUE(p.series.empty());
    const double size = std::max(3.0, 3 * std::exp(20.3 * growth));
    for (int i = 0; i <= 2000; ++i) {
      const double t = 20.3 * i / 2000;
      ASSERT_NEAR(evaluate(p, t).f, f(t), 1e-13 * size) << growth << " at " << t;
    }
    if (growth == -30)
      EXPECT_TRUE(p.breakpoints.empty()) << "a kink of exp(-30) of the size";
    else
      EXPECT_EQ(p.breakpoints.size(), 20u) << growth;
    const auto first = first_period(p, 2);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->coefficients, one.coefficients);
    EXPECT_EQ(first->knots.back(), 2);
  }
}

TEST(NumericsPeriodic, breakpoints_move_with_the_period) {
  const PiecewisePolynomial nominal = repeated(fit([](double t) { return t < 0.25 ? 1.0 : 0.0; }, 0, 1), 3);
  const auto like = first_period(nominal, 0.5);
  ASSERT_TRUE(like);
  EXPECT_EQ(like->knots.front(), 0);
  EXPECT_EQ(like->knots.back(), 0.5);
  EXPECT_EQ(like->breakpoints, std::vector<double>{0.125});
}

TEST(NumericsPeriodic, too_many_periods_are_refused) {
  const PiecewisePolynomial one = fit([](double t) { return std::sin(2e9 * pi * t); }, 0, 1e-9);
  try {
    repeated(one, 1);
    FAIL();
  } catch (const std::domain_error& e) {
    EXPECT_EQ(std::string(e.what()),
              "the function of time needs more than 200000 pieces: 1e+09 periods of " + std::to_string(one.pieces()));
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
