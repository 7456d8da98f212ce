// Likelihoods against those that can be written down: Gaussian processes with gaps, an oscillator with Gamma mass.
#include "inference/likelihood.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "inference_samples.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double log_normal_density(const VectorXd& x, const VectorXd& mean, const MatrixXd& covariance) {
  const MatrixXd root = dense::cholesky_factor(covariance);
  VectorXd u = x - mean;
  dense::solve_lower(root, u);
  return -0.5 * double(x.size()) * std::log(2 * std::numbers::pi) - root.diagonal().array().log().sum() - 0.5 * u.squaredNorm();
}

TEST(Likelihood, of_moments_is_the_normal_density) {
  const VectorXd mean = VectorXd::LinSpaced(3, 1, 2), at = VectorXd::LinSpaced(3, 0.5, 3);
  MatrixXd c(3, 3), noise = MatrixXd::Identity(3, 3) * 0.2;
  c << 2, 0.5, 0.1, 0.5, 1, -0.3, 0.1, -0.3, 0.7;
  MatrixXd x = exact_normals(50, 3, 2) * dense::cholesky_factor(c).transpose();
  x.rowwise() += mean.transpose();
  const double value = log_densities(x, noise, at.transpose(), Density::moments)[0];
  EXPECT_NEAR(value, log_normal_density(at, mean, c + noise), 1e-9);  // round-off, and 1e-12 of the trace
}

// In one dimension the kernel estimate can be integrated: it is a density with the mean and the variance of the sample, plus noise.
TEST(Likelihood, kernel_keeps_mean_and_variance) {
  MatrixXd x(40, 1), at(12001, 1);
  for (int i = 0; i < 40; ++i) x(i, 0) = std::exp(Stream(3, std::uint64_t(i), 1).normal());
  const double mean = x.mean(), variance = (x.array() - mean).square().sum() / 39, noise = 0.1, step = 0.01;
  for (int i = 0; i <= 12000; ++i) at(i, 0) = mean + step * (i - 6000);  // the widest kernels reach far
  const auto logs = log_densities(x, MatrixXd::Constant(1, 1, noise), at, Density::kernel);
  double integral = 0, first = 0, second = 0;
  for (int i = 0; i <= 12000; ++i) {
    const double p = std::exp(logs[i]) * step, d = at(i, 0) - mean;
    integral += p, first += p * d, second += p * d * d;
  }
  // The trapezoidal rule is exact to round-off for sums of such wide normal densities; 1e-12 more variance.
  EXPECT_NEAR(integral, 1, 1e-9);
  EXPECT_NEAR(first, 0, 1e-9);
  EXPECT_NEAR(second, variance + noise, 1e-8);
}

// A stop that most realizations hit: the quartiles are the same number. Then the width is that of the variance, and what lies
// between the two places has the density of both kernels.
TEST(Likelihood, where_most_simulations_are_the_same) {
  const int n = 100, same = 80;
  MatrixXd x(n, 1);
  for (int i = 0; i < n; ++i) x(i, 0) = i < same ? 0 : 1;
  EXPECT_EQ(kernel_widths(x).maxCoeff(), 1);
  EXPECT_EQ(kernel_widths(x).minCoeff(), 1);
  const double h = std::pow(4 / (3.0 * n), 0.2), variance = 0.2 * 0.8 * n / (n - 1);
  // Kernels are drawn together, so that the variance stays: see kernel_widths.
  const double shrink = 1 / std::sqrt(double(n - 1) / n + h * h), s2 = variance * h * h * shrink * shrink, at = 0.5;
  double density = 0;
  for (const double place : {0.0, 1.0}) {
    const double d = at - (0.2 + shrink * (place - 0.2));
    density += (place == 0 ? 0.8 : 0.2) * std::exp(-d * d / (2 * s2)) / std::sqrt(2 * std::numbers::pi * s2);
  }
  const double log = log_densities(x, MatrixXd::Zero(1, 1), MatrixXd::Constant(1, 1, at), Density::kernel)[0];
  EXPECT_NEAR(log, std::log(density), 1e-9);  // round-off, and 1e-12 more variance
}

TEST(Likelihood, is_finite_whatever_is_simulated) {
  const MatrixXd same = MatrixXd::Constant(10, 2, 3.0), none = MatrixXd::Zero(2, 2);
  MatrixXd line(10, 2);  // scatters in one direction only
  for (int i = 0; i < 10; ++i) line.row(i) << i, 2 * i;
  for (const Density d : {Density::kernel, Density::moments})
    for (const MatrixXd& x : {same, line, MatrixXd(MatrixXd::Zero(10, 2))})
      for (const double at : {3.0, 1e6})
        EXPECT_TRUE(std::isfinite(log_densities(x, none, MatrixXd::Constant(1, 2, at), d)[0])) << at;
  EXPECT_THROW(log_densities(MatrixXd::Zero(3, 2), none, MatrixXd::Zero(1, 2), Density::kernel), std::invalid_argument);
}

// --- a Gaussian process of rank 3 in two outputs of different units, with gaps at irregular times ---------------------------------

