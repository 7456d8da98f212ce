#include "numerics/series.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace aleator::core {

namespace {

template <class F>
double integral(std::span<const double> t, F&& f) {
  double sum = 0;
  for (size_t i = 1; i < t.size(); ++i) sum += 0.5 * (t[i] - t[i - 1]) * (f(i - 1) + f(i));
  return sum;
}

// The polynomial of degree four through the values at times center − 2 … center + 2; s in steps from there.
struct Quartic {
  double x, d1, d2, d3, d4;
  double at(double s) const { return x + s * (d1 + s * (d2 / 2 + s * (d3 / 6 + s * d4 / 24))); }
  double slope(double s) const { return d1 + s * (d2 + s * (d3 / 2 + s * d4 / 6)); }
};

struct Sampled {
  std::span<const double> t;
  const double* values;
  int stride;
  double x(size_t i) const { return values[i * size_t(stride)]; }
  size_t count() const { return t.size(); }
  // Of the five times that are nearest to time i.
  size_t center(size_t i) const { return std::clamp<size_t>(i, 2, count() - 3); }

  // Whether the times around a center resolve the function.
  bool resolves(size_t c) const {
    const double h = t[c + 1] - t[c];
    for (size_t i = c - 2; i < c + 2; ++i)
      if (!(std::abs(t[i + 1] - t[i] - h) <= 1e-6 * h)) return false;
    double first = 0, third = 0;
    for (size_t i = c - 2; i < c + 2; ++i) first = std::max(first, std::abs(x(i + 1) - x(i)));
    for (size_t i = c - 2; i < c; ++i) third = std::max(third, std::abs(x(i + 3) - 3 * x(i + 2) + 3 * x(i + 1) - x(i)));
    return third <= 0.6 * first;
  }
  Quartic around(size_t c) const {
    const double a = x(c - 2), b = x(c - 1), m = x(c), d = x(c + 1), e = x(c + 2);
    return {m, (a - 8 * b + 8 * d - e) / 12, (-a + 16 * b - 30 * m + 16 * d - e) / 12, (-a + 2 * b - 2 * d + e) / 2,
            a - 4 * b + 6 * m - 4 * d + e};
  }
};

// Where f changes sign in [from, to], by bisection to the last bits that matter.
template <class F>
double root(double from, double to, F&& f) {
  const bool sign = f(from) < 0;
  for (int k = 0; k < 50; ++k) {
    const double middle = 0.5 * (from + to);
    ((f(middle) < 0) == sign ? from : to) = middle;
  }
  return 0.5 * (from + to);
}

// A largest value beside time i, which is not smaller than its neighbours: where, in steps from the center, and how large. (Of −x: sign −1.)
struct Peak {
  double s, value;
};
Peak peak_beside(const Sampled& f, size_t i, double sign) {
  const size_t c = f.center(i);
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

double largest(const Sampled& f, double sign) {
  const size_t n = f.count();
  double out = sign * f.x(0);
  for (size_t i = 0; i < n; ++i) {
    const double x = sign * f.x(i);
    out = std::max(out, x);
    const bool is_peak = (i == 0 || x >= sign * f.x(i - 1)) && (i + 1 == n || x >= sign * f.x(i + 1));
    if (n >= 5 && is_peak) out = std::max(out, peak_beside(f, i, sign).value);
  }
  return out;
}

// A level between two times at which the function is on the same side of it, reached by the peak in between: the time, or NaN.
double crossing_at_peak(const ReductionSettings& s, const Sampled& f, size_t i, double sign) {
  const size_t c = f.center(i);
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Peak peak = peak_beside(f, i, sign);
  if (!(peak.value >= sign * s.level)) return none;
  const Quartic p = f.around(c);
  const auto above = [&](double at) { return sign * (p.at(at) - s.level); };
  const double own = double(i) - double(c), before = peak.s < own ? own - 1 : own, after = before + 1;
  const double h = f.t[c + 1] - f.t[c];
  const int reaches = sign > 0 ? 1 : -1;
  if (s.direction != -reaches) return f.t[c] + h * root(before, peak.s, above);
  return f.t[c] + h * root(peak.s, after, above);
}

double first_crossing(const ReductionSettings& s, const Sampled& f) {
  const size_t n = f.count();
  double grazed = std::numeric_limits<double>::quiet_NaN();  // by a peak between two times
  for (size_t i = 0; i < n; ++i) {
    for (const double sign : {1.0, -1.0}) {
      const double x = sign * f.x(i);
      const bool is_peak = (i == 0 || x >= sign * f.x(i - 1)) && (i + 1 == n || x >= sign * f.x(i + 1));
      if (n >= 5 && is_peak && x < sign * s.level && std::isnan(grazed)) grazed = crossing_at_peak(s, f, i, sign);
    }
    if (i == 0) continue;
    const double a = f.x(i - 1) - s.level, b = f.x(i) - s.level;
    const bool up = a < 0 && b >= 0, down = a > 0 && b <= 0;
    if ((up && s.direction >= 0) || (down && s.direction <= 0)) {
      double at = f.t[i - 1] + (f.t[i] - f.t[i - 1]) * a / (a - b);
      if (b == 0) at = f.t[i];
      if (const size_t c = n >= 5 ? f.center(i) : 0; b != 0 && n >= 5 && f.resolves(c)) {
        const Quartic p = f.around(c);
        const double own = double(i) - double(c);
        at = f.t[c] + (f.t[c + 1] - f.t[c]) * root(own - 1, own, [&](double z) { return p.at(z) - s.level; });
      }
      return std::isnan(grazed) ? at : std::min(at, grazed);
    }
    if (!std::isnan(grazed) && grazed <= f.t[i]) return grazed;
  }
  return grazed;
}

}  // namespace

double integral_of_square(std::span<const double> t, const double* x, int stride) {
  return integral(t, [&](size_t i) { return x[i * stride] * x[i * stride]; });
}

void add_integrals_of_squares(std::span<const double> t, std::span<const double> x, std::span<double> sums) {
  const size_t nc = sums.size();
  constexpr size_t at_once = 4;  // sums that do not wait for each other
  for (size_t c = 0; c < nc; c += at_once) {
    double sum[at_once] = {};
    const size_t own = std::min(at_once, nc - c);
    for (size_t i = 1; i < t.size(); ++i) {
      const double half = 0.5 * (t[i] - t[i - 1]), *a = &x[(i - 1) * nc + c], *b = a + nc;
      for (size_t j = 0; j < own; ++j) sum[j] += half * (a[j] * a[j] + b[j] * b[j]);
    }
    for (size_t j = 0; j < own; ++j) sums[c + j] += sum[j];
  }
}

bool all_finite(std::span<const double> x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000u;  // all ones: infinite, or no number
  std::uint64_t bad = 0;
  for (const double v : x) bad |= (std::bit_cast<std::uint64_t>(v) & exponent) == exponent ? 1 : 0;
  return bad == 0;
}

double reduce(const ReductionSettings& s, std::span<const double> t, const double* x, int stride) {
  const size_t n = t.size();
  // Comparisons with NaN are false: it would be passed over, and the rest taken for the whole.
  bool finite = n > 0;
  for (size_t i = 0; i < n; ++i) finite = finite && std::isfinite(x[i * stride]);
  if (!finite) return std::numeric_limits<double>::quiet_NaN();
  const Sampled f{t, x, stride};
  const double span = n > 1 ? t[n - 1] - t[0] : 0;
  switch (s.reduction) {
    case Reduction::maximum:
      return largest(f, 1);
    case Reduction::minimum:
      return -largest(f, -1);
    case Reduction::largest_magnitude:
      return std::max({0.0, largest(f, 1), largest(f, -1)});
    case Reduction::final:
      return x[(n - 1) * stride];
    case Reduction::rms:
      return span > 0 ? std::sqrt(integral_of_square(t, x, stride) / span) : std::abs(x[0]);
    case Reduction::average:
      return span > 0 ? integral(t, [&](size_t i) { return x[i * stride]; }) / span : x[0];
    case Reduction::first_crossing:
      return first_crossing(s, f);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace aleator::core
