#include "analysis/density.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/quantiles.hpp"

namespace aleator::analysis {

Density density_of(std::vector<double> sample, int places) {
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
  const double lower = sample.front() - 3 * h, upper = sample.back() + 3 * h;
  for (int i = 0; i < places; ++i) {
    const double x = lower + (upper - lower) * i / (places - 1);
    double sum = 0;
    const auto first = std::lower_bound(sample.begin(), sample.end(), x - reach),
               last = std::upper_bound(first, sample.end(), x + reach);
    for (auto it = first; it != last; ++it) sum += std::exp(-0.5 * (x - *it) * (x - *it) / (h * h));
    d.values.push_back(x);
    d.density.push_back(sum / (n * h * std::sqrt(2 * std::numbers::pi)));
  }
  return d;
}

}  // namespace aleator::analysis
