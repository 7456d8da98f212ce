// How fast the mean of n realizations approaches the exact one, by sampling method, for a smooth and a discontinuous response;
// and whether the errors that studies state are the errors they make.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

#include "analysis/accumulate.hpp"
#include "design/design.hpp"
#include "design/latin_hypercube.hpp"
#include "design/low_discrepancy.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

using Point = std::vector<double>;

// A response of d uniform numbers, with its mean.
struct Response {
  int dimension;
  std::function<double(const Point&)> f;
  double mean;
};

// ∏ e^u / (e − 1): analytic, mean 1, all interactions.
Response smooth(int d) {
  return {d,
          [](const Point& u) {
            double product = 1;
            for (const double x : u) product *= std::exp(x) / (std::numbers::e - 1);
            return product;
          },
          1};
}

// Σ e^u: additive.
Response additive(int d) {
  return {d,
          [](const Point& u) {
            double sum = 0;
            for (const double x : u) sum += std::exp(x);
            return sum;
          },
          d * (std::numbers::e - 1)};
}

// 1 inside the quarter disc u² + v² < 1.
Response disc() {
  return {2, [](const Point& u) { return u[0] * u[0] + u[1] * u[1] < 1 ? 1.0 : 0.0; }, std::numbers::pi / 4};
}

// 1 below the plane u1 + u2 + u3 < 1, not along any axis.
Response corner() {
  return {3, [](const Point& u) { return u[0] + u[1] + u[2] < 1 ? 1.0 : 0.0; }, 1.0 / 6};
}

std::vector<std::uint64_t> keys_of(int d) {
  std::vector<std::uint64_t> keys;
  for (int i = 0; i < d; ++i) keys.push_back(quantity_key("sampling " + std::to_string(i)));
  return keys;
}

// The design as a study would make it; R randomisations of sequences.
std::unique_ptr<Design> design_of(const std::string& method, std::uint64_t seed, long n, int d, int replicates) {
  if (method == "latin-hypercube") return std::make_unique<LatinHypercube>(seed, std::vector<long>{n}, keys_of(d));
  if (method == "sobol" || method == "halton")
    return std::make_unique<LowDiscrepancy>(method, seed, n, replicates, keys_of(d), 1);
  return std::make_unique<PlainDesign>();
}

Point point_of(const Design& design, std::uint64_t seed, long k, int d) {
  static const std::vector<std::uint64_t> keys = keys_of(8);
  Point u;
  for (int v = 0; v < d; ++v) u.push_back(design.at(v, 0, k, Stream(seed, std::uint64_t(k), keys[std::size_t(v)], 0).uniform()));
  return u;
}

double estimate(const std::string& method, const Response& r, std::uint64_t seed, long n) {
  const auto design = design_of(method, seed, n, r.dimension, 1);
  double sum = 0;
  for (long k = 0; k < n; ++k) sum += r.f(point_of(*design, seed, k, r.dimension));
  return sum / double(n);
}

constexpr int seeds = 50;

double rms_error(const std::string& method, const Response& r, long n) {
  double square = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) square += std::pow(estimate(method, r, seed, n) - r.mean, 2) / seeds;
  return std::sqrt(square);
}

// From 64 to 4096 realizations: log₂ of the ratio of errors over log₂ 64. An rms of 50 nearly normal errors is known to 10 %, the
// ratio of two to 14 %: five of these are a factor of 1.7, which makes the rate uncertain by log₂(1.7)/6 = 0.13.
constexpr double rate_tolerance = 0.13;
double rate(const std::string& method, const Response& r) {
  return std::log2(rms_error(method, r, 64) / rms_error(method, r, 4096)) / 6;
}

TEST(SamplingConvergence, monte_carlo_goes_with_the_root_whatever_the_response) {
  for (const Response& r : {smooth(3), additive(3), disc(), corner()}) EXPECT_NEAR(rate("monte-carlo", r), 0.5, rate_tolerance);
  // and its error is σ/√n: of the disc σ² = p(1 − p)
  const double p = disc().mean;
  EXPECT_NEAR(rms_error("monte-carlo", disc(), 1024) / std::sqrt(p * (1 - p) / 1024), 1, 0.5);  // five times 10 %
}

TEST(SamplingConvergence, a_latin_hypercube_is_better_for_sums) {
  // Each variable is a stratified sample of its own: n^(−3/2) of the additive part (Stein 1987).
  EXPECT_NEAR(rate("latin-hypercube", additive(3)), 1.5, rate_tolerance);
  // Interactions converge as by Monte Carlo, with what is not additive of the variance alone: of ∏ e^u/(e − 1) each factor has
  // variance v = (e+1)/(2(e−1)) − 1, all together (1+v)³ − 1, the additive part 3v.
  EXPECT_NEAR(rate("latin-hypercube", smooth(3)), 0.5, rate_tolerance);
  const double v = (std::numbers::e + 1) / (2 * (std::numbers::e - 1)) - 1, rest = std::pow(1 + v, 3) - 1 - 3 * v;
  EXPECT_NEAR(rms_error("latin-hypercube", smooth(3), 1024) / std::sqrt(rest / 1024), 1, 0.5);  // five times 10 %
}

