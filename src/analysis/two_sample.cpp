#include "analysis/two_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

namespace aleator::analysis {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

struct Summary {
  double n, mean, variance;
};

Summary summary(const std::vector<double>& x) {
  const double n = double(x.size());
  double mean = 0, squares = 0;
  for (const double v : x) mean += v / n;
  for (const double v : x) squares += (v - mean) * (v - mean);
  return {n, mean, squares / (n - 1)};
}

std::vector<double> distances_from_median(const std::vector<double>& x) {
  std::vector<double> sorted = x;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t n = sorted.size();
  const double median = (sorted[(n - 1) / 2] + sorted[n / 2]) / 2;
  for (double& v : sorted) v = std::abs(v - median);
  return sorted;
}

// The continued fraction of the incomplete beta function (Abramowitz & Stegun 26.5.8), by Lentz's method.
double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  const auto kept = [](double v) { return std::abs(v) < tiny ? tiny : v; };
  double c = 1, d = 1 / kept(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < 10000; ++m) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / kept(1 + even * d);
    c = kept(1 + even / c);
    value *= c * d;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / kept(1 + odd * d);
    c = kept(1 + odd / c);
    value *= c * d;
    if (std::abs(c * d - 1) < 1e-15) break;
  }
  return value;
}

// I_x(a, b), regularised.
double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  // the fraction converges fast on this side of the mean
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace

double student_tails(double x, double freedom) { return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + x * x)); }

double kolmogorov_tail(double lambda) {
  if (!(lambda > 0)) return 1;
  double sum = 0;
  if (lambda < 1) {  // the other form of the theta function: 1 − Q = (√(2π)/λ) Σ exp(−(2j−1)² π²/(8λ²))
    const double u = std::numbers::pi * std::numbers::pi / (8 * lambda * lambda);
    for (int j = 1; j <= 5; ++j) sum += std::exp(-(2 * j - 1) * (2 * j - 1) * u);
    return 1 - std::sqrt(2 * std::numbers::pi) / lambda * sum;
  }
  for (int j = 1; j <= 5; ++j) sum += (j % 2 ? 2 : -2) * std::exp(-2 * j * j * lambda * lambda);
  return sum;
}

TestResult kolmogorov_smirnov(std::vector<double> a, std::vector<double> b) {
  if (a.empty() || b.empty()) return {nan, nan};
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  const double na = double(a.size()), nb = double(b.size());
  double largest = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const double x = std::min(a[i], b[j]);  // both steps of a tie before the distance is taken
    while (i < a.size() && a[i] <= x) ++i;
    while (j < b.size() && b[j] <= x) ++j;
    largest = std::max(largest, std::abs(double(i) / na - double(j) / nb));
  }
  const double root = std::sqrt(na * nb / (na + nb));
  return {largest, kolmogorov_tail((root + 0.12 + 0.11 / root) * largest)};
}

TestResult welch(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 2 || b.size() < 2) return {nan, nan};
  const Summary x = summary(a), y = summary(b);
  const double u = x.variance / x.n, v = y.variance / y.n;
  if (!(u + v > 0)) return {nan, nan};
  const double t = (x.mean - y.mean) / std::sqrt(u + v);
  return {t, student_tails(t, (u + v) * (u + v) / (u * u / (x.n - 1) + v * v / (y.n - 1)))};
}

TestResult brown_forsythe(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() < 2 || b.size() < 2) return {nan, nan};
  const Summary x = summary(distances_from_median(a)), y = summary(distances_from_median(b));
  const double freedom = x.n + y.n - 2;
  const double common = ((x.n - 1) * x.variance + (y.n - 1) * y.variance) / freedom;
  if (!(common > 0)) return {nan, nan};
  const double t = (x.mean - y.mean) / std::sqrt(common * (1 / x.n + 1 / y.n));
  return {t, student_tails(t, freedom)};
}

}  // namespace aleator::analysis
