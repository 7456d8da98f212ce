// Every method of propagation against closed forms. A mass of 1 kg on a spring, released from a distance A:
//   x(t) = A (cos(√k t) − 1)
// with the stiffness k uniform between a² and b², and A, if random, uniform and independent of it. With s = √k,
//   E cos(√k t) = 2/(b² − a²) [s sin(st)/t + cos(st)/t²]ₐᵇ,   E cos² = ½ + ½ E cos(√k 2t).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "program.hpp"
#include "results/read.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double amplitude = 0.1, lower = 80, upper = 120;

// RK4 with ωh = 0.02 over ωT = 11 rad is off by ωT (ωh)⁴/120 = 1.5e-8 of the amplitude.
constexpr double truncation = 2e-9;

std::string model(const std::string& study, const std::string& uncertain = "  k: {uniform: {lower: 80, upper: 120}}\n") {
  return "parameters: {k: 100, A: 0.1}\n"
         "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1}\n"
         "joints:\n  slide: {prismatic: [ground, a], axis: x, spring: {stiffness: k, rest: -A}}\n"
         "outputs:\n  x: {coordinate: slide}\n"
         "simulation: {duration: 1, step: 2e-3, output_step: 0.05, integrator: runge-kutta}\n"
         "uncertain:\n" +
         uncertain + "study: {" + study + "}\n";
}

double mean_cos(double t) {
  if (t == 0) return 1;
  const auto at = [&](double s) { return s * std::sin(s * t) / t + std::cos(s * t) / (t * t); };
  return 2 * (at(std::sqrt(upper)) - at(std::sqrt(lower))) / (upper - lower);
}
// Of g = cos(√k t) − 1.
double mean_g(double t) { return mean_cos(t) - 1; }
double square_g(double t) { return (1 + mean_cos(2 * t)) / 2 - 2 * mean_cos(t) + 1; }
double variance_g(double t) { return std::max(0.0, square_g(t) - mean_g(t) * mean_g(t)); }

struct Statistics {
  std::vector<double> times, mean, std, mean_error, std_error;
  double largest() const { return *std::max_element(std.begin(), std.end()); }
};

Statistics run(const std::string& text, const std::vector<std::string>& extra = {}) {
  const Folder folder;
  folder.write("m.yaml", text);
  std::vector<std::string> arguments = {"run", "m.yaml"};
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  const Outcome o = aleator(arguments, folder.path());
  EXPECT_EQ(o.code, 0) << o.err;
  const results::StudyReader r(folder / "out/m");
  return {r.numbers("/time"), r.numbers("/statistics/x/mean"), r.numbers("/statistics/x/std"),
          r.numbers("/statistics/x/mean_error"), r.numbers("/statistics/x/std_error")};
}

// All times, within tolerances for mean and standard deviation.
void expect_exact(const Statistics& s, double of_mean, double of_std, const std::string& what) {
  ASSERT_EQ(s.times.size(), 21u);
  for (size_t i = 0; i < s.times.size(); ++i) {
    const double t = s.times[i];
    EXPECT_NEAR(s.mean[i], amplitude * mean_g(t), of_mean) << what << " t = " << t;
    EXPECT_NEAR(s.std[i], amplitude * std::sqrt(variance_g(t)), of_std) << what << " t = " << t;
  }
}

// A quadrature of order p integrates Legendre polynomials up to degree 2p + 1 exactly. The phase √k t varies by ±1 rad at most, so
// that cos has coefficients below ½^n/n!: the mean is off by ½^14/14! < 1e-15, the standard deviation by the terms left out, of
// degree 7 and more, ½^7/7! = 1.6e-6 of the amplitude in quadrature: below 1e-10. What is left is the truncation of the motion, and
// near t = 0 the root of a difference of nearly equal numbers.
TEST(Propagation, by_quadrature) {
  const double s0 = 1e-8;  // √round-off of variances of 1e-16 A²
  expect_exact(run(model("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 6}")), truncation, truncation + s0,
               "tensor");
  expect_exact(run(model("method: polynomial-chaos, chaos: {coefficients: sparse-quadrature, order: 6}")), truncation,
               truncation + s0, "sparse");
  // of order 1, two points, it is visibly wrong: the tolerance can fail
  const Statistics two = run(model("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 1}"));
  double worst = 0;
  for (size_t i = 0; i < two.times.size(); ++i)
    worst = std::max(worst, std::abs(two.std[i] - amplitude * std::sqrt(variance_g(two.times[i]))));
  EXPECT_GT(worst, 1e-5);
}

