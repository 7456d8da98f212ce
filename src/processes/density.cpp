#include "processes/density.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

namespace aleator::core::processes {

namespace {

// A one-sided density per Hz.
template <class G>
Density of_frequency(G one_sided) {
  return {[one_sided](double omega) { return one_sided(omega / (2 * pi)) / (4 * pi); }};
}

double ground(double omega, double omega_g, double zeta_g) {
  const double r = omega / omega_g, d = 4 * zeta_g * zeta_g * r * r, e = 1 - r * r;
  return (1 + d) / (e * e + d);
}

// Gauss–Legendre, eight points on [−1, 1].
constexpr std::array node = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
constexpr std::array weight = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

template <class F>
double gauss(const F& f, double a, double b) {
  const double middle = (a + b) / 2, half = (b - a) / 2;
  double sum = 0;
  for (std::size_t i = 0; i < node.size(); ++i) sum += weight[i] * (f(middle - half * node[i]) + f(middle + half * node[i]));
  return sum * half;
}

template <class F>
double adaptive(const F& f, double a, double b, double whole, double tolerance, int depth) {
  const double m = (a + b) / 2, left = gauss(f, a, m), right = gauss(f, m, b);
  if (depth == 0 || std::abs(left + right - whole) <= tolerance) return left + right;
  return adaptive(f, a, m, left, tolerance / 2, depth - 1) + adaptive(f, m, b, right, tolerance / 2, depth - 1);
}

// ∫ f dω over [a, b] in octaves about the density's own frequency, so that a peak far from the middle is not missed.
template <class F>
double integral(const Density& s, const F& f, double a, double b) {
  std::vector<double> ends = {a, b};
  for (const double k : s.kinks)
    if (k > a && k < b) ends.push_back(k);
  for (double w = s.scale; w > a && w > 1e-6 * s.scale; w /= 2)
    if (w < b) ends.push_back(w);
  for (double w = 2 * s.scale; w < b && w < 1e12 * s.scale; w *= 2)
    if (w > a) ends.push_back(w);
  std::sort(ends.begin(), ends.end());
  double rough = 0;
  for (std::size_t i = 1; i < ends.size(); ++i) rough += gauss(f, ends[i - 1], ends[i]);
  double sum = 0;
  for (std::size_t i = 1; i < ends.size(); ++i)
    sum += adaptive(f, ends[i - 1], ends[i], gauss(f, ends[i - 1], ends[i]), 1e-8 * std::abs(rough), 12);
  return sum;
}

}  // namespace

Density kanai_tajimi(double S0, double omega_g, double zeta_g) {
  return {.two_sided = [=](double w) { return S0 * ground(w, omega_g, zeta_g); }, .scale = omega_g};
}

Density clough_penzien(double S0, double omega_g, double zeta_g, double omega_f, double zeta_f) {
  return {.two_sided =
              [=](double w) {
                const double e = omega_f * omega_f - w * w, d = 2 * zeta_f * omega_f * w;
                return S0 * ground(w, omega_g, zeta_g) * std::pow(w, 4) / (e * e + d * d);
              },
          .scale = omega_g,
          .kinks = {omega_f}};
}

Density road(double roughness, double waviness, double speed, double least, double most) {
  Density s = of_frequency([=](double f) { return roughness * std::pow(f / (speed * 0.1), -waviness) / speed; });
  s.lowest = 2 * pi * least * speed, s.highest = 2 * pi * most * speed;
  s.scale = 2 * pi * 0.1 * speed;
  return s;
}

Density jonswap(double height, double period, double gamma) {
  const double peak = 2 * pi / period;
  return {.two_sided =
              [=](double w) {
                if (!(w > 0.05 * peak)) return 0.0;  // exp(−1.25 · 20⁴) is nothing
                const double r = peak / w, sigma = w <= peak ? 0.07 : 0.09, x = (w / peak - 1) / sigma;
                const double one = 5.0 / 16 * height * height * std::pow(peak, 4) * std::pow(w, -5) *
                                   std::exp(-1.25 * std::pow(r, 4)) * (1 - 0.287 * std::log(gamma)) *
                                   std::pow(gamma, std::exp(-x * x / 2));
                return one / 2;
              },
          .scale = peak,
          .kinks = {0.8 * peak, 1.3 * peak}};
}

Density von_karman(double deviation, double length, double speed) {
  const double time = length / speed;
  Density s = of_frequency(
      [=](double f) { return deviation * deviation * 4 * time / std::pow(1 + 70.8 * f * f * time * time, 5.0 / 6); });
  s.scale = 2 * pi / time / 8;
  return s;
}

Density kaimal(double deviation, double length, double speed) {
  const double time = length / speed;
  Density s = of_frequency([=](double f) { return deviation * deviation * 4 * time / std::pow(1 + 6 * f * time, 5.0 / 3); });
  s.scale = 2 * pi / time / 6;
  return s;
}

Density filtered(double S0, const std::vector<double>& numerator, const std::vector<double>& denominator) {
  const auto squared = [](const std::vector<double>& c, double w) {
    std::complex<double> sum = 0;
    for (std::size_t k = c.size(); k-- > 0;) sum = sum * std::complex<double>(0, w) + c[k];
    return std::norm(sum);
  };
  const auto& a = denominator;
  const double order = double(a.size()) - 1;
  const double scale = order > 0 && a[0] != 0 ? std::pow(std::abs(a[0] / a.back()), 1 / order) : 1;
  return {.two_sided = [=](double w) { return S0 * squared(numerator, w) / squared(denominator, w); }, .scale = scale};
}

Density table(std::vector<std::pair<double, double>> points) {
  Density s;
  s.lowest = points.front().first, s.highest = points.back().first;
  s.scale = std::sqrt(s.lowest * s.highest);
  for (const auto& [w, _] : points) s.kinks.push_back(w);
  s.two_sided = [points = std::move(points)](double w) {
    auto next = std::upper_bound(points.begin(), points.end(), w, [](double x, const auto& p) { return x < p.first; });
    next = std::clamp(next, points.begin() + 1, points.end() - 1);
    const auto &a = *(next - 1), &b = *next;
    return a.second * std::pow(w / a.first, std::log(b.second / a.second) / std::log(b.first / a.first));
  };
  return s;
}

double variance_between(const Density& s, double a, double b) {
  a = std::max(a, s.lowest), b = std::min(b, s.highest);
  if (!(b > a)) return 0;
  return 2 * integral(s, s.two_sided, a, b);
}

double variance(const Density& s) {
  if (std::isfinite(s.highest)) return variance_between(s, 0, s.highest);
  const double far = 1e6 * s.scale, near = variance_between(s, 0, far / 1e3), all = near + variance_between(s, far / 1e3, far);
  const double last = 2 * far * s.two_sided(far);  // of a tail ω^−p the rest is last/(p − 1)
  const double slope = -std::log(s.two_sided(2 * far) / s.two_sided(far)) / std::log(2.0);
  if (!(last > 0)) return all;
  if (!(slope > 1.02)) return std::numeric_limits<double>::infinity();
  return all + last / (slope - 1);
}

double quantile(const Density& s, double share) {
  const double all = variance(s);
  double low = s.lowest, high = std::isfinite(s.highest) ? s.highest : s.scale;
  if (!std::isfinite(s.highest))
    while (variance_between(s, 0, high) < share * all && high < 1e9 * s.scale) high *= 2;
  if (variance_between(s, 0, high) < share * all) return high;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    (variance_between(s, 0, middle) < share * all ? low : high) = middle;
  }
  return high;
}

Bandwidth bandwidth(const Density& s, double cutoff) {
  const double a = s.lowest, b = std::min(cutoff, s.highest);
  const auto moment = [&](int order) {
    return integral(
        s, [&](double w) { return std::pow(w, order) * s.two_sided(w); }, a, b);
  };
  const double m0 = moment(0), m1 = moment(1), m2 = moment(2);
  return {std::sqrt(m2 / m0) / (2 * pi), std::sqrt(std::max(0.0, 1 - m1 * m1 / (m0 * m2)))};
}

}  // namespace aleator::core::processes
