// Log-likelihoods on the unit cube that look like those of identification, with answers that are known.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "numerics/dense.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::inference {

// Uniform numbers for explorations.
inline std::function<double()> uniform_numbers(std::uint64_t seed) {
  return [stream = Stream(seed, 1, 0)]() mutable { return stream.uniform(); };
}

// 50 specimens of six numbers each, normal with covariance C(w) = C₀ + Σ_k w_k² B_k: four spreads w_k = 0.02 + 0.98 x_k that act on
// overlapping numbers. Falls to −5000 and far below where a spread is much too small.
struct FourSpreads {
  static constexpr int specimens = 50;
  Eigen::Matrix<double, 6, 4> shape;
  Eigen::MatrixXd scatter;  // mean of η ηᵀ
  double jumps = 0;         // standard deviation of a noise that is constant in small cells

  explicit FourSpreads(double noise = 0, std::uint64_t seed = 1) : scatter(Eigen::MatrixXd::Zero(6, 6)), jumps(noise) {
    shape << 1, 0.2, 0, 0, 0.3, 1, 0.2, 0, 0, 0.4, 1, 0.1, 0.2, 0, 0.3, 1, 0.5, 0.5, 0, 0.4, 0, 0.3, 0.6, 0.5;
    Stream stream(seed, 0, 0);
    const Eigen::MatrixXd root = dense::cholesky_factor(covariance({0.3, 0.2, 0.4, 0.25}));
    for (int i = 0; i < specimens; ++i) {
      const Eigen::VectorXd eta = root * Eigen::VectorXd::NullaryExpr(6, [&] { return stream.normal(); });
      scatter += eta * eta.transpose() / specimens;
    }
  }

  Eigen::MatrixXd covariance(const Eigen::Vector4d& x) const {
    const Eigen::Vector4d w = 0.02 + 0.98 * x.array();
    Eigen::MatrixXd c = shape * w.cwiseAbs2().asDiagonal() * shape.transpose();
    c.diagonal().array() += 0.03 * 0.03;
    return c;
  }

  double operator()(std::span<const double> x) const {
    const Eigen::MatrixXd root = dense::cholesky_factor(covariance(Eigen::Map<const Eigen::Vector4d>(x.data())));
    const double exact = -specimens * (root.diagonal().array().log().sum() + 0.5 * dense::solve_cholesky(root, scatter).trace());
    return exact + jumps * noise(x);
  }

  static double noise(std::span<const double> x) {  // uniform with standard deviation 1, hashed from the cell
    std::uint64_t h = 0;
    for (const double v : x) {
      h = (h ^ std::uint64_t(v * 97)) * 0x9E3779B97F4A7C15u;
      h ^= h >> 29;
    }
    return (double(h >> 11) * 0x1p-53 - 0.5) * std::sqrt(12.0);
  }
};

// Along the parabola v = u² of u = 4x − 2, v = 4y − 1: the ridge of Rosenbrock's function, upside down. Its maximum 0 is at u = v = 1.
inline double rosenbrock(std::span<const double> x) {
  const double u = 4 * x[0] - 2, v = 4 * x[1] - 1;
  return -(100 * std::pow(v - u * u, 2) + std::pow(1 - u, 2)) / 2;
}

// Two hills of a mixture; the higher one, 0 at (0.2, 0.25, 0.3), is the narrower one.
inline double two_hills(std::span<const double> x) {
  double near = 0, far = 0;
  for (size_t k = 0; k < x.size(); ++k) {
    near += std::pow((x[k] - 0.2 - 0.05 * double(k)) / 0.05, 2) / 2;
    far += std::pow((x[k] - 0.75) / 0.08, 2) / 2;
  }
  return std::max(-near, -far - 6);
}

// n numbers of a gamma law with shape a and scale θ = 0.1 + 3.9 x: the log-likelihood −n (a log θ + m/θ) of the scale, m their mean.
struct GammaScale {
  double n = 20, a = 2, mean = 2.4;

  static double scale(double x) { return 0.1 + 3.9 * x; }
  static double place(double scale) { return (scale - 0.1) / 3.9; }
  double operator()(std::span<const double> x) const { return -n * (a * std::log(scale(x[0])) + mean / scale(x[0])); }
};

}  // namespace aleator::core::inference