// Least squares at 40 points of degree 10: what is left out, ½^11/11! = 1e-11, is amplified by little. A sparse fit keeps all but
// 1e-10 of the variance over time, 1e-5 of the standard deviation, in its principal components, and leaves out terms that
// do not lower its error: ten times that.
TEST(Propagation, by_fits) {
  expect_exact(run(model("method: polynomial-chaos, samples: 40, chaos: {coefficients: least-squares, order: 10}")),
               10 * truncation, 10 * truncation + 1e-8, "least squares");
  for (const char* design : {"sobol", "halton", "latin-hypercube", "monte-carlo"}) {
    const Statistics s =
        run(model("method: polynomial-chaos, samples: 60, chaos: {coefficients: sparse, design: " + std::string(design) + "}"));
    expect_exact(s, 1e-4 * s.largest(), 1e-4 * s.largest(), design);
  }
}

// Five stated errors of independent realizations: 6e-7 at one of the few independent times.
TEST(Propagation, by_monte_carlo) {
  const Statistics s = run(model("method: monte-carlo, samples: 2000"));
  for (size_t i = 1; i < s.times.size(); ++i) {
    EXPECT_NEAR(s.mean[i], amplitude * mean_g(s.times[i]), 5 * s.mean_error[i]) << i;
    EXPECT_NEAR(s.std[i], amplitude * std::sqrt(variance_g(s.times[i])), 5 * s.std_error[i]) << i;
    EXPECT_NEAR(s.mean_error[i], s.std[i] / std::sqrt(2000), 1e-12);
  }
}

// One variable, smooth: errors of n = 512 stratified points are of order σ/n^1.5 = 1e-4 σ (Sobol in 8 parts of 64: 1/√8 · 64^−1.5 = 7e-4);
// of shifted Halton points 1/64/√8 = 5e-3. Five times that. Dividing by n − 1, as for independent values, adds 1/2n to the spread.
TEST(Propagation, by_even_sampling) {
  for (const auto& [method, tolerance] : {std::pair{"latin-hypercube", 5e-4}, {"sobol", 3.5e-3}, {"halton", 2.5e-2}}) {
    const Statistics s = run(model(std::string("samples: 512, method: ") + method));
    expect_exact(s, tolerance * s.largest(), (tolerance + 1.0 / 1024) * s.largest() + 1e-8, method);
  }
}

// Linearised: mean x at the mean of k, standard deviation |dx/dk| σ_k with dx/dk = −A t sin(√k t)/(2√k). Central differences over
// δ = 0.05 σ_k = 0.58 are off by δ²/6 |d³x/dk³| ≤ δ²/6 A (t/2√k)³ (1 + small) = 7e-7; mean and σ_k come from 16384 points of a
// scrambled sequence: 1e-6 of k, and so of the phase, and 1e-5 of σ_k.
TEST(Propagation, to_first_order) {
  const Statistics s = run(model("method: first-order"));
  const double sigma = (upper - lower) / std::sqrt(12);
  for (size_t i = 0; i < s.times.size(); ++i) {
    const double t = s.times[i], slope = -amplitude * t * std::sin(10 * t) / 20;
    EXPECT_NEAR(s.mean[i], amplitude * (std::cos(10 * t) - 1), 1e-6) << t;
    EXPECT_NEAR(s.std[i], std::abs(slope) * sigma, 7e-7 * sigma + 1e-5 * amplitude) << t;
  }
  // what it leaves out, curvature, is larger than that by far
  EXPECT_GT(std::abs(s.mean.back() - amplitude * mean_g(1)), 1e-3);
}

