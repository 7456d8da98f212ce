#include "processes/shape.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include <fmt/format.h>

namespace aleator::core::processes {

Jet<double> Envelope::at(double t, Side side) const {
  const auto before = [&](double knot) { return side == Side::left ? t <= knot : t < knot; };
  if (!times.empty()) {
    if (before(times.front())) return {factors.front(), 0, 0};
    for (std::size_t i = 1; i < times.size(); ++i)
      if (before(times[i])) {
        const double slope = (factors[i] - factors[i - 1]) / (times[i] - times[i - 1]);
        return {factors[i - 1] + slope * (t - times[i - 1]), slope, 0};
      }
    return {factors.back(), 0, 0};
  }
  if (before(rise)) return {t * t / (rise * rise), 2 * t / (rise * rise), 2 / (rise * rise)};
  if (before(hold)) return {1, 0, 0};
  const double e = std::exp(-decay * (t - hold));
  return {e, -decay * e, decay * decay * e};
}

std::vector<double> Envelope::kinks() const {
  if (!times.empty()) return times;
  std::vector<double> at;
  if (rise > 0) at.push_back(rise);
  if (std::isfinite(hold) && decay != 0) at.push_back(hold);
  return at;
}

Jet<double> Marginal::operator()(double z) const {
  switch (kind) {
    case Kind::normal:
      break;
    case Kind::hermite:
      return {scale * (z + c3 * (z * z - 1) + c4 * (z * z * z - 3 * z)), scale * (1 + 2 * c3 * z + c4 * (3 * z * z - 3)),
              scale * (2 * c3 + 6 * c4 * z)};
    case Kind::lognormal: {
      const double side = s < 0 ? -1 : 1, a = std::abs(s), e = std::exp(side * a * z - a * a / 2) / std::sqrt(std::expm1(a * a));
      return {side * (e - 1 / std::sqrt(std::expm1(a * a))), a * e, side * a * a * e};
    }
    case Kind::uniform: {
      const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi), root = std::sqrt(3.0);
      return {root * std::erf(z / std::numbers::sqrt2), 2 * root * density, -2 * root * z * density};
    }
  }
  return {z, 1, 0};
}

// With h = z + c3 H2 + c4 H3 (E H2² = 2, E H3² = 6):
//   m2 = 1 + 2 c3² + 6 c4²,   m3 = 6 c3 + 8 c3³ + 36 c3 c4 + 108 c3 c4²,
//   m4 = 3 + 24 c4 + 60 c3² + 60 c3⁴ + 252 c4² + 1296 c4³ + 3348 c4⁴ + 576 c3² c4 + 2232 c3² c4².
// Newton for m3/m2^1.5 and m4/m2², from Winterstein's first approximation.
Marginal hermite(double skewness, double kurtosis) {
  Marginal m;
  m.kind = Marginal::Kind::hermite;
  const auto miss = [&](double c3, double c4) {
    const double a = c3 * c3, b = c4 * c4, m2 = 1 + 2 * a + 6 * b, m3 = c3 * (6 + 8 * a + 36 * c4 + 108 * b);
    const double m4 = 3 + 24 * c4 + 60 * a + 60 * a * a + 252 * b + 1296 * b * c4 + 3348 * b * b + 576 * a * c4 + 2232 * a * b;
    return std::pair{m3 / std::pow(m2, 1.5) - skewness, m4 / (m2 * m2) - kurtosis};
  };
  double c3 = skewness / 6, c4 = (kurtosis - 3) / 24;
  for (int i = 0; i < 60; ++i) {
    const auto [f, g] = miss(c3, c4);
    const double h = 1e-6;
    const auto [fa, ga] = miss(c3 + h, c4);
    const auto [fb, gb] = miss(c3, c4 + h);
    const double a = (fa - f) / h, b = (fb - f) / h, c = (ga - g) / h, d = (gb - g) / h, det = a * d - b * c;
    double x = (d * f - b * g) / det, y = (a * g - c * f) / det;
    const double most = std::max({std::abs(x), std::abs(y), 0.1}) / 0.1;
    c3 -= x / most, c4 -= y / most;
  }
  const auto [f, g] = miss(c3, c4);
  // g' = κ (1 − 3 c4 + 2 c3 z + 3 c4 z²) > 0 everywhere
  const bool rises = c4 == 0 ? c3 == 0 : c4 > 0 && c3 * c3 < 3 * c4 * (1 - 3 * c4);
  if (!(std::abs(f) + std::abs(g) < 1e-9) || !(rises || (skewness == 0 && kurtosis == 3)))
    throw std::invalid_argument(
        fmt::format("a skewness of {:g} with a kurtosis of {:g} has no rising cubic of a normal process: kurtosis must be above "
                    "3 + 1.5 skewness² or so, and at most 15",
                    skewness, kurtosis));
  m.c3 = c3, m.c4 = c4;
  m.scale = 1 / std::sqrt(1 + 2 * c3 * c3 + 6 * c4 * c4);
  return m;
}

// skewness = (w + 2) √(w − 1), w = e^{s²}
Marginal lognormal(double skewness) {
  if (skewness == 0) throw std::invalid_argument("a lognormal process needs a skewness other than 0");
  double low = 0, high = 3;
  for (int i = 0; i < 100; ++i) {
    const double s = (low + high) / 2, w = std::exp(s * s);
    ((w + 2) * std::sqrt(w - 1) < std::abs(skewness) ? low : high) = s;
  }
  Marginal m;
  m.kind = Marginal::Kind::lognormal;
  m.s = skewness < 0 ? -high : high;
  return m;
}

double Coherence::operator()(double omega, double distance) const {
  if (distance == 0) return 1;
  switch (kind) {
    case Kind::constant:
      return value;
    case Kind::exponential:
      return std::exp(-decay * omega * distance / (2 * std::numbers::pi * speed));
    case Kind::isotropic: {
      // of a field whose density along any line is n^−2p: 2 (x/2)^p K_p(x)/Γ(p), x = 2π n d
      const double x = omega * distance / speed;
      if (x < 1e-8) return 1;
      if (x > 600) return 0;
      return 2 * std::pow(x / 2, order) * std::cyl_bessel_k(order, x) / std::tgamma(order);
    }
  }
  return 0;
}

}  // namespace aleator::core::processes
