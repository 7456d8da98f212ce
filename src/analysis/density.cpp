#include "analysis/density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/quantiles.hpp"

namespace aleator::core::analysis {

Density density_of(std::vector<double> sample, int places, double lower_bound, double upper_bound) {
  Density d;
  std::sort(sample.begin(), sample.end());
  const double n = double(sample.size());
  double mean = 0, square = 0;
  for (const double x : sample) mean += x / n;
  for (const double x : sample) square += (x - mean) * (x - mean) / (n - 1);
  const double quartiles = (quantile(sample, 0.75).value - quantile(sample, 0.25).value) / 1.34, std = std::sqrt(square);
  const double h = 0.9 * (quartiles > 0 ? std::min(std, quartiles) : std) * std::pow(n, -0.2);
  if (!(h > 1e-12 * std::max(std::abs(sample.front()), std::abs(sample.back())))) return d;  // round-off
  const double reach = 8 * h;  // beyond, the kernel is below round-off
  const double lower = std::max(lower_bound, sample.front() - 3 * h), upper = std::min(upper_bound, sample.back() + 3 * h);
  const auto kernels_at = [&](double x) {
    double sum = 0;
    const auto first = std::lower_bound(sample.begin(), sample.end(), x - reach),
               last = std::upper_bound(first, sample.end(), x + reach);
    for (auto it = first; it != last; ++it) sum += std::exp(-0.5 * (x - *it) * (x - *it) / (h * h));
    return sum;
  };
  for (int i = 0; i < places; ++i) {
    const double x = lower + (upper - lower) * i / (places - 1);
    double sum = kernels_at(x);
    if (x - lower_bound < reach) sum += kernels_at(2 * lower_bound - x);
    if (upper_bound - x < reach) sum += kernels_at(2 * upper_bound - x);
    d.values.push_back(x);
    d.density.push_back(sum / (n * h * std::sqrt(2 * std::numbers::pi)));
  }
  return d;
}

}  // namespace aleator::core::analysis
