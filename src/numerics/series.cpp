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

double first_crossing(const ReductionSettings& s, std::span<const double> t, const double* x, int stride) {
  for (size_t i = 1; i < t.size(); ++i) {
    const double a = x[(i - 1) * stride] - s.level, b = x[i * stride] - s.level;
    const bool up = a < 0 && b >= 0, down = a > 0 && b <= 0;
    if ((up && s.direction >= 0) || (down && s.direction <= 0)) return t[i - 1] + (t[i] - t[i - 1]) * a / (a - b);
  }
  return std::numeric_limits<double>::quiet_NaN();
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
  const auto fold = [&](double start, auto&& f) {
    double out = start;
    for (size_t i = 0; i < n; ++i) out = f(out, x[i * stride]);
    return out;
  };
  const double span = n > 1 ? t[n - 1] - t[0] : 0;
  switch (s.reduction) {
    case Reduction::maximum:
      return fold(x[0], [](double a, double b) { return std::max(a, b); });
    case Reduction::minimum:
      return fold(x[0], [](double a, double b) { return std::min(a, b); });
    case Reduction::largest_magnitude:
      return fold(0, [](double a, double b) { return std::max(a, std::abs(b)); });
    case Reduction::final:
      return x[(n - 1) * stride];
    case Reduction::rms:
      return span > 0 ? std::sqrt(integral_of_square(t, x, stride) / span) : std::abs(x[0]);
    case Reduction::average:
      return span > 0 ? integral(t, [&](size_t i) { return x[i * stride]; }) / span : x[0];
    case Reduction::first_crossing:
      return first_crossing(s, t, x, stride);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

}  // namespace aleator::core
