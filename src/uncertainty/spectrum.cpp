#include "uncertainty/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aleator::core {
namespace {

using Kind = Correlation::Kind;

// The entries of a table with its first point, (0, 1).
struct TabledPoints {
  std::vector<double> d = {0}, value = {1};
  explicit TabledPoints(const Correlation& c) {
    for (std::size_t i = 0; i < c.distances.size(); ++i)
      if (c.distances[i] > 0) d.push_back(c.distances[i]), value.push_back(c.values[i]);
  }
  double rest() const { return std::max(0.0, value.back()); }
};

double spectrum_of_table(const TabledPoints& t, double k) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < t.d.size(); ++i) {
    const double from = t.d[i], to = t.d[i + 1], width = to - from, slope = (t.value[i + 1] - t.value[i]) / width;
    if (k * to < 1e-4)
      sum += width * ((t.value[i] + t.value[i + 1]) / 2 - t.value.back());
    else  // cos b − cos a = −2 sin((a + b)/2) sin((b − a)/2), without its cancellation
      sum += -2 * slope * std::sin(k * (from + to) / 2) * std::sin(k * width / 2) / (k * k);
  }
  return sum / std::numbers::pi;
}

// Both of the wave numbers from 0 to k, counted twice for ±κ: the power, ∫ 2 S dκ, and the first moment, ∫ 2 κ S dκ.
struct Below {
  double power = 0, moment = 0;
};

Below below(const Correlation& c, double k) {
  const double a = (c.kind == Kind::matern32 ? std::sqrt(3.0) : c.kind == Kind::matern52 ? std::sqrt(5.0) : 1) / c.length;
  const double t = k / a, u = 1 / (1 + t * t);
  switch (c.kind) {
    case Kind::exponential:
      return {2 / std::numbers::pi * std::atan(t), a / std::numbers::pi * std::log1p(t * t)};
    case Kind::squared_exponential:
      return {std::erf(t / 2), -2 * a / std::sqrt(std::numbers::pi) * std::expm1(-t * t / 4)};
    case Kind::matern32:
      return {2 / std::numbers::pi * (std::atan(t) + t * u), 2 * a / std::numbers::pi * t * t * u};
    case Kind::matern52:
      return {2 / std::numbers::pi * (std::atan(t) + t * u + 2.0 / 3 * t * u * u),
              4 * a / (3 * std::numbers::pi) * t * t * u * (1 + u)};
    case Kind::table:
      break;
  }
  return {};
}

// Between two wave numbers; of a table by the midpoint rule in steps that resolve the farthest distance.
Below between(const Correlation& c, double from, double to) {
  if (c.kind != Kind::table) {
    const Below x = below(c, from), y = below(c, to);
    return {y.power - x.power, y.moment - x.moment};
  }
  const TabledPoints t(c);
  const int steps = int(std::clamp((to - from) * t.d.back() / 0.01, 64.0, 1e5));
  const double h = (to - from) / steps;
  Below sum;
  for (int i = 0; i < steps; ++i) {
    const double k = from + (i + 0.5) * h, power = 2 * h * std::max(0.0, spectrum_of_table(t, k));
    sum.power += power;
    sum.moment += k * power;
  }
  return sum;
}

}  // namespace

double spectrum(const Correlation& c, double k) {
  const double l = c.length;
  switch (c.kind) {
    case Kind::exponential:
      return l / (std::numbers::pi * (1 + k * k * l * l));
    case Kind::squared_exponential:
      return l / (2 * std::sqrt(std::numbers::pi)) * std::exp(-k * k * l * l / 4);
    case Kind::matern32: {
      const double a = std::sqrt(3.0) / l, s = a * a + k * k;
      return 2 * a * a * a / (std::numbers::pi * s * s);
    }
    case Kind::matern52: {
      const double a = std::sqrt(5.0) / l, s = a * a + k * k;
      return 8 * std::pow(a, 5) / (3 * std::numbers::pi * s * s * s);
    }
    case Kind::table:
      break;
  }
  return spectrum_of_table(TabledPoints(c), k);
}

double power_below(const Correlation& c, double k) {
  const double rest = c.kind == Kind::table ? TabledPoints(c).rest() : 0;
  return std::min(1.0, rest + between(c, 0, k).power);
}

std::vector<double> spectral_weights(const Correlation& c, std::span<const double> k) {
  std::vector<double> w(k.size());
  if (c.kind == Kind::table) w[0] = TabledPoints(c).rest();
  double sum = w[0];
  for (std::size_t i = 0; i + 1 < k.size(); ++i) {
    const Below x = between(c, k[i], k[i + 1]);
    const double upper = std::clamp((x.moment - k[i] * x.power) / (k[i + 1] - k[i]), 0.0, x.power);
    w[i] += x.power - upper;
    w[i + 1] += upper;
    sum += x.power;
  }
  if (sum > 1)
    for (double& x : w) x /= sum;
  else
    w.back() += 1 - sum;
  return w;
}

}  // namespace aleator::core
