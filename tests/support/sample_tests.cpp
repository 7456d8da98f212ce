#include "support/sample_tests.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {

double kolmogorov(std::vector<double> sample, const std::function<double(double)>& cdf) {
  std::sort(sample.begin(), sample.end());
  const double n = static_cast<double>(sample.size());
  double largest = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double f = cdf(sample[i]), below = static_cast<double>(i);
    largest = std::max({largest, f - below / n, (below + 1) / n - f});
  }
  return std::sqrt(n) * largest;
}

double kolmogorov(std::vector<double> sample) {
  return kolmogorov(std::move(sample), [](double x) { return x; });
}

double correlation_score(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return std::sqrt(n) * xy / std::sqrt(xx * yy);
}

double lag_score(const std::vector<double>& x) { return correlation_score({x.begin(), x.end() - 1}, {x.begin() + 1, x.end()}); }

double chi_square_score(double chi_square, double cells) {
  return (std::cbrt(chi_square / cells) - 1 + 2 / (9 * cells)) / std::sqrt(2 / (9 * cells));
}

}  // namespace aleator::core
