#include "analysis/two_sample.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>

#include "base/constants.hpp"
#include "numerics/student.hpp"

namespace aleator::core::analysis {
namespace {

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

}  // namespace

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

}  // namespace aleator::core::analysis
