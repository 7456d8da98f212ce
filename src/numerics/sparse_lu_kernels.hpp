// The replay of an LuProgram on a scalar T: double, traced, dual, or Complex of one of them. Included by sparse_lu.hpp.
//
// Kernels are templates on the width W of a supernode, so that rows of L and columns of U stay in registers. Sums are
// accumulated in a fixed order with multiply_add, the same for all scalars.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "numerics/sparse_lu.hpp"
#include "numerics/traced.hpp"

namespace aleator::core::detail {

// x - a b
template <class T>
ALEATOR_INLINE T subtract_product(const T& x, const T& a, const T& b) {
  return multiply_add(-a, b, x);
}

// Calls f.template operator()<W>() for the width found in the program.
template <class F>
ALEATOR_INLINE void with_width(int width, F&& f) {
  switch (width) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    default:
      static_assert(LuProgram::max_width == 6);
      return f.template operator()<6>();
  }
}

// D = L_D U_D in place, reciprocals of the pivots on the diagonal. `check` sees every pivot.
template <int W, class T, class Check>
void factor_diagonal(T* d, int first, Check& check) {
  for (int k = 0; k < W; ++k) {
    check(first + k, d[k * W + k]);
    const T reciprocal = T(1.0) / d[k * W + k];
    d[k * W + k] = reciprocal;
    for (int i = k + 1; i < W; ++i) {
      const T l = d[i * W + k] * reciprocal;
      d[i * W + k] = l;
      for (int j = k + 1; j < W; ++j) d[i * W + j] = subtract_product(d[i * W + j], l, d[k * W + j]);
    }
  }
}

// One row of L:  l <- l U_D^-1.
template <int W, class T>
ALEATOR_INLINE void solve_row(const T* d, T* l) {
  for (int j = 0; j < W; ++j) {
    l[j] *= d[j * W + j];
    for (int i = j + 1; i < W; ++i) l[i] = subtract_product(l[i], l[j], d[j * W + i]);
  }
}

// One column of U (or of a right-hand side):  u <- L_D^-1 u.
template <int W, class T>
ALEATOR_INLINE void solve_column(const T* d, T* u) {
  for (int k = 0; k < W; ++k)
    for (int i = k + 1; i < W; ++i) u[i] = subtract_product(u[i], d[i * W + k], u[k]);
}

template <int W, class T, class Check>
void eliminate(const LuProgram& program, const LuProgram::Supernode& s, LuFactors<T>& factors, Check& check) {
  T* const entry = factors.entry.data();
  T* const d = entry + s.storage;
  T* const l = d + W * W;
  T* const u = l + s.rows * W;
  factor_diagonal<W>(d, s.first, check);
  for (int r = 0; r < s.rows; ++r) {
    T row[W], column[W];  // in registers
    for (int k = 0; k < W; ++k) row[k] = l[r * W + k];
    for (int k = 0; k < W; ++k) column[k] = u[r * W + k];
    solve_row<W>(d, row);
    solve_column<W>(d, column);
    for (int k = 0; k < W; ++k) l[r * W + k] = row[k];
    for (int k = 0; k < W; ++k) u[r * W + k] = column[k];
  }
  const int* target = program.targets.data() + s.target;
  for (int r = 0; r < s.rows; ++r) {
    T row[W];
    for (int k = 0; k < W; ++k) row[k] = -l[r * W + k];
    for (int c = 0; c < s.rows; ++c) {
      T sum = entry[*target];
      for (int k = 0; k < W; ++k) sum = multiply_add(row[k], u[c * W + k], sum);
      entry[*target++] = sum;
    }
  }
}

// y <- L^-1 y for the columns of one supernode, and its contribution to the rows below.
template <int W, class T>
void solve_lower(const LuProgram& program, const LuProgram::Supernode& s, const LuFactors<T>& factors, T* y) {
  const T* const d = factors.entry.data() + s.storage;
  const T* const l = d + W * W;
  const int* const row = program.rows_below.data() + s.row;
  T x[W];
  for (int k = 0; k < W; ++k) x[k] = y[s.first + k];
  solve_column<W>(d, x);
  for (int k = 0; k < W; ++k) y[s.first + k] = x[k];
  for (int r = 0; r < s.rows; ++r) {
    T sum = y[row[r]];
    for (int k = 0; k < W; ++k) sum = subtract_product(sum, l[r * W + k], x[k]);
    y[row[r]] = sum;
  }
}

// y <- U^-1 y for the columns of one supernode, when all later ones are known.
template <int W, class T>
void solve_upper(const LuProgram& program, const LuProgram::Supernode& s, const LuFactors<T>& factors, T* y) {
  const T* const d = factors.entry.data() + s.storage;
  const T* const u = d + W * W + s.rows * W;
  const int* const column = program.rows_below.data() + s.row;
  T x[W];
  for (int k = 0; k < W; ++k) x[k] = y[s.first + k];
  for (int c = 0; c < s.rows; ++c) {
    const T yc = y[column[c]];
    for (int k = 0; k < W; ++k) x[k] = subtract_product(x[k], u[c * W + k], yc);
  }
  for (int k = W - 1; k >= 0; --k) {
    x[k] *= d[k * W + k];
    for (int i = 0; i < k; ++i) x[i] = subtract_product(x[i], d[i * W + k], x[k]);
  }
  for (int k = 0; k < W; ++k) y[s.first + k] = x[k];
}