constexpr int steps = 41;
const double units[2] = {1, 250}, noise_of[2] = {0.3, 40};

double shape(int t, int channel, int k) { return units[channel] * std::sin(0.15 * (k + 1) * t + channel + 0.3 * k); }

struct Law {  // of the three coefficients
  VectorXd mean;
  MatrixXd factor;
};

Responses process(const Law& law, int count) {
  Responses r;
  r.channels = 2;
  for (int t = 0; t < steps; ++t) r.times.push_back(t);
  const MatrixXd a = (exact_normals(count, 3, 4) * law.factor.transpose()).rowwise() + law.mean.transpose();
  for (int i = 0; i < count; ++i)
    for (int t = 0; t < steps; ++t)
      for (int c = 0; c < 2; ++c) {
        double z = 10 * units[c];
        for (int k = 0; k < 3; ++k) z += a(i, k) * shape(t, c, k);
        r.values.push_back(z);
      }
  return r;
}

// The joint normal density of the points that were measured.
double exact_log_density(const results::Specimen& s, const Law& law) {
  std::vector<double> y, variance;
  std::vector<VectorXd> rows;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    if (std::isnan(s.values[i])) continue;
    const int c = int(i % 2), before = int(s.times[i / 2]);
    const double part = s.times[i / 2] - before;
    VectorXd row(3);
    for (int k = 0; k < 3; ++k) row[k] = (1 - part) * shape(before, c, k) + part * shape(before + 1, c, k);
    rows.push_back(row), y.push_back(s.values[i] - 10 * units[c]), variance.push_back(noise_of[c] * noise_of[c]);
  }
  const Eigen::Index n = Eigen::Index(y.size());
  MatrixXd h(n, 3);
  for (Eigen::Index i = 0; i < n; ++i) h.row(i) = rows[std::size_t(i)].transpose();
  MatrixXd covariance = h * law.factor * law.factor.transpose() * h.transpose();
  covariance.diagonal() += Eigen::Map<VectorXd>(variance.data(), n);
  return log_normal_density(Eigen::Map<VectorXd>(y.data(), n), h * law.mean, covariance);
}

// The reduced coordinates are sufficient when nothing is truncated: densities differ from those of the points by a factor that
// does not depend on the law, so ratios between laws are the same.
TEST(Likelihood, ratios_with_gaps_and_irregular_times_are_those_of_the_points_measured) {
  const MatrixXd unit = MatrixXd::Identity(3, 3);
  MatrixXd skew = 0.6 * unit;
  skew(1, 0) = 0.4, skew(2, 1) = -0.2;
  const Law wide{VectorXd::Zero(3), 1.5 * unit}, a{VectorXd::Constant(3, 0.3), skew}, b{VectorXd::Zero(3), unit};
  results::Measurements data{{"x", "y"}, {noise_of[0], noise_of[1]}, {}};
  for (std::uint64_t k = 0; k < 6; ++k) {
    Stream stream(9, k, 1);
    results::Specimen s{"s", {}, {}};
    VectorXd e(3);
    for (int j = 0; j < 3; ++j) e[j] = stream.normal();
    const VectorXd coefficients = a.mean + a.factor * e;
    for (double t = 0.2 + stream.uniform(); t < steps - 1; t += 0.1 + 1.5 * stream.uniform()) {
      s.times.push_back(t);
      for (int c = 0; c < 2; ++c) {
        double y = 10 * units[c] + noise_of[c] * stream.normal();
        const double part = t - int(t);
        for (int j = 0; j < 3; ++j) y += coefficients[j] * ((1 - part) * shape(int(t), c, j) + part * shape(int(t) + 1, c, j));
        s.values.push_back(stream.uniform() < 0.5 ? std::numeric_limits<double>::quiet_NaN() : y);  // half are gaps
      }
    }
    data.specimens.push_back(s);
  }
  const Reduction reduction(process(wide, 300), data, {.energy = 0.9999999, .most = 8});
  ASSERT_EQ(reduction.components(), 3);
  ASSERT_EQ(reduction.patterns().size(), 6u);
  const auto of_a = log_densities(reduction, reduction.reduce(process(a, 100)), Density::moments);
  const auto of_b = log_densities(reduction, reduction.reduce(process(b, 100)), Density::moments);
  for (std::size_t k = 0; k < 6; ++k) {
    const double exact = exact_log_density(data.specimens[k], a) - exact_log_density(data.specimens[k], b);
    EXPECT_NEAR(of_a[k] - of_b[k], exact, 1e-7) << k;  // round-off, and 1e-12 of the trace
    EXPECT_GT(std::abs(exact), 1e-2);
  }
}

// --- an oscillator let go on its spring: x(t) = (m g/k)(1 − cos √(k/m) t), mass of Gamma law with mean 2 kg -----------------------

constexpr double mean_mass = 2, stiffness = 200, noise = 0.02;
constexpr int grid = 41;

double deflection(double mass, double t) { return mass * 9.81 / stiffness * (1 - std::cos(std::sqrt(stiffness / mass) * t)); }