// With levels of coarser steps: within five stated errors, which the pilot of 32 pairs knows well enough.
TEST(Propagation, by_levels) {
  for (const char* method : {"control-variate", "multilevel"}) {
    const Statistics s = run(model(std::string("samples: 400, method: ") + method));
    for (size_t i = 1; i < s.times.size(); ++i) {
      EXPECT_NEAR(s.mean[i], amplitude * mean_g(s.times[i]), 5 * s.mean_error[i] + truncation) << method << i;
      EXPECT_NEAR(s.std[i], amplitude * std::sqrt(variance_g(s.times[i])), 5 * s.std_error[i] + truncation) << method << i;
      EXPECT_LT(s.mean_error[i], 1.05 * s.std[i] / std::sqrt(400)) << method << i;  // no worse than sampling at that cost
    }
  }
}

// Of a product A g(k) of independent factors, with α = E A, v = var A, and mean and variance of g:
//   V = (α² + v) E g² − α² (E g)²,   V_A = v (E g)²,   V_k = α² var g,   total = 1 − the first of the other.
struct Indices {
  double A, k, V;
};
Indices indices(double t) {
  const double alpha = amplitude, v = std::pow(0.08, 2) / 12;
  const double V = (alpha * alpha + v) * square_g(t) - std::pow(alpha * mean_g(t), 2);
  return {v * mean_g(t) * mean_g(t) / V, alpha * alpha * variance_g(t) / V, V};
}

TEST(Propagation, shares_of_the_variance) {
  const std::string both = "  A: {uniform: {lower: 0.06, upper: 0.14}}\n  k: {uniform: {lower: 80, upper: 120}}\n";
  const auto shares = [&](const std::string& study, const auto& look, double of_std) {
    const Folder folder;
    folder.write("m.yaml", model(study, both));
    const Outcome o = aleator({"run", "m.yaml"}, folder.path());
    ASSERT_EQ(o.code, 0) << o.err;
    const results::StudyReader r(folder / "out/m");
    EXPECT_EQ(r.texts_attribute("/sobol", "groups"), (std::vector<std::string>{"A", "k"}));
    const std::vector<double> time = r.numbers("/time"), first = r.numbers("/sobol/x/first"), total = r.numbers("/sobol/x/total"),
                              std = r.numbers("/statistics/x/std");
    const size_t n = time.size();
    for (size_t i = 1; i < n; ++i) {
      const Indices exact = indices(time[i]);
      EXPECT_NEAR(std[i], std::sqrt(exact.V), of_std) << study << time[i];
      look(r, i, first[i], exact.A), look(r, i, first[n + i], exact.k);
      look(r, i, total[i], 1 - exact.k), look(r, i, total[n + i], 1 - exact.A);
    }
  };
  const auto near = [](double tolerance) {
    return [=](const results::StudyReader&, size_t i, double found, double exact) { EXPECT_NEAR(found, exact, tolerance) << i; };
  };
  // x is linear in A: a quadrature of order 6 is exact in it; shares at 0.05 s, where V = 1e-7, lose the digits of the truncation
  shares("method: polynomial-chaos, chaos: {coefficients: quadrature, order: 6}", near(1e-5), 1e-8);
  shares("method: polynomial-chaos, chaos: {coefficients: sparse-quadrature, order: 7}", near(1e-5), 1e-8);
  shares("method: polynomial-chaos, samples: 300, chaos: {coefficients: least-squares, order: 9}", near(1e-5), 1e-7);
  shares("method: polynomial-chaos, samples: 300", near(1e-3), 1e-5);
  // By pairs: pick-freeze with 2000 has standard errors of at most 1/√2000 · 2 = 0.04; five of them
  shares("method: monte-carlo, samples: 2000, sensitivity: true", near(0.2), 0.003);
  shares("method: sobol, samples: 2048, sensitivity: true", near(0.1), 0.001);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