TEST(SamplingConvergence, scrambled_sobol_goes_with_three_halves_for_smooth_responses) {
  // n^(−3/2) times logarithms (Owen 1997), which make the observed rate lower with more variables: (log n)^((d−1)/2) between 64
  // and 4096 is 2^((d−1)/2): 0.08 for d = 2, 0.17 for d = 3 of the rate.
  EXPECT_NEAR(rate("sobol", smooth(2)), 1.5, rate_tolerance + 0.08);
  EXPECT_NEAR(rate("sobol", smooth(3)), 1.5, rate_tolerance + 0.17);
  EXPECT_NEAR(rate("sobol", additive(4)), 1.5, rate_tolerance);
  // at 4096 realizations a hundred times better than Monte Carlo
  EXPECT_LT(rms_error("sobol", smooth(3), 4096), 0.01 * rms_error("monte-carlo", smooth(3), 4096));
}

TEST(SamplingConvergence, scrambled_sobol_of_a_jump) {
  // n^(−1/2 − 1/(2d)) where the boundary runs along no axis (He & Wang 2015): 0.75 in two variables, 0.67 in three.
  EXPECT_NEAR(rate("sobol", disc()), 0.75, rate_tolerance);
  EXPECT_NEAR(rate("sobol", corner()), 2.0 / 3, rate_tolerance);
}

TEST(SamplingConvergence, halton_goes_with_one_over_n) {
  // (log n)^d/n at worst, in two variables between 64 and 4096 a factor of up to four: 2/6 of the rate; 1 at best. Counts of 64
  // and 4096 are no multiples of powers of 3, so that nothing cancels by luck in the second variable.
  const double observed = rate("halton", smooth(2));
  EXPECT_GT(observed, 1 - 2.0 / 6 - rate_tolerance);
  EXPECT_LT(observed, 1 + rate_tolerance);
  EXPECT_LT(rms_error("halton", smooth(2), 4096), 0.1 * rms_error("monte-carlo", smooth(2), 4096));
}

// Statements of a study with R = 8 randomisations: how often the exact mean lies within two stated errors.
struct Calibration {
  double within = 0, ratio = 0;  // share of the seeds; rms of (error made)/(rms of errors stated)
};
Calibration calibrate(const std::string& method, const Response& r, long n, int replicates) {
  constexpr int studies = 400;
  int within = 0;
  double made = 0, stated = 0;
  for (std::uint64_t seed = 1; seed <= studies; ++seed) {
    const auto design = design_of(method, seed, n, r.dimension, replicates);
    analysis::StatisticsRequest q;
    q.times = {0};
    q.channels = {"f"};
    q.nominal = {0};
    q.replicates = design->replicates();
    q.samples = n;
    analysis::Accumulator statistics(q);
    for (long k = 0; k < n; ++k) {
      const double y = r.f(point_of(*design, seed, k, r.dimension));
      statistics.add(true, {&y, 1});
    }
    const results::StudyStatistics s = statistics.moments();
    const double error = s.channels[0].mean[0] - r.mean, claimed = s.channels[0].mean_error[0];
    within += std::abs(error) <= 2 * claimed;
    made += error * error, stated += claimed * claimed;
  }
  return {double(within) / studies, std::sqrt(made / stated)};
}

// With R randomisations the ratio of error to their scatter has Student's law of R − 1 = 7 degrees of freedom; the stated error is 1.216
// times the scatter, such that the error made is within two of it with probability 0.954, as of independent realizations. A share of
// 400 is known to √(p(1−p)/400) = 0.010: five of these, false alarm 6e-7. The rms errors agree to 1/√800 = 3.5 % of 400 errors made and
// 400 stated ones with 7 degrees of freedom each (1/√5600 = 1.3 %): five times 3.8 % is 0.19.
TEST(SamplingConvergence, stated_errors_are_the_errors_made) {
  for (const Response& r : {smooth(3), disc()}) {
    for (const char* method : {"sobol", "halton"}) {
      const Calibration c = calibrate(method, r, 512, 8);
      EXPECT_NEAR(c.within, 0.954, 0.05) << method;
      EXPECT_NEAR(c.ratio, 1 / 1.216, 0.19) << method;
    }
    const Calibration c = calibrate("monte-carlo", r, 512, 1);
    EXPECT_NEAR(c.within, 0.954, 0.05);
    EXPECT_NEAR(c.ratio, 1, 0.19);
  }
}

// Of a Latin hypercube they are stated as of independent realizations: too large, never too small.
TEST(SamplingConvergence, stated_errors_of_a_hypercube_are_on_the_safe_side) {
  const Calibration c = calibrate("latin-hypercube", smooth(3), 256, 1);
  EXPECT_GT(c.within, 0.99);
  EXPECT_LT(c.ratio, 0.6);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
