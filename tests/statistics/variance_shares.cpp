// Shares of the variance by cause, against functions whose Sobol indices are known in closed form.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <vector>

#include "analysis/shares.hpp"
#include "support/sample_tests.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using Point = std::array<double, 3>;

// A function of three independent quantities, at times and in channels, with the indices it has.
struct Case {
  std::vector<double> times;
  int channels = 1;
  std::function<double(Stream&)> draw;
  std::function<double(const Point&, std::size_t time, int channel)> f;

  std::vector<double> at(const Point& x) const {
    std::vector<double> out;
    for (std::size_t t = 0; t < times.size(); ++t)
      for (int c = 0; c < channels; ++c) out.push_back(f(x, t, c));
    return out;
  }
  Point sample(std::uint64_t seed, long k, std::uint64_t replicate) const {
    Point x;
    for (std::size_t i = 0; i < 3; ++i) {
      Stream s(seed, std::uint64_t(k), i, replicate);
      x[i] = draw(s);
    }
    return x;
  }
  ShareEstimator estimator() const { return {{"one", "two", "three"}, times, channels}; }
};

// `failing`: which of f(A), f(B), f(A_1), … fails in this realization; −1: none.
void add(ShareEstimator& e, const Case& m, std::uint64_t seed, long k, int failing = -1, bool by_value = false) {
  const Point a = m.sample(seed, k, 0), b = m.sample(seed, k, 1);
  const auto values = [&](const Point& x, int part) {
    std::vector<double> v = m.at(x);
    if (part == failing && by_value) v.back() = std::numeric_limits<double>::quiet_NaN();
    if (part == failing && !by_value) v.clear();
    return v;
  };
  const auto ok = [&](int part) { return part != failing || by_value; };
  e.begin(ok(0), values(a, 0));
  e.second(ok(1), values(b, 1));
  for (int g = 0; g < 3; ++g) {
    Point ag = a;
    ag[std::size_t(g)] = b[std::size_t(g)];
    e.group(g, ok(2 + g), values(ag, 2 + g));
  }
}

results::SobolIndices study(const Case& m, std::uint64_t seed, long n) {
  ShareEstimator e = m.estimator();
  for (long k = 0; k < n; ++k) add(e, m, seed, k);
  return e.finish();
}

// Ishigami & Homma (1990), a = 7, b = 0.1: sin x1 + a sin² x2 + b x3⁴ sin x1 with x uniform in (−π, π).
Case ishigami() {
  return {{0},
          1,
          [](Stream& s) { return std::numbers::pi * (2 * s.uniform() - 1); },
          [](const Point& x, std::size_t, int) {
            return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) + 0.1 * std::pow(x[2], 4) * std::sin(x[0]);
          }};
}
struct Indices {
  Point first, total;
};
Indices ishigami_indices() {
  const double a = 7, b = 0.1, p4 = std::pow(std::numbers::pi, 4), p8 = p4 * p4;
  const double v = a * a / 8 + b * p4 / 5 + b * b * p8 / 18 + 0.5;
  const double v1 = 0.5 * std::pow(1 + b * p4 / 5, 2), v2 = a * a / 8, v13 = 8 * b * b * p8 / 225;
  return {{v1 / v, v2 / v, 0}, {(v1 + v13) / v, v2 / v, v13 / v}};
}

// a(t) X1 + b(t) X2 + c(t) X1 X2 of standard normal X: variances a², b² and c² of the product, which belongs to both; channel 1
// has a and b exchanged. X3 does nothing. At t = 0 nothing scatters.
double a_of(double t) { return std::sin(t); }
double b_of(double t) { return t; }
double c_of(double t) { return 0.5 * t * t; }
Case moving() {
  Case m;
  for (int i = 0; i <= 20; ++i) m.times.push_back(0.0025 * i * i);  // uneven steps
  m.channels = 2;
  m.draw = [](Stream& s) { return s.normal(); };
  m.f = [times = m.times](const Point& x, std::size_t i, int channel) {
    const double t = times[i], first = x[std::size_t(channel)], second = x[std::size_t(1 - channel)];
    return a_of(t) * first + b_of(t) * second + c_of(t) * first * second;
  };
  return m;
}

TEST(VarianceShares, of_the_ishigami_function) {
  const results::SobolIndices s = study(ishigami(), 21, 20000);
  const Indices exact = ishigami_indices();
  EXPECT_EQ(s.realizations, 20000);
  EXPECT_EQ(s.groups, (std::vector<std::string>{"one", "two", "three"}));
  for (std::size_t g = 0; g < 3; ++g) {
    const auto& of = s.of[0][g];
    // Five standard errors: 6e-7 each.
    EXPECT_NEAR(of.integrated_first.value, exact.first[g], five_sigma * of.integrated_first.error) << g;
    EXPECT_NEAR(of.integrated_total.value, exact.total[g], five_sigma * of.integrated_total.error) << g;
    EXPECT_LT(of.integrated_first.error, 0.03) << g;
    EXPECT_LT(of.integrated_total.error, 0.03) << g;
    // One instant: shares over time are shares at it. Round-off.
    EXPECT_NEAR(of.first[0], of.integrated_first.value, 1e-14);
    EXPECT_NEAR(of.total[0], of.integrated_total.value, 1e-14);
  }
}

