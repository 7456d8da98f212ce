#include "numerics/differences.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"

namespace aleator::core {
namespace {

constexpr int most_rungs = DifferenceSteps::points;

// Largest of each value and its neighbours on both sides: a twentieth of the times, at least two.
void widen(std::vector<double>& error) {
  const long n = long(error.size()), reach = std::max(2l, n / 20);
  const std::vector<double> own = error;
  for (long t = 0; t < n; ++t)
    error[size_t(t)] = *std::max_element(own.begin() + std::max(0l, t - reach), own.begin() + std::min(n, t + reach + 1));
}

// A[k][j] over time; rungs from the largest step to the smallest.
using Tableau = std::array<std::array<std::vector<double>, most_rungs>, most_rungs>;

void extrapolate(Tableau& a, int rungs, int power) {
  for (int k = 1; k < rungs; ++k)
    for (int j = 1; j <= k; ++j) {
      const double divisor = std::exp2(power * j) - 1;
      const std::vector<double>&fine = a[k][j - 1], &coarse = a[k - 1][j - 1];
      a[k][j].resize(fine.size());
      for (size_t t = 0; t < fine.size(); ++t) a[k][j][t] = fine[t] + (fine[t] - coarse[t]) / divisor;
    }
}

// Half the difference of the derivatives on both sides of x, where it does not vanish with the step: |f′₊ − f′₋| = s(h) − c h − c′ h³ …
// with s(h) = |f(x + h) − 2 f(x) + f(x − h)| / h. A function with a corner at x has central differences that agree perfectly.
double corner(double s_coarse, double s_middle, double s_fine) {
  const double coarse = 2 * s_middle - s_coarse, fine = 2 * s_fine - s_middle, limit = fine + (fine - coarse) / 7;
  return std::abs(limit) > 4 * std::abs(limit - fine) ? std::abs(limit) / 2 : 0;
}

}  // namespace

std::array<double, DifferenceSteps::points> DifferenceSteps::places() const {
  std::array<double, points> out{};
  for (int i = 0; i < points; ++i)
    out[size_t(i)] = central ? x + (i % 2 == 0 ? 1 : -1) * std::ldexp(step, -(i / 2)) : x + std::ldexp(step, -i);
  return out;
}

DerivativeSeries derivative(const DifferenceSteps& steps, std::span<const double> at_x,
                            const std::array<std::span<const double>, DifferenceSteps::points>& around) {
  const size_t times = at_x.size();
  DerivativeSeries out{std::vector<double>(times, nan), std::vector<double>(times, infinity)};
  const auto place = steps.places();
  const int per_rung = steps.central ? 2 : 1, all = DifferenceSteps::points / per_rung;
  int first = all;  // rungs from here on are complete
  const auto known = [&](int rung) {
    for (int i = 0; i < per_rung; ++i)
      if (around[size_t(rung * per_rung + i)].empty()) return false;
    return true;
  };
  while (first > 0 && known(first - 1)) --first;
  const int rungs = all - first;
  if (rungs < 2 || times == 0) return out;

  Tableau a;
  double largest = 0;
  for (const double f : at_x) largest = std::max(largest, std::abs(f));
  for (int k = 0; k < rungs; ++k) {
    const size_t at = size_t((first + k) * per_rung);
    const std::span<const double> plus = around[at], minus = steps.central ? around[at + 1] : at_x;
    const double width = place[at] - (steps.central ? place[at + 1] : steps.x);  // as the digits of x allow it
    a[k][0].resize(times);
    for (size_t t = 0; t < times; ++t) a[k][0][t] = (plus[t] - minus[t]) / width;
  }
  extrapolate(a, rungs, steps.central ? 2 : 1);

  std::vector<double> error(times);
  for (int k = 1; k < rungs; ++k)
    for (int j = 1; j <= k; ++j) {
      for (size_t t = 0; t < times; ++t)
        error[t] = std::max(std::abs(a[k][j][t] - a[k][j - 1][t]), std::abs(a[k][j][t] - a[k - 1][j - 1][t]));
      widen(error);
      // The last digits of f, at the smallest step that is part of it.
      const double digits = 4 * std::numeric_limits<double>::epsilon() * largest / std::abs(std::ldexp(steps.step, -(first + k)));
      for (size_t t = 0; t < times; ++t)
        if (const double e = error[t] + digits; e < out.error[t]) out.error[t] = e, out.value[t] = a[k][j][t];
    }

  if (steps.central && rungs >= 3)
    for (size_t t = 0; t < times; ++t) {
      double s[3];
      for (int i = 0; i < 3; ++i) {
        const size_t at = size_t(all - 3 + i) * 2;
        s[i] = (around[at][t] - 2 * at_x[t] + around[at + 1][t]) / std::ldexp(steps.step, -(all - 3 + i));
      }
      out.error[t] = std::max(out.error[t], corner(s[0], s[1], s[2]));
    }
  return out;
}

}  // namespace aleator::core
