// References for tests of the Kummer–Beta law that share no code with it: eigenvalue quadrature, digamma, tabulated
// distribution functions, plain statistics. z below is a deviation in units of its standard error; |z| < 5 is broken by chance
// once in 1.7 million comparisons.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace aleator::core::reference {

constexpr double z_limit = 5;

struct Sums {
  double n = 0, mean = 0, m2 = 0;
  void add(double v) {
    ++n;
    const double d = v - mean;
    mean += d / n, m2 += d * (v - mean);
  }
  double variance() const { return m2 / (n - 1); }
  double error() const { return std::sqrt(variance() / n); }
  double z(double expected) const { return (mean - expected) / error(); }
  double z(const Sums& other) const { return (mean - other.mean) / std::hypot(error(), other.error()); }
};

struct Nodes {
  std::vector<double> x, w;
};

// Gauss–Legendre on [0, 1]
inline Nodes legendre(int n) {
  Nodes out;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 0;
    for (int k = 0; k < 50; ++k) {
      double p0 = 1, p1 = x;
      for (int j = 2; j <= n; ++j) {
        const double p2 = ((2 * j - 1) * x * p1 - (j - 1) * p0) / j;
        p0 = p1, p1 = p2;
      }
      slope = n * (x * p1 - p0) / (x * x - 1);
      const double step = p1 / slope;
      x -= step;
      if (std::abs(step) < 1e-15) break;
    }
    out.x.push_back(0.5 * (1 - x)), out.w.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return out;
}

// The same after x = t³ (10 − 15 t + 6 t²), which smooths powers at both ends.
inline Nodes smoothed(int n) {
  Nodes out = legendre(n);
  for (int i = 0; i < n; ++i) {
    const double t = out.x[i];
    out.x[i] = t * t * t * (10 - 15 * t + 6 * t * t), out.w[i] *= 30 * t * t * (1 - t) * (1 - t);
  }
  return out;
}

// E f(l1 ≤ l2 ≤ l3) over the eigenvalues of G for Gmax = g I, μ = c I: weight Π l^(−λl) (g−l)^(−λu) e^(−c l) Π |li − lj|.
inline double eigenvalue_mean(double g, double lambda_l, double lambda_u, double c,
                              const std::function<double(double, double, double)>& f) {
  const Nodes q = smoothed(48);
  double sum = 0, norm = 0;
  for (std::size_t i = 0; i < q.x.size(); ++i)
    for (std::size_t j = 0; j < q.x.size(); ++j)
      for (std::size_t k = 0; k < q.x.size(); ++k) {
        const double l3 = g * q.x[i], l2 = l3 * q.x[j], l1 = l2 * q.x[k];
        const double log_p =
            -lambda_l * std::log(l1 * l2 * l3) - lambda_u * std::log((g - l1) * (g - l2) * (g - l3)) - c * (l1 + l2 + l3 - 3);
        const double w = q.w[i] * q.w[j] * q.w[k] * l3 * l2 * (l2 - l1) * (l3 - l1) * (l3 - l2) * std::exp(log_p);
        sum += w * f(l1, l2, l3), norm += w;
      }
  return sum / norm;
}

inline double digamma(double x) {
  double sum = 0;
  for (; x < 10; ++x) sum -= 1 / x;
  const double y = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y * (1.0 / 252 - y / 240)));
}

// Distribution function of a density on [0, 1] (not normalised), tabulated by the trapezoidal rule.
class Cdf {
 public:
  explicit Cdf(const std::function<double(double)>& density, int n = 20000) : f_(n + 1, 0.0) {
    double before = 0;
    for (int k = 1; k <= n; ++k) {
      const double now = k == n ? 0.0 : density(static_cast<double>(k) / n);
      f_[k] = f_[k - 1] + now + before, before = now;
    }
    for (double& v : f_) v /= f_.back();
  }
  double operator()(double x) const {
    const double at = std::clamp(x, 0.0, 1.0) * (f_.size() - 1);
    const auto k = std::min(static_cast<std::size_t>(at), f_.size() - 2);
    return f_[k] + (at - k) * (f_[k + 1] - f_[k]);
  }

 private:
  std::vector<double> f_;
};

// Correlation in units of its standard error
inline double correlation_z(const std::vector<double>& a, const std::vector<double>& b) {
  Sums sa, sb;
  for (const double v : a) sa.add(v);
  for (const double v : b) sb.add(v);
  double c = 0;
  for (std::size_t k = 0; k < a.size(); ++k) c += (a[k] - sa.mean) * (b[k] - sb.mean);
  return c / std::sqrt(sa.m2 * sb.m2) * std::sqrt(static_cast<double>(a.size()));
}

}  // namespace aleator::core::reference