TEST(VarianceShares, over_time_and_at_each_time) {
  const Case m = moving();
  const long n = 5000;
  const results::SobolIndices s = study(m, 22, n);
  for (int channel = 0; channel < 2; ++channel) {
    double v = 0, first[3] = {}, total[3] = {};
    for (std::size_t i = 0; i < m.times.size(); ++i) {
      const double t = m.times[i], aa = std::pow(a_of(t), 2), bb = std::pow(b_of(t), 2), cc = std::pow(c_of(t), 2);
      const double of_first[3] = {channel ? bb : aa, channel ? aa : bb, 0};
      const double left = i > 0 ? t - m.times[i - 1] : 0, right = i + 1 < m.times.size() ? m.times[i + 1] - t : 0;
      const double w = (left + right) / 2;  // the same rule, so that sampling is the only difference
      v += w * (aa + bb + cc);
      for (std::size_t g = 0; g < 3; ++g) {
        first[g] += w * of_first[g];
        total[g] += w * (of_first[g] + (g < 2 ? cc : 0));
        const auto& of = s.of[std::size_t(channel)][g];
        if (i == 0) {
          EXPECT_TRUE(std::isnan(of.first[0]) && std::isnan(of.total[0]));
          continue;
        }
        // The error at one time is that of the integral within a factor of two: ten of these are five standard errors at least.
        EXPECT_NEAR(of.first[i], of_first[g] / (aa + bb + cc), 2 * five_sigma * of.integrated_first.error + 1e-12) << i;
        EXPECT_NEAR(of.total[i], (of_first[g] + (g < 2 ? cc : 0)) / (aa + bb + cc),
                    2 * five_sigma * of.integrated_total.error + 1e-12)
            << i;
      }
    }
    for (std::size_t g = 0; g < 3; ++g) {  // five standard errors: 6e-7 each; X3 has none
      const auto& of = s.of[std::size_t(channel)][g];
      EXPECT_NEAR(of.integrated_first.value, first[g] / v, five_sigma * of.integrated_first.error) << channel << g;
      EXPECT_NEAR(of.integrated_total.value, total[g] / v, five_sigma * of.integrated_total.error) << channel << g;
    }
    EXPECT_EQ(s.of[std::size_t(channel)][2].integrated_total.value, 0);
    EXPECT_EQ(s.of[std::size_t(channel)][2].integrated_total.error, 0);
  }
}

TEST(VarianceShares, standard_errors_are_the_scatter_of_estimates) {
  const Case m = ishigami();
  const Indices exact = ishigami_indices();
  const int studies = 1000;
  const long n = 200;
  for (const bool of_first : {true, false})
    for (std::size_t g = 0; g < 3; ++g) {
      double mean = 0, square = 0, stated = 0;
      for (int k = 0; k < studies; ++k) {
        static std::vector<results::SobolIndices> all;  // the same studies for all indices
        if (all.size() <= std::size_t(k)) all.push_back(study(m, 1000 + std::uint64_t(k), n));
        const auto& of = all[std::size_t(k)].of[0][g];
        const results::Estimate e = of_first ? of.integrated_first : of.integrated_total;
        mean += e.value / studies;
        square += e.value * e.value / studies;
        stated += e.error / studies;
      }
      const double scatter = std::sqrt(square - mean * mean);
      // A standard deviation of 1000 nearly normal values is known to 1/√2000 = 2.2 %; five of these are 11 % (6e-7). The ratio's
      // linearization leaves out terms of relative size 1/n = 0.5 %.
      EXPECT_NEAR(stated / scatter, 1, 0.12) << of_first << g;
      // The bias of a ratio is of order 1/n of its value; beside five standard errors of the mean.
      EXPECT_NEAR(mean, of_first ? exact.first[g] : exact.total[g], five_sigma * scatter / std::sqrt(studies) + 1.0 / n) << g;
    }
}

TEST(VarianceShares, a_realization_of_which_a_part_failed_is_left_out) {
  const Case m = moving();
  ShareEstimator some = m.estimator(), all = m.estimator();
  for (long k = 0; k < 60; ++k) {
    if (k % 2) add(all, m, 23, k);
    add(some, m, 23, k, k % 2 ? -1 : int(k / 2 % 5), k % 4 == 0);
  }
  EXPECT_EQ(some.finish().realizations, 30);
  std::vector<double> a, b;
  some.save(a);
  all.save(b);
  EXPECT_EQ(a, b);
}

TEST(VarianceShares, none_and_one_say_so) {
  const Case m = ishigami();
  EXPECT_TRUE(std::isnan(m.estimator().finish().of[0][0].integrated_first.value));
  EXPECT_TRUE(std::isnan(study(m, 24, 1).of[0][0].integrated_total.error));
}

TEST(VarianceShares, go_on_from_a_saved_state_bitwise) {
  const Case m = moving();
  ShareEstimator whole = m.estimator(), first = m.estimator(), second = m.estimator();
  for (long k = 0; k < 50; ++k) add(whole, m, 25, k);
  for (long k = 0; k < 17; ++k) add(first, m, 25, k);
  std::vector<double> saved, a, b;
  first.save(saved);
  saved.push_back(-1);
  StateReader reader(saved);
  second.load(reader);
  EXPECT_EQ(reader.number(), -1);  // what follows
  for (long k = 17; k < 50; ++k) add(second, m, 25, k);
  whole.save(a);
  second.save(b);
  EXPECT_EQ(a, b);
  EXPECT_EQ(whole.finish().of[1][0].integrated_first.error, second.finish().of[1][0].integrated_first.error);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
