#include "numerics/sampled.hpp"

#include <cmath>

namespace aleator::core {

bool Sampled::resolves(std::size_t c) const {
  const double h = t[c + 1] - t[c];
  for (std::size_t i = c - 2; i < c + 2; ++i)
    if (!(std::abs(t[i + 1] - t[i] - h) <= 1e-6 * h)) return false;
  double first = 0, third = 0;
  for (std::size_t i = c - 2; i < c + 2; ++i) first = std::max(first, std::abs(x(i + 1) - x(i)));
  for (std::size_t i = c - 2; i < c; ++i) third = std::max(third, std::abs(x(i + 3) - 3 * x(i + 2) + 3 * x(i + 1) - x(i)));
  return third <= 0.6 * first;
}

Quartic Sampled::around(std::size_t c) const {
  const double a = x(c - 2), b = x(c - 1), m = x(c), d = x(c + 1), e = x(c + 2);
  return {m, (a - 8 * b + 8 * d - e) / 12, (-a + 16 * b - 30 * m + 16 * d - e) / 12, (-a + 2 * b - 2 * d + e) / 2,
          a - 4 * b + 6 * m - 4 * d + e};
}

Sampled Sampled::within(double from, double to) const {
  const double close = count() > 1 ? 1e-6 * (t[1] - t[0]) : 0;
  const auto first = std::lower_bound(t.begin(), t.end(), from - close), last = std::upper_bound(first, t.end(), to + close);
  const std::size_t skipped = std::size_t(first - t.begin());
  return {t.subspan(skipped, std::size_t(last - first)), values + skipped * std::size_t(stride), stride};
}

Peak peak_beside(const Sampled& f, std::size_t i, double sign) {
  if (f.count() < 5) return {0, sign * f.x(i)};
  const std::size_t c = f.center(i);
  const double own = double(i) - double(c);
  const Peak sampled{own, sign * f.x(i)};
  if (!f.resolves(c)) return sampled;
  const Quartic p = f.around(c);
  const double low = i > 0 ? own - 1 : own, high = i + 1 < f.count() ? own + 1 : own;
  const auto slope = [&](double s) { return sign * p.slope(s); };
  if (!(slope(low) > 0 && slope(high) < 0)) return sampled;
  const double s = root(low, high, slope);
  return {s, std::max(sampled.value, sign * p.at(s))};
}

std::vector<double> local_maxima(const Sampled& f) {
  std::vector<double> out;
  each_turn(f, [&](std::size_t i, double sign) {
    if (sign > 0) out.push_back(peak_beside(f, i, 1).value);
  });
  return out;
}

std::vector<double> turning_points(const Sampled& f) {
  std::vector<double> out;
  if (f.count() == 0) return out;
  out.push_back(f.x(0));
  each_turn(f, [&](std::size_t i, double sign) { out.push_back(sign * peak_beside(f, i, sign).value); });
  if (f.x(f.count() - 1) != out.back()) out.push_back(f.x(f.count() - 1));
  return out;
}

}  // namespace aleator::core
