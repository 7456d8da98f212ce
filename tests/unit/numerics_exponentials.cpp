// Sines and exponentials of time on given pieces: in closed form, as accurate as a fit.
#include "numerics/exponentials.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace aleator::core {
namespace ALEATOR_FILE {

using Function = std::function<double(double)>;
constexpr double pi = std::numbers::pi;

Exponentials wave(double amplitude, double w, double phase, double decay = 0) {
  return {0, 0, {{std::polar(amplitude, phase - pi / 2), {-decay, w}}}};
}

// Values to 1e-12 of the size of the function, as those of a fit; derivatives with n² and n⁴/3 times the rounding of values, n = 16.
void expect_follows(const PiecewisePolynomial& p, const Function& f, double size) {
  double worst = 0;
  for (int i = 0; i <= 20000; ++i) {
    const double t = p.knots.front() + (p.knots.back() - p.knots.front()) * (i + 0.5) / 20001;
    worst = std::max(worst, std::abs(evaluate(p, t).f - f(t)));
  }
  EXPECT_LT(worst, 1e-12 * size);
}

TEST(NumericsExponentials, a_fast_sine_keeps_the_knots_of_the_nominal_one) {
  const double T = 3, w = 2 * pi * 640 / T;
  const PiecewisePolynomial nominal = fit([=](double t) { return std::sin(w * t); }, 0, T);
  for (const double faster : {0.93, 1.0, 1.07}) {
    const auto r = refit(wave(1.3, faster * w, 0.3), nominal);
    ASSERT_TRUE(r.has_value());
    EXPECT_EQ(r->knots, nominal.knots);
    EXPECT_TRUE(r->breakpoints.empty());
    expect_follows(
        *r, [=](double t) { return 1.3 * std::sin(faster * w * t + 0.3); }, 1.3);
  }
}

TEST(NumericsExponentials, what_is_much_faster_halves_all_pieces) {
  const PiecewisePolynomial nominal = fit([](double t) { return std::sin(100 * t); }, 0, 5);
  const auto r = refit(wave(1, 390, 0), nominal), s = refit(wave(1, 400, 1), nominal);
  ASSERT_TRUE(r && s);
  EXPECT_GT(r->knots.size(), 2 * nominal.knots.size() - 2);
  EXPECT_EQ(r->knots, s->knots);
  expect_follows(
      *r, [](double t) { return std::sin(390 * t); }, 1);
  EXPECT_FALSE(refit(wave(1, 1e6, 0), nominal).has_value()) << "left to a fit";
}

TEST(NumericsExponentials, lines_decay_and_sums) {
  const auto f = [](double t) { return 2 - 0.5 * t + 1.5 * std::exp(-0.8 * t) * std::sin(40 * t + 1) + 0.2 * std::cos(7 * t); };
  const PiecewisePolynomial nominal = fit(f, 0, 4);
  Exponentials e = wave(1.5, 40, 1, 0.8);
  e.constant = 2, e.slope = -0.5;
  e.terms.push_back(wave(0.2, 7, pi / 2).terms[0]);
  const auto r = refit(e, nominal);
  ASSERT_TRUE(r.has_value());
  EXPECT_EQ(r->knots, nominal.knots);
  expect_follows(*r, f, 3);
  for (const double t : {0.3, 1.7, 3.9}) {
    const double c = std::cos(40 * t + 1), s = std::sin(40 * t + 1), d = 1.5 * std::exp(-0.8 * t);
    EXPECT_NEAR(evaluate(*r, t).d1, -0.5 + d * (40 * c - 0.8 * s) - 1.4 * std::sin(7 * t), 1e-10 * 60);
    EXPECT_NEAR(evaluate(*r, t).d2, d * ((0.64 - 1600) * s - 64 * c) - 9.8 * std::cos(7 * t), 1e-8 * 2400);
  }
}

TEST(NumericsExponentials, powers_of_time) {
  const auto f = [](double t) { return (1 - 2 * t + 0.5 * t * t) * std::exp(-0.3 * t) * std::sin(60 * t) + 3 * t * t * t; };
  const PiecewisePolynomial nominal = fit(f, 0, 4);
  Exponentials e;
  const double amplitude[] = {1, -2, 0.5};
  for (int n = 0; n < 3; ++n) e.terms.push_back({std::complex<double>(0, -amplitude[n]), {-0.3, 60}, n});
  e.terms.push_back({3.0, 0.0, 3});
  const auto r = refit(e, nominal);
  ASSERT_TRUE(r.has_value());
  expect_follows(*r, f, 200);
  EXPECT_FALSE(refit(Exponentials{1, 2, {{3.0, 0.0, 2}}}, nominal).has_value())
      << "polynomials are left to others, of a lower degree";
}

// sin(φ + ωt + qt²) exp(−δt) tⁿ with its first two derivatives.
TEST(NumericsExponentials, sweeps_of_frequency) {
  const auto sweep = [](double w, double q, double d) {
    return Exponentials{0.5, 0, {{std::complex<double>(0, -1), {-d, w}, 0, {0, q}}}};
  };
  const auto f = [](double w, double q, double d) {
    return [=](double t) { return 0.5 + std::exp(-d * t) * std::sin(w * t + q * t * t); };
  };
  for (const double d : {0.0, 0.7}) {
    const PiecewisePolynomial nominal = fit(f(30, 200, d), 0, 3);
    for (const double faster : {0.9, 1.0, 1.2}) {
      const double w = 30 * faster, q = 200 * faster;
      const auto r = refit(sweep(w, q, d), nominal);
      ASSERT_TRUE(r.has_value());
      EXPECT_EQ(r->knots, nominal.knots) << faster;
      // ten times the tolerance, and the rounding of a phase of 2000 rad
      expect_follows(*r, f(w, q, d), 2);
      for (const double t : {0.01, 1.3, 2.9}) {
        const double s = std::sin(w * t + q * t * t), c = std::cos(w * t + q * t * t), v = w + 2 * q * t, e = std::exp(-d * t);
        EXPECT_NEAR(evaluate(*r, t).d1, e * (v * c - d * s), 1e-9 * 1500) << t;
        EXPECT_NEAR(evaluate(*r, t).d2, e * ((d * d - v * v) * s + (2 * q - 2 * d * v) * c), 1e-7 * 1500 * 1500) << t;
      }
    }
    const auto fast = refit(sweep(30, 900, d), nominal);
    ASSERT_TRUE(fast.has_value());
    EXPECT_GT(fast->knots.size(), nominal.knots.size()) << "that is resolved by halves";
    expect_follows(*fast, f(30, 900, d), 4);
    EXPECT_FALSE(refit(sweep(30, 1e7, d), nominal).has_value()) << "left to a fit";
  }
}

TEST(NumericsExponentials, bells_and_powers_of_sweeps) {
  const auto f = [](double t) { return 3 * t * t * std::exp(-2 * (t - 1) * (t - 1)) * std::cos(50 * t * t) + std::sin(9 * t); };
  const PiecewisePolynomial nominal = fit(f, 0, 3);
  const Exponentials e{0, 0, {{3 * std::exp(-2.0), {4.0, 0.0}, 2, {-2.0, 50.0}}, {std::complex<double>(0, -1), {0.0, 9.0}}}};
  const auto r = refit(e, nominal);
  ASSERT_TRUE(r.has_value());
  expect_follows(*r, f, 5);
}

// The bits of a piece are the same whatever its neighbours are.
TEST(NumericsExponentials, a_sweep_does_not_depend_on_the_number_of_pieces) {
  PiecewisePolynomial many{{}, 16, {}, {}}, few{{}, 16, {}, {}};
  for (int i = 0; i <= 100; ++i) many.knots.push_back(i / 64.0);
  few.knots.assign(many.knots.begin() + 13, many.knots.begin() + 60);
  const Exponentials e{0, 0, {{std::complex<double>(0.3, -1), {-0.1, 40}, 0, {-0.05, 30}}}};
  const auto all = refit(e, many), some = refit(e, few);
  ASSERT_TRUE(all && some);
  ASSERT_EQ(some->pieces(), 46);
  for (int i = 0; i < some->pieces(); ++i)
    for (int k = 0; k <= 16; ++k) ASSERT_EQ(some->of_piece(i)[k], all->of_piece(i + 13)[k]) << i << " " << k;
}

TEST(NumericsExponentials, sines_of_the_language_are_in_closed_form) {
  const PiecewisePolynomial nominal = sine(1, 50, 0, 0, 2);
  const PiecewisePolynomial r = sine(1.2, 52, 0.7, 3, 2, &nominal);
  EXPECT_EQ(r.knots, nominal.knots);
  expect_follows(
      r, [](double t) { return 3 + 1.2 * std::sin(2 * pi * 52 * t + 0.7); }, 4.2);
}

TEST(NumericsExponentials, breakpoints_are_left_to_others) {
  const double given[] = {0.5};
  const PiecewisePolynomial kinked = fit([](double t) { return std::sin(t); }, 0, 1, given);
  EXPECT_FALSE(refit(wave(1, 1.1, 0), kinked).has_value());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
