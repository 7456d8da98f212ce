#include "analysis/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::analysis {

Moments::Moments(std::size_t q)
    : n_(q),
      mean_(q),
      m2_(q),
      m3_(q),
      m4_(q),
      min_(q, std::numeric_limits<double>::infinity()),
      max_(q, -std::numeric_limits<double>::infinity()) {}

void Moments::add(std::size_t i, double x) {
  const double before = n_[i]++, n = n_[i];
  const double d = x - mean_[i], dn = d / n, dn2 = dn * dn, term = d * dn * before;
  mean_[i] += dn;
  m4_[i] += term * dn2 * (n * n - 3 * n + 3) + 6 * dn2 * m2_[i] - 4 * dn * m3_[i];
  m3_[i] += term * dn * (n - 2) - 3 * dn * m2_[i];
  m2_[i] += term;
  min_[i] = std::min(min_[i], x);
  max_[i] = std::max(max_[i], x);
}

void Moments::add(std::span<const double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) add(i, x[i]);
}

results::Estimate Moments::mean(std::size_t i) const {
  return {n_[i] > 0 ? mean_[i] : std::numeric_limits<double>::quiet_NaN(), standard_deviation(i).value / std::sqrt(n_[i])};
}

results::Estimate Moments::standard_deviation(std::size_t i) const {
  const double n = n_[i];
  if (n < 2) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  const double variance = m2_[i] / (n - 1), s = std::sqrt(variance);
  // Var(s²) = (μ4 − σ⁴ (n−3)/(n−1)) / n, and δs = δ(s²) / 2s.
  const double of_variance = (m4_[i] / n - variance * variance * (n - 3) / (n - 1)) / n;
  return {s, s > 0 ? std::sqrt(std::max(0.0, of_variance)) / (2 * s) : 0};
}

void Moments::save(std::vector<double>& to) const {
  for (const auto* v : {&n_, &mean_, &m2_, &m3_, &m4_, &min_, &max_}) to.insert(to.end(), v->begin(), v->end());
}

const double* Moments::load(const double* from) {
  for (auto* v : {&n_, &mean_, &m2_, &m3_, &m4_, &min_, &max_}) {
    std::copy(from, from + v->size(), v->begin());
    from += v->size();
  }
  return from;
}

}  // namespace aleator::analysis
