#include "numerics/sampled.hpp"

#include <cmath>
#include <cstdint>

#include "base/wide.hpp"

namespace aleator::core {

bool Sampled::is_even(std::size_t c) const {
  const double h = t[c + 1] - t[c];
  for (std::size_t i = c - 2; i < c + 2; ++i)
    if (!(std::abs(t[i + 1] - t[i] - h) <= 1e-6 * h)) return false;
  return true;
}

bool Sampled::resolves(std::size_t c) const { return is_even(c) && resolved(x(c - 2), x(c - 1), x(c), x(c + 1), x(c + 2)); }

Quartic Sampled::around(std::size_t c) const { return Quartic::through(x(c - 2), x(c - 1), x(c), x(c + 1), x(c + 2)); }

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
  if (!(sign * p.slope(low) > 0 && sign * p.slope(high) < 0)) return sampled;
  TopSearch<double> top{low, high};
  for (int k = 0; k < TopSearch<double>::most_turns && !top.turn(p, sign); ++k) continue;
  return {top.s, std::max(sampled.value, sign * p.at(top.s))};
}

namespace {

using FourFlags = std::int64_t __attribute__((vector_size(32)));

// Of x[0], x[1], …: maxima that do not wait for each other.
ALEATOR_WIDE double largest_of(const double* x, std::size_t n, double sign) {
  Four most[4];
  for (Four& m : most) m = Four{} + sign * x[0];
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (std::size_t k = 0; k < 4; ++k) {
      const Four own = sign * reinterpret_cast<const FourAt*>(x + i + 4 * k)->numbers;
      most[k] = own > most[k] ? own : most[k];
    }
  for (std::size_t k = 1; k < 4; ++k) most[0] = most[k] > most[0] ? most[k] : most[0];
  double out = std::max({most[0][0], most[0][1], most[0][2], most[0][3]});
  for (; i < n; ++i) out = std::max(out, sign * x[i]);
  return out;
}

double largest_value(const Sampled& f, double sign) {
  return largest_of(contiguous(f.values, f.count(), f.stride), f.count(), sign);
}

// The first of the times from i on, in steps of eight, among which one is not smaller than before and after; where fewer than nine are left, that.
ALEATOR_WIDE std::size_t eight_with_a_peak(const double* x, std::size_t i, std::size_t n, double sign) {
  const auto at = [x](std::size_t k) { return reinterpret_cast<const FourAt*>(x + k); };
  for (; i + 9 <= n; i += 8) {
    FourFlags any{};
    for (std::size_t k = i; k < i + 8; k += 4) {
      const Four own = sign * at(k)->numbers, before = sign * at(k - 1)->numbers, after = sign * at(k + 1)->numbers;
      any |= (own >= before) & (own >= after);
    }
    if ((any[0] | any[1] | any[2] | any[3]) != 0) break;
  }
  return i;
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
  const auto among = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const double x = sign * f.x(i);
      if ((i == 0 || x >= sign * f.x(i - 1)) && (i + 1 == n || x >= sign * f.x(i + 1)) && found(i)) return true;
    }
    return false;
  };
  if (f.stride != 1 || n < 2) return among(0, n);
  if (among(0, 1)) return true;
  for (std::size_t i = 1; i < n; i += 8) {
    i = eight_with_a_peak(f.values, i, n, sign);
    if (among(i, std::min(i + 8, n))) return true;
  }
  return false;
}

}  // namespace

// Where a peak is, takes longest to find: only of those that may be higher than what is there. Of zeros, whichever is found first: never −0.
double largest(const Sampled& f, double sign) {
  double out = largest_value(f, sign);
  any_peak(f, sign, [&](std::size_t i) {
    if (above_peak(f, i, sign) > out) out = std::max(out, peak_beside(f, i, sign).value);
    return false;
  });
  return out + 0.0;
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
