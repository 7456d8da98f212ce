#include "report/ticks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "report/text.hpp"

namespace aleator::core::report {
namespace {

// The unit that the labels are in: 1 of it is `size` of the axis.
struct Scale {
  double size = 1;
  std::string unit;
};

// "ms" for small times, "kN" for large forces; where no prefix is usual, a power of ten before the unit.
Scale scale_of(const Axis& axis) {
  const std::string unit = pretty_unit(axis.unit);
  const double largest = std::max(std::abs(axis.low), std::abs(axis.high));
  if (!(largest > 0) || !std::isfinite(largest)) return {1, unit};
  const bool plain = largest >= 0.1 && largest < 1e4;
  if (plain) return {1, unit};
  const int exponent = 3 * int(std::floor((std::log10(largest) + 1e-9) / 3));
  const bool prefixed = unit == "s" || unit == "m" || unit == "N" || unit == "J" || unit == "W" || unit == "Pa";
  const bool large = exponent > 0 && unit != "s" && unit != "m";
  const std::pair<int, const char*> prefixes[] = {{-9, "n"}, {-6, "µ"}, {-3, "m"}, {3, "k"}, {6, "M"}, {9, "G"}};
  if (prefixed)
    for (const auto& [e, prefix] : prefixes)
      if (e == exponent && (e < 0 || large)) return {std::pow(10, e), prefix + unit};
  if (largest >= 1e-3 && largest < 1e5) return {1, unit};
  return {std::pow(10, exponent), unit.empty() ? power_of_ten(exponent) : power_of_ten(exponent) + " " + unit};
}

void add_linear(const Axis& axis, int most, const Scale& scale, Ticks& ticks) {
  const double low = axis.low / scale.size, high = axis.high / scale.size;
  if (!(high - low > 1e-12 * std::max(std::abs(low), std::abs(high)))) {  // no room for multiples of anything
    ticks.at.push_back(axis.low);
    ticks.labels.push_back(short_number(low));
    return;
  }
  const double step = nice_step(low, high, most);
  const int decimals = std::clamp(int(-std::floor(std::log10(step) + 1e-9)), 0, 15);
  const double slack = 1e-9 * (high - low) / step;  // a mark at the end of the axis is on it
  for (double k = std::ceil(low / step - slack); k <= high / step + slack; ++k) {
    ticks.at.push_back(std::clamp(k * step * scale.size, axis.low, axis.high));
    ticks.labels.push_back(fixed_number(k * step, decimals));
  }
}

// 1, 2, 5 of each decade; 1 alone, or of every second, third … decade when these are too many.
void add_logarithmic(const Axis& axis, int most, Ticks& ticks) {
  const int first = int(std::floor(std::log10(axis.low) + 1e-9)), last = int(std::ceil(std::log10(axis.high) - 1e-9));
  const auto take = [&](std::initializer_list<double> factors, int every) {
    ticks.at.clear();
    for (int e = first; e <= last; e += every)
      for (const double f : factors)
        if (const double x = f * std::pow(10, e); x >= axis.low * (1 - 1e-9) && x <= axis.high * (1 + 1e-9))
          ticks.at.push_back(x);
    return int(ticks.at.size()) <= most;
  };
  if (!take({1, 2, 5}, 1))
    for (int every = 1; !take({1}, every);) ++every;
  for (const double x : ticks.at) {
    const int e = int(std::floor(std::log10(x) + 1e-9));
    const bool power = std::abs(x / std::pow(10, e) - 1) < 1e-9;
    ticks.labels.push_back(power && (e > 3 || e < -3) ? power_of_ten(e) : short_number(x));
  }
}

}  // namespace

double nice_step(double low, double high, int most) {
  const double width = high - low;
  for (double power = std::pow(10, std::floor(std::log10(width / std::max(1, most))));; power *= 10)
    for (const double factor : {1, 2, 5}) {
      const double step = factor * power;
      if (std::floor(high / step + 1e-9) - std::ceil(low / step - 1e-9) + 1 <= most) return step;
    }
}

Ticks ticks_of(const Axis& axis, int most) {
  Ticks ticks;
  const Scale scale = axis.logarithmic ? Scale{1, pretty_unit(axis.unit)} : scale_of(axis);
  ticks.title = scale.unit.empty() ? axis.name : axis.name.empty() ? scale.unit : fmt::format("{} ({})", axis.name, scale.unit);
  if (axis.logarithmic)
    add_logarithmic(axis, most, ticks);
  else
    add_linear(axis, most, scale, ticks);
  return ticks;
}

void pad(double& low, double& high, double share) {
  if (!(low <= high) || !std::isfinite(low) || !std::isfinite(high)) low = 0, high = 1;
  const double size = std::max(std::abs(low), std::abs(high));
  // Numbers that agree to round-off are one number, and get a range of their own size.
  const double air = high - low > 1e-12 * size ? share * (high - low) : size > 0 ? 0.1 * size : 1;
  low -= air;
  high += air;
}

}  // namespace aleator::core::report
