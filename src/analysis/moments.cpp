#include "analysis/moments.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/sort_columns.hpp"

namespace aleator::core::analysis {
namespace {

using TwoColumns = double __attribute__((vector_size(16), may_alias));
using FourColumns = double __attribute__((vector_size(32), may_alias));

enum TileMoment { tile_mean, tile_m2, tile_m3, tile_m4, tile_least, tile_most, tile_moments };
using TileMoments = double[tile_moments][columns_at_once];

// c = x₀ + Σ (x − x₀)/n, then Σ (x − c)ᵏ: of a constant exactly 0. Sums of every fourth, or every other, value do not wait for each other; what
// is added to what does not depend on the width of V.
template <class V>
[[gnu::always_inline]] inline const V& lanes_at(const double* x) {
  return *reinterpret_cast<const V*>(x);
}
template <class V>
[[gnu::always_inline]] inline void take_value(const V& x, const V& first, V& sum, V& low, V& high) {
  sum += x - first;
  low = x < low ? x : low;
  high = high < x ? x : high;
}
template <class V>
[[gnu::always_inline]] inline void take_powers(const V& x, const V& center, V& s2, V& s3, V& s4) {
  const V d = x - center, d2 = d * d;
  s2 += d2;
  s3 += d2 * d;
  s4 += d2 * d2;
}
template <class V>
[[gnu::always_inline]] inline void moments_of(const double* tile, std::size_t rows, TileMoments& out) {
  constexpr std::size_t w = columns_at_once;
  for (std::size_t lane = 0; lane < w; lane += sizeof(V) / sizeof(double)) {
    const double *const x = tile + lane, *const end = x + rows * w, *at = x;
    const V first = lanes_at<V>(x);
    V sum[4] = {}, low = first, high = first;
    for (; at + 4 * w <= end; at += 4 * w) {
      take_value(lanes_at<V>(at), first, sum[0], low, high);
      take_value(lanes_at<V>(at + w), first, sum[1], low, high);
      take_value(lanes_at<V>(at + 2 * w), first, sum[2], low, high);
      take_value(lanes_at<V>(at + 3 * w), first, sum[3], low, high);
    }
    for (std::size_t k = 0; at < end; at += w, ++k) take_value(lanes_at<V>(at), first, sum[k], low, high);
    const V center = first + ((sum[0] + sum[1]) + (sum[2] + sum[3])) / double(rows);
    V s2[2] = {}, s3[2] = {}, s4[2] = {};
    for (at = x; at + 2 * w <= end; at += 2 * w) {
      take_powers(lanes_at<V>(at), center, s2[0], s3[0], s4[0]);
      take_powers(lanes_at<V>(at + w), center, s2[1], s3[1], s4[1]);
    }
    if (at < end) take_powers(lanes_at<V>(at), center, s2[0], s3[0], s4[0]);
    const V all[tile_moments] = {center, s2[0] + s2[1], s3[0] + s3[1], s4[0] + s4[1], low, high};
    for (int kind = 0; kind < tile_moments; ++kind) *reinterpret_cast<V*>(&out[kind][lane]) = all[kind];
  }
}

using MomentsOf = void (*)(const double* tile, std::size_t rows, TileMoments& out);
void moments_by_two(const double* tile, std::size_t rows, TileMoments& out) { moments_of<TwoColumns>(tile, rows, out); }
#if defined(__x86_64__)
[[gnu::target("avx2")]] void moments_by_four(const double* tile, std::size_t rows, TileMoments& out) {
  moments_of<FourColumns>(tile, rows, out);
}
#endif

MomentsOf widest_moments() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return moments_by_four;
#endif
  return moments_by_two;
}
const MomentsOf moments_of_tile = widest_moments();

}  // namespace

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

void Moments::set(std::size_t first, std::size_t count, const double* tile, std::size_t rows) {
  if (rows == 0) return;
  alignas(64) TileMoments all;
  moments_of_tile(tile, rows, all);
  std::fill_n(&n_[first], count, double(rows));
  std::vector<double>* const to[tile_moments] = {&mean_, &m2_, &m3_, &m4_, &min_, &max_};
  for (int kind = 0; kind < tile_moments; ++kind) std::copy_n(all[kind], count, to[kind]->begin() + long(first));
}

void Moments::set(double n, const double* sums) {
  std::fill(n_.begin(), n_.end(), n);
  for (auto* to : {&mean_, &m2_, &m3_, &m4_, &min_, &max_}) std::copy_n(sums, n_.size(), to->begin()), sums += n_.size();
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