// The same two for the transposed matrix, B^T = U^T L^T.
template <int W, class T>
void solve_upper_transposed(const LuProgram& program, const LuProgram::Supernode& s, const LuFactors<T>& factors, T* y) {
  const T* const d = factors.entry.data() + s.storage;
  const T* const u = d + W * W + s.rows * W;
  const int* const column = program.rows_below.data() + s.row;
  T x[W];
  for (int k = 0; k < W; ++k) x[k] = y[s.first + k];
  solve_row<W>(d, x);
  for (int k = 0; k < W; ++k) y[s.first + k] = x[k];
  for (int c = 0; c < s.rows; ++c) {
    T sum = y[column[c]];
    for (int k = 0; k < W; ++k) sum = subtract_product(sum, u[c * W + k], x[k]);
    y[column[c]] = sum;
  }
}

template <int W, class T>
void solve_lower_transposed(const LuProgram& program, const LuProgram::Supernode& s, const LuFactors<T>& factors, T* y) {
  const T* const d = factors.entry.data() + s.storage;
  const T* const l = d + W * W;
  const int* const row = program.rows_below.data() + s.row;
  T x[W];
  for (int k = 0; k < W; ++k) x[k] = y[s.first + k];
  for (int r = 0; r < s.rows; ++r) {
    const T yr = y[row[r]];
    for (int k = 0; k < W; ++k) x[k] = subtract_product(x[k], l[r * W + k], yr);
  }
  for (int k = W - 1; k >= 0; --k)
    for (int i = 0; i < k; ++i) x[i] = subtract_product(x[i], d[k * W + i], x[k]);
  for (int k = 0; k < W; ++k) y[s.first + k] = x[k];
}

// Entries of A to their places, zero where only fill will be.
template <class T>
void load(const LuProgram& program, const T* values, LuFactors<T>& factors) {
  T* const entry = factors.entry.data();
  for (const int k : program.fill) entry[k] = T(0.0);
  for (int j = 0; j < program.n; ++j) {
    MagnitudeOf<T> sum(0.0);
    for (int k = program.load_start[j]; k < program.load_start[j + 1]; ++k) {
      const T value = values[program.load_from[k]];
      entry[program.load_to[k]] = value;
      sum += abs(value);
    }
    factors.column_sum[j] = sum;
  }
}

}  // namespace aleator::core::detail

namespace aleator::core {

template <class T>
MaskOf<T> factor(const LuProgram& program, const T* values, LuFactors<T>& factors) {
  detail::load(program, values, factors);
  MaskOf<T> bad = false;
  using Magnitude = MagnitudeOf<T>;
  const auto check = [&](int k, const T& pivot) {
    const Magnitude size = abs(pivot);
    // Written so that a NaN, in the pivot or in the column, counts as bad.
    bad = bad | !((size > Magnitude(program.pivot_limit[k]) * factors.column_sum[k]) &
                  (size <= Magnitude(std::numeric_limits<double>::max())));
  };
  for (const LuProgram::Supernode& s : program.supernodes)
    detail::with_width(s.width, [&]<int W>() { detail::eliminate<W>(program, s, factors, check); });
  return bad;
}

template <class T>
MaskOf<T> factor_against(const LuProgram& program, double tolerance, const T* values, LuFactors<T>& factors) {
  const PartScope<MagnitudeOf<T>> scope(Part::factorisation);
  detail::load(program, values, factors);
  using Magnitude = MagnitudeOf<T>;
  Magnitude smallest(1);  // a NaN may be lost here; it is in the factors, and whoever uses them sees it
  const auto check = [&](int k, const T& pivot) {
    const double before = program.pivot[k];
    if constexpr (std::is_same_v<T, Magnitude>)
      smallest = min(smallest, pivot * T(1 / before));
    else
      smallest = min(smallest, abs(pivot) * Magnitude(1 / std::fabs(before)));
  };
  for (const LuProgram::Supernode& s : program.supernodes)
    detail::with_width(s.width, [&]<int W>() { detail::eliminate<W>(program, s, factors, check); });
  return !(smallest > Magnitude(tolerance));
}

template <class T>
void solve(const LuProgram& program, LuFactors<T>& factors, T* x) {
  const PartScope<MagnitudeOf<T>> scope(Part::solution);
  T* const y = factors.work.data();
  for (int k = 0; k < program.n; ++k) y[k] = x[program.row_order[k]];
  for (auto s = program.supernodes.begin(); s != program.supernodes.end(); ++s)
    detail::with_width(s->width, [&]<int W>() { detail::solve_lower<W>(program, *s, factors, y); });
  for (auto s = program.supernodes.rbegin(); s != program.supernodes.rend(); ++s)
    detail::with_width(s->width, [&]<int W>() { detail::solve_upper<W>(program, *s, factors, y); });
  for (int k = 0; k < program.n; ++k) x[program.column_order[k]] = y[k];
}

template <class T>
void solve_transposed(const LuProgram& program, LuFactors<T>& factors, T* x) {
  T* const y = factors.work.data();
  for (int k = 0; k < program.n; ++k) y[k] = x[program.column_order[k]];
  for (auto s = program.supernodes.begin(); s != program.supernodes.end(); ++s)
    detail::with_width(s->width, [&]<int W>() { detail::solve_upper_transposed<W>(program, *s, factors, y); });
  for (auto s = program.supernodes.rbegin(); s != program.supernodes.rend(); ++s)
    detail::with_width(s->width, [&]<int W>() { detail::solve_lower_transposed<W>(program, *s, factors, y); });
  for (int k = 0; k < program.n; ++k) x[program.row_order[k]] = y[k];
}

}  // namespace aleator::core
