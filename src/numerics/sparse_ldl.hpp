// A symmetric matrix by the program of sparse_lu.hpp: A = L D Lᵀ, half the operations of L U. It needs pivots on the diagonal of A,
// row_order == column_order. Of the factors D (reciprocals of the pivots, and L_D below them) and L are used; U is a workspace.
#pragma once

#include "numerics/sparse_lu.hpp"

namespace aleator::core {

inline bool has_symmetric_pivots(const LuProgram& program) { return program.row_order == program.column_order; }

namespace detail {

template <int W, class T, class Check>
void eliminate_symmetric(const LuProgram& program, const LuProgram::Supernode& s, LuFactors<T>& factors, Check& check) {
  T* const entry = factors.entry.data();
  T* const d = entry + s.storage;
  T* const l = d + W * W;
  T* const unscaled = l + s.rows * W;  // L D
  for (int k = 0; k < W; ++k) {
    check(s.first + k, d[k * W + k]);
    const T reciprocal = T(1.0) / d[k * W + k];
    T column[W];
    for (int i = k + 1; i < W; ++i) column[i] = d[i * W + k];
    for (int i = k + 1; i < W; ++i) {
      const T x = column[i] * reciprocal;
      for (int j = i; j < W; ++j) d[j * W + i] = subtract_product(d[j * W + i], x, column[j]);
      d[i * W + k] = x;
    }
    d[k * W + k] = reciprocal;
  }
  for (int r = 0; r < s.rows; ++r) {
    T row[W];
    for (int k = 0; k < W; ++k) row[k] = l[r * W + k];
    solve_column<W>(d, row);
    for (int k = 0; k < W; ++k) unscaled[r * W + k] = row[k], l[r * W + k] = row[k] * d[k * W + k];
  }
  const int* const target = program.targets.data() + s.target;
  for (int r = 0; r < s.rows; ++r)
    for (int c = 0; c <= r; ++c) {
      T sum = entry[target[r * s.rows + c]];
      for (int k = 0; k < W; ++k) sum = subtract_product(sum, l[r * W + k], unscaled[c * W + k]);
      entry[target[r * s.rows + c]] = sum;
    }
}

template <class T, class Check>
void factor_symmetric(const LuProgram& program, const T* values, LuFactors<T>& factors, Check& check) {
  load(program, values, factors);
  for (const LuProgram::Supernode& s : program.supernodes)
    with_width(s.width, [&]<int W>() { eliminate_symmetric<W>(program, s, factors, check); });
}

}  // namespace detail

// What solve_symmetric does not read is zero: it need not be kept.
template <class T>
void clear_workspace(const LuProgram& program, LuFactors<T>& factors) {
  for (const LuProgram::Supernode& s : program.supernodes) {
    T* const d = factors.entry.data() + s.storage;
    for (int i = 0; i < s.width; ++i)
      for (int j = i + 1; j < s.width; ++j) d[i * s.width + j] = T(0.0);
    T* const u = d + s.width * (s.width + s.rows);
    for (int k = 0; k < s.rows * s.width; ++k) u[k] = T(0.0);
  }
}

// As factor and factor_against, with the same pivots and the same checks of them.
template <class T>
MaskOf<T> factor_symmetric(const LuProgram& program, const T* values, LuFactors<T>& factors) {
  MaskOf<T> bad = false;
  const auto check = [&](int k, const T& pivot) {
    const T size = abs(pivot);
    bad = bad | !((size > T(program.pivot_limit[k]) * factors.column_sum[k]) & (size <= T(std::numeric_limits<double>::max())));
  };
  detail::factor_symmetric(program, values, factors, check);
  return bad;
}
template <class T>
MaskOf<T> factor_symmetric_against(const LuProgram& program, double tolerance, const T* values, LuFactors<T>& factors) {
  using Magnitude = MagnitudeOf<T>;
  const PartScope<Magnitude> scope(Part::factorisation);
  Magnitude smallest(1);
  const auto check = [&](int k, const T& pivot) {
    const double before = program.pivot[k];
    if constexpr (std::is_same_v<T, Magnitude>)
      smallest = min(smallest, pivot * T(1 / before));
    else
      smallest = min(smallest, abs(pivot) * Magnitude(1 / std::fabs(before)));
  };
  detail::factor_symmetric(program, values, factors, check);
  clear_workspace(program, factors);
  return !(smallest > Magnitude(tolerance));
}

template <class T>
void solve_symmetric(const LuProgram& program, LuFactors<T>& factors, T* x) {
  const PartScope<MagnitudeOf<T>> scope(Part::solution);
  T* const y = factors.work.data();
  for (int k = 0; k < program.n; ++k) y[k] = x[program.row_order[k]];
  for (auto s = program.supernodes.begin(); s != program.supernodes.end(); ++s)
    detail::with_width(s->width, [&]<int W>() { detail::solve_lower<W>(program, *s, factors, y); });
  for (auto s = program.supernodes.rbegin(); s != program.supernodes.rend(); ++s)
    detail::with_width(s->width, [&]<int W>() {
      for (int k = 0; k < W; ++k) y[s->first + k] *= factors.entry[s->storage + k * W + k];
      detail::solve_lower_transposed<W>(program, *s, factors, y);
    });
  for (int k = 0; k < program.n; ++k) x[program.column_order[k]] = y[k];
}

}  // namespace aleator::core