Responses oscillators(const std::vector<double>& masses) {
  Responses r;
  r.channels = 1;
  for (int t = 0; t < grid; ++t) r.times.push_back(0.01 * t);
  for (const double m : masses)
    for (const double t : r.times) r.values.push_back(deflection(m, t));
  return r;
}

struct GammaMass {
  std::vector<double> at, weight;  // nodes, and density × step
  explicit GammaMass(double cov) {
    const double shape = 1 / (cov * cov), scale = mean_mass * cov * cov;
    const double from = std::max(1e-3, mean_mass * (1 - 6 * cov)), to = mean_mass * (1 + 9 * cov), step = (to - from) / 2000;
    for (int i = 0; i <= 2000; ++i) {
      const double m = from + i * step;
      at.push_back(m);
      weight.push_back(step * std::exp((shape - 1) * std::log(m) - m / scale - std::lgamma(shape) - shape * std::log(scale)));
    }
  }
  std::vector<double> quantiles(int count) const {  // at (i + ½)/count
    std::vector<double> q;
    double below = 0;
    std::size_t j = 0;
    for (int i = 0; i < count; ++i) {
      const double p = (i + 0.5) / count;
      const auto cell = [&] { return (weight[j] + weight[j + 1]) / 2; };
      while (j + 2 < at.size() && below + cell() < p) below += cell(), ++j;
      q.push_back(at[j] + (at[j + 1] - at[j]) * std::min((p - below) / cell(), 1.0));
    }
    return q;
  }
};

// Abscissa of the largest value, by the parabola through it and its neighbours.
double peak(const std::vector<double>& x, const std::vector<double>& y) {
  const std::size_t k = std::size_t(std::max_element(y.begin() + 1, y.end() - 1) - y.begin());
  return x[k] + 0.5 * (x[1] - x[0]) * (y[k - 1] - y[k + 1]) / (y[k - 1] - 2 * y[k] + y[k + 1]);
}

TEST(Likelihood, of_an_oscillator_with_gamma_mass_is_that_in_closed_form) {
  std::vector<double> pooled;
  for (const double cov : {0.06, 0.18, 0.3})
    for (const double m : GammaMass(cov).quantiles(200)) pooled.push_back(m);
  results::Measurements data{{"x"}, {noise}, {}};
  const Responses truth = oscillators([] {
    std::vector<double> m;
    for (std::uint64_t k = 0; k < 50; ++k) m.push_back(mean_mass * 0.0225 * Stream(7, k, 1).gamma(1 / 0.0225));  // cov 0.15
    return m;
  }());
  for (std::uint64_t k = 0; k < 50; ++k) {
    results::Specimen s{"s", truth.times, {truth.values.begin() + long(k) * grid, truth.values.begin() + long(k + 1) * grid}};
    Stream stream(8, k, 2);
    for (double& v : s.values) v += noise * stream.normal();
    data.specimens.push_back(s);
  }
  const Reduction reduction(oscillators(pooled), data, {.energy = 0.99, .most = 1});
  const double s2 = reduction.patterns()[0].covariance(0, 0);

  std::vector<double> covs, kernel, exact, all_points;
  for (double cov = 0.08; cov < 0.281; cov += 0.01) {
    const GammaMass law(cov);
    covs.push_back(cov);
    kernel.push_back(log_likelihood(reduction, reduction.reduce(oscillators(law.quantiles(20000))), Density::kernel));
    // ∫ p(m) N(η; h(m), S) dm, and the same with all points of time
    const Responses nodes = oscillators(law.at);
    const MatrixXd h = reduction.reduce(nodes).pattern(0);
    double reduced = 0, full = 0;
    for (std::size_t k = 0; k < 50; ++k) {
      double sum = 0, joint = 0;
      for (std::size_t j = 0; j < law.at.size(); ++j) {
        const double d = reduction.specimens()[k].reduced[0] - h(Eigen::Index(j), 0);
        sum += law.weight[j] * std::exp(-d * d / (2 * s2)) / std::sqrt(2 * std::numbers::pi * s2);
        double squares = 0;
        for (int t = 0; t < grid; ++t) squares += std::pow((data.specimens[k].values[t] - nodes.values[j * grid + t]) / noise, 2);
        joint += law.weight[j] * std::exp(-0.5 * (squares - grid));
      }
      reduced += std::log(sum), full += std::log(joint);
    }
    exact.push_back(reduced), all_points.push_back(full);
  }
  for (std::size_t i = 0; i < covs.size(); ++i)
    EXPECT_NEAR(kernel[i] / exact[i], 1, 0.002)
        << covs[i];  // bias of the kernel: s²/2 ≈ 1 % of what is not normal in the density
  EXPECT_NEAR(peak(covs, kernel) / peak(covs, exact), 1, 0.002);
  // One component instead of 41 points, 99.4 % of the variance: a small part of the standard error of a cov, 1/√(2·50) = 10 %.
  EXPECT_NEAR(peak(covs, kernel) / peak(covs, all_points), 1, 0.02);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
