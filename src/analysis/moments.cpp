#include "analysis/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::core::analysis {

Moments::Moments(std::size_t q)
    : n_(q),
      mean_(q),
      m2_(q),
      m3_(q),
      m4_(q),
      min_(q, std::numeric_limits<double>::infinity()),
      max_(q, -std::numeric_limits<double>::infinity()) {}

void Moments::add(std::size_t i, double x) { add(i, {&x, 1}); }

void Moments::add(std::size_t first, std::span<const double> x) {
  // Arrays of their own each: the compiler may take several quantities at once.
  double *const n_all = &n_[first], *const mean = &mean_[first], *const m2 = &m2_[first], *const m3 = &m3_[first],
                *const m4 = &m4_[first], *const least = &min_[first], *const most = &max_[first];
  const std::size_t size = x.size();
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC ivdep
#endif
  for (std::size_t i = 0; i < size; ++i) {
    const double before = n_all[i], n = before + 1;
    const double d = x[i] - mean[i], dn = d / n, dn2 = dn * dn, term = d * dn * before;
    n_all[i] = n;
    mean[i] += dn;
    m4[i] += term * dn2 * (n * n - 3 * n + 3) + 6 * dn2 * m2[i] - 4 * dn * m3[i];
    m3[i] += term * dn * (n - 2) - 3 * dn * m2[i];
    m2[i] += term;
    least[i] = x[i] < least[i] ? x[i] : least[i];
    most[i] = most[i] < x[i] ? x[i] : most[i];
  }
}

results::Estimate Moments::mean(std::size_t i) const {
  return {n_[i] > 0 ? mean_[i] : std::numeric_limits<double>::quiet_NaN(), standard_deviation(i).value / std::sqrt(n_[i])};
}

results::Estimate Moments::standard_deviation(std::size_t i) const {
  const double n = n_[i];
  if (n < 2) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const double variance = m2_[i] / (n - 1), s = std::sqrt(variance);
  if (!(s > 0)) return {s, 0};
  // Var(s²) = κ4/n + 2 σ⁴/(n−1), without bias by k-statistics (2 n s⁴ + (n−1) k4) / (n (n+1)); of three values as of normal ones.
  const double m4 = m4_[i] / n, m2 = m2_[i] / n, v2 = variance * variance;
  const double k4 = n > 3 ? n * n * ((n + 1) * m4 - 3 * (n - 1) * m2 * m2) / ((n - 1) * (n - 2) * (n - 3)) : 0;
  const double of_variance = n > 3 ? (2 * n * v2 + (n - 1) * k4) / (n * (n + 1)) : 2 * v2 / (n + 1);
  // δ ln s = δ(s²) / 2s². It is ln s that is nearly normal: ± two errors reach as far as the farther end of its interval, e^(2δ) s.
  return {s, s * std::expm1(std::sqrt(std::max(0.0, of_variance)) / variance) / 2};
}

double Moments::mean_square_about(std::size_t i, double center) const {
  return m2_[i] / n_[i] + (mean_[i] - center) * (mean_[i] - center);
}

void Moments::append(const Moments& later) {
  for (std::size_t i = 0; i < n_.size(); ++i) {
    const double na = n_[i], nb = later.n_[i], n = na + nb, d = later.mean_[i] - mean_[i];
    if (nb == 0) continue;
    const double a2 = m2_[i], b2 = later.m2_[i], a3 = m3_[i], b3 = later.m3_[i], dn = d / n;
    m4_[i] += later.m4_[i] + d * dn * dn * dn * na * nb * (na * na - na * nb + nb * nb) +
              6 * dn * dn * (na * na * b2 + nb * nb * a2) + 4 * dn * (na * b3 - nb * a3);
    m3_[i] += b3 + d * dn * dn * na * nb * (na - nb) + 3 * dn * (na * b2 - nb * a2);
    m2_[i] += b2 + d * dn * na * nb;
    mean_[i] = na == 0 ? later.mean_[i] : mean_[i] + dn * nb;
    n_[i] = n;
    min_[i] = std::min(min_[i], later.min_[i]);
    max_[i] = std::max(max_[i], later.max_[i]);
  }
}

void Moments::clear() {
  for (auto* v : {&n_, &mean_, &m2_, &m3_, &m4_}) std::fill(v->begin(), v->end(), 0.0);
  std::fill(min_.begin(), min_.end(), std::numeric_limits<double>::infinity());
  std::fill(max_.begin(), max_.end(), -std::numeric_limits<double>::infinity());
}

void Moments::save(const PutState& put) const {
  for (const auto* v : {&n_, &mean_, &m2_, &m3_, &m4_, &min_, &max_}) put(*v);
}

void Moments::load(StateReader& from) {
  for (auto* v : {&n_, &mean_, &m2_, &m3_, &m4_, &min_, &max_}) from.numbers_into(*v);
  for (const double n : n_) StateReader::require(n >= 0 && n <= most_values);
}

}  // namespace aleator::core::analysis
