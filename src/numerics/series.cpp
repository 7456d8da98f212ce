#include "numerics/series.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "base/wide.hpp"
#include "numerics/frequency_weighting.hpp"
#include "numerics/sampled.hpp"

namespace aleator::core {

namespace {

template <class F>
double integral(std::span<const double> t, F&& f) {
  double sum = 0;
  for (size_t i = 1; i < t.size(); ++i) sum += 0.5 * (t[i] - t[i - 1]) * (f(i - 1) + f(i));
  return sum;
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

// A turn between two times may reach a level that neither does: it is crossed there and back.
double crossings(const ReductionSettings& s, const Sampled& f) {
  double up = 0, down = 0;
  for (size_t i = 1; i < f.count(); ++i) {
    const double a = f.x(i - 1) - s.level, b = f.x(i) - s.level;
    up += a < 0 && b >= 0;
    down += a > 0 && b <= 0;
  }
  each_turn(f, [&](size_t i, double sign) {
    if (sign * f.x(i) < sign * s.level && peak_beside(f, i, sign).value >= sign * s.level) ++up, ++down;
  });
  return (s.direction >= 0 ? up : 0) + (s.direction <= 0 ? down : 0);
}

double mean_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return sum / double(x.size());
}

// Linear between order statistics.
double quantile_of(std::vector<double> x, double p) {
  if (x.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(x.begin(), x.end());
  const double place = p * double(x.size() - 1);
  const size_t below = std::min(size_t(place), x.size() - 1), above = std::min(below + 1, x.size() - 1);
  return x[below] + (place - double(below)) * (x[above] - x[below]);
}

double largest_running_rms(const Sampled& f, double window) {
  const std::vector<double> all = running_rms(f.t, f.values, f.stride, window);
  double most = std::numeric_limits<double>::quiet_NaN();
  for (size_t i = 1; i < all.size(); ++i)
    if (f.t[i] - window >= f.t[0] - 1e-6 * (f.t[i] - f.t[i - 1])) most = std::isnan(most) ? all[i] : std::max(most, all[i]);
  return most;
}

double reduce(const ReductionSettings& s, const Sampled& f) {
  const size_t n = f.count();
  const double span = f.t[n - 1] - f.t[0];
  switch (s.reduction) {
    case Reduction::maximum:
      return largest(f, 1);
    case Reduction::minimum:
      return -largest(f, -1);
    case Reduction::largest_magnitude:
      return std::max({0.0, largest(f, 1), largest(f, -1)});
    case Reduction::final:
      return f.x(n - 1);
    case Reduction::rms:
      return span > 0 ? std::sqrt(integral_of_square(f.t, f.values, f.stride) / span) : std::abs(f.x(0));
    case Reduction::average:
      return span > 0 ? integral(f.t, [&](size_t i) { return f.x(i); }) / span : f.x(0);
    case Reduction::first_crossing:
      return first_crossing(s, f);
    case Reduction::crossings:
      return crossings(s, f);
    case Reduction::crossing_rate:
      return crossings(s, f) / span;
    case Reduction::peak_count:
      return double(local_maxima(f).size());
    case Reduction::peak_mean:
      return mean_of(local_maxima(f));
    case Reduction::peak_quantile:
      return quantile_of(local_maxima(f), s.probability);
    case Reduction::largest_running_rms:
      return largest_running_rms(f, s.window);
    case Reduction::vibration_dose:
      return std::sqrt(std::sqrt(integral(f.t, [&](size_t i) { return std::pow(f.x(i), 4); })));
    case Reduction::damage:
      return damage_of(rainflow(turning_points(f)), s.curve);
    case Reduction::equivalent_amplitude:
      return equivalent_amplitude(rainflow(turning_points(f)), s.curve.exponent, s.curve.cycles);
    case Reduction::value:
      return s.level;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

// Every eighth interval goes to the same sum: they do not wait for each other, and what is added to what does not depend on how many a register
// holds.
ALEATOR_WIDE static double integral_of_square(const double* t, const double* x, size_t n) {
  const auto at = [](const double* from) { return reinterpret_cast<const FourAt*>(from); };
  Four sums[2] = {};
  size_t i = 1;
  for (; i + 8 <= n; i += 8)
    for (size_t k = 0; k < 2; ++k) {
      const size_t j = i + 4 * k;
      const Four a = at(x + j - 1)->numbers, b = at(x + j)->numbers;
      sums[k] += 0.5 * (at(t + j)->numbers - at(t + j - 1)->numbers) * (a * a + b * b);
    }
  const Four &low = sums[0], &high = sums[1];
  double sum[8] = {low[0], low[1], low[2], low[3], high[0], high[1], high[2], high[3]};
  for (size_t k = 0; i < n; ++i, ++k) sum[k] += 0.5 * (t[i] - t[i - 1]) * (x[i - 1] * x[i - 1] + x[i] * x[i]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

double integral_of_square(std::span<const double> t, const double* x, int stride) {
  if (t.size() == 1) return x[0] * x[0];
  return integral_of_square(t.data(), contiguous(x, t.size(), stride), t.size());
}

std::vector<double> running_rms(std::span<const double> t, const double* x, int stride, double window) {
  std::vector<double> out, integrals;  // of the square, up to each time
  size_t j = 0;                        // the last time that is not after the beginning of the window
  for (size_t i = 0; i < t.size(); ++i) {
    const double own = x[i * size_t(stride)], before = i > 0 ? x[(i - 1) * size_t(stride)] : own;
    integrals.push_back(i > 0 ? integrals[i - 1] + 0.5 * (t[i] - t[i - 1]) * (before * before + own * own) : 0);
    if (i == 0) {
      out.push_back(std::abs(own));
      continue;
    }
    const double begin = std::max(t[0], t[i] - window);
    while (j + 1 < i && t[j + 1] <= begin) ++j;
    const double part = (begin - t[j]) / (t[j + 1] - t[j]);
    const double inside = integrals[i] - integrals[j] - part * (integrals[j + 1] - integrals[j]);
    out.push_back(std::sqrt(std::max(0.0, inside) / (t[i] - begin)));
  }
  return out;
}

void add_integrals_of_squares(std::span<const double> t, std::span<const double> x, std::span<double> sums) {
  for (size_t c = 0; c < sums.size(); ++c) sums[c] += integral_of_square(t, &x[c], int(sums.size()));
}

ALEATOR_WIDE bool all_finite(std::span<const double> x) {
  constexpr std::uint64_t exponent = 0x7ff0000000000000u;  // all ones: infinite, or no number
  std::uint64_t bad = 0;
  for (const double v : x) bad |= (std::bit_cast<std::uint64_t>(v) & exponent) == exponent ? 1 : 0;
  return bad == 0;
}

double reduce(const ReductionSettings& s, std::span<const double> t, const double* x, int stride) {
  if (s.reduction == Reduction::value) return s.level;
  const size_t n = t.size();
  // Comparisons with NaN are false: it would be passed over, and the rest taken for the whole.
  x = contiguous(x, n, stride);
  if (n == 0 || !all_finite({x, n})) return std::numeric_limits<double>::quiet_NaN();
  Sampled f{t, x, 1};
  std::vector<double> filtered;
  if (s.weighting && n > 1) {
    for (size_t i = 0; i < n; ++i) filtered.push_back(f.x(i));
    filtered = weighted(*s.weighting, t[1] - t[0], filtered);
    f = {t, filtered.data(), 1};
  }
  f = f.within(s.from, s.to);
  return f.count() > 0 ? reduce(s, f) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace aleator::core
