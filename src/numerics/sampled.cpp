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

namespace {

double largest_value(const Sampled& f, double sign) {
  const double first = sign * f.x(0);
  double out[4] = {first, first, first, first};  // maxima that do not wait for each other
  for (std::size_t i = 0; i < f.count(); ++i) out[i % 4] = std::max(out[i % 4], sign * f.x(i));
  return std::max({out[0], out[1], out[2], out[3]});
}

// No value beside time i is above this: the sum of the sizes of the terms of the polynomial, with their round-off.
double above_peak(const Sampled& f, std::size_t i, double sign) {
  if (f.count() < 5) return sign * f.x(i);
  const std::size_t c = f.center(i);
  const Quartic p = f.around(c);
  const double r = std::abs(double(i) - double(c)) + 1;
  const double terms = r * (std::abs(p.d1) + r * (std::abs(p.d2) / 2 + r * (std::abs(p.d3) / 6 + r * std::abs(p.d4) / 24)));
  return sign * p.x + terms + 1e-12 * (std::abs(p.x) + terms);
}

// Times at which the function is not smaller than before and after, until f(i) is true.
template <class F>
bool any_peak(const Sampled& f, double sign, F&& found) {
  const std::size_t n = f.count();
  for (std::size_t i = 0; i < n; ++i) {
    const double x = sign * f.x(i);
    if ((i == 0 || x >= sign * f.x(i - 1)) && (i + 1 == n || x >= sign * f.x(i + 1)) && found(i)) return true;
  }
  return false;
}

}  // namespace

// Where a peak is, takes longest to find: only of those that may be higher than what is there.
double largest(const Sampled& f, double sign) {
  double out = largest_value(f, sign);
  any_peak(f, sign, [&](std::size_t i) {
    if (above_peak(f, i, sign) > out) out = std::max(out, peak_beside(f, i, sign).value);
    return false;
  });
  return out;
}

bool passes(const Sampled& f, double sign, double level) {
  if (largest_value(f, sign) > level) return true;
  return any_peak(f, sign,
                  [&](std::size_t i) { return above_peak(f, i, sign) > level && peak_beside(f, i, sign).value > level; });
}

const double* contiguous(const double* x, std::size_t count, int stride) {
  if (stride == 1) return x;
  static thread_local std::vector<double> own;
  if (own.size() < count) own.resize(count);
  for (std::size_t i = 0; i < count; ++i) own[i] = x[i * std::size_t(stride)];
  return own.data();
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
