// Sparse LU as a fixed program: ordering, pivot sequence and fill are found once, in double, on representative
// values; after that the elimination is replayed on any scalar without a branch on data and without allocation.
//
//   const auto program = LuProgram::analyse(pattern, values);      // once per model
//   LuFactors<T> factors(program);                                 // once per thread
//   const auto bad = factor(program, values, factors);             // lanes whose pivots became unacceptable
//   solve(program, factors, x);                                    // x <- A^-1 x
//
// The permuted matrix B = A(row_order, column_order) is factored as B = L U with pivots on the diagonal. The pattern
// of B is made symmetric, columns are grouped into supernodes: `width` (at most 6) consecutive columns that share
// their rows below, kept as small dense blocks
//
//        [ D  U ]     D: width x width, U stored by columns,
//        [ L  . ]     L stored by rows: every row or column is `width` contiguous scalars,
//
// and eliminated right-looking: D = L_D U_D, L <- L U_D^-1, U <- L_D^-1 U, and every entry (r, c) of the rest that has
// a row of L and a column of U loses the dot product of the two.
#pragma once

#include <span>
#include <stdexcept>
#include <vector>

#include "base/aligned.hpp"
#include "numerics/scalar.hpp"
#include "numerics/sparse_pattern.hpp"

namespace aleator::core {

// No acceptable pivot for a column of A: the matrix is singular, structurally or numerically.
struct SingularMatrix : std::runtime_error {
  explicit SingularMatrix(int column_of_a);
  int column;
};

struct LuOptions {
  // [n] Unknowns that belong together (the velocities of one body) have the same number >= 0, multipliers -1; see
  // elimination_order.hpp. Empty: every unknown by itself, those without a positive diagonal are multipliers.
  std::vector<int> block;
  // A lane is bad when a pivot, relative to the sum of magnitudes of its column of A, is this much smaller than it
  // was when the program was made.
  double pivot_tolerance = 1e-8;
  // [n] Unknowns that are eliminated after all others; none: empty.
  std::vector<char> last;
};

struct LuProgram {
  static constexpr int max_width = 6;

  struct Supernode {
    int first, width;  // columns [first, first + width) of B
    int rows;          // number of rows below (and of columns to the right)
    int row;           // their numbers: rows_below[row ...]
    int storage;       // D, L, U in the factors: storage, + width^2, + width^2 + rows * width
    int target;        // where the products of L and U go: targets[target ...], rows^2 of them, row-major
  };

  int n = 0;
  int inner = 0;                             // columns of B before those that are last
  int storage = 0;                           // scalars in the factors
  std::vector<int> row_order, column_order;  // [n] B(i, j) = A(row_order[i], column_order[j])
  std::vector<int> load_start;               // [n + 1] entries of column j of B: load[load_start[j] ...]
  std::vector<int> load_from, load_to;       // [nonzeros] value of A -> place in the factors
  std::vector<int> fill;                     // places in the factors without a value of A
  std::vector<Supernode> supernodes;         // in order of elimination
  std::vector<int> rows_below, targets;
  std::vector<double> pivot_limit;  // [n] smallest acceptable |pivot| / sum |column of A|
  std::vector<double> pivot;        // [n] when the program was made

  // Throws SingularMatrix. Values in the order of pattern.row.
  static LuProgram analyse(const SparsePattern& pattern, std::span<const double> values, const LuOptions& options = {});

  long operations() const;        // multiply-adds of one factorisation
  int place(int i, int j) const;  // of entry (i, j) of B in the factors, −1: it is always zero
};

template <class T>
struct LuFactors {
  AlignedVector<T> entry;                    // [storage] D (reciprocals of the pivots on its diagonal), L and U of each supernode
  AlignedVector<MagnitudeOf<T>> column_sum;  // [n] sum |column of A|, in the order of elimination
  AlignedVector<T> work;                     // [n] right-hand side in the order of elimination

  LuFactors() = default;
  explicit LuFactors(const LuProgram& program) { resize(program); }
  void resize(const LuProgram& program) {
    entry.resize(program.storage);
    column_sum.resize(program.n);
    work.resize(program.n);
  }
};

// Factors the matrix; returns the lanes in which a pivot became unacceptable or a number is not finite (their factors
// are useless, other lanes are not affected: analyse again with that lane's values).
template <class T>
MaskOf<T> factor(const LuProgram& program, const T* values, LuFactors<T>& factors);
// The same with a cheaper check: a pivot is bad that has not the sign, or is `tolerance` times smaller than the size, it had when the
// program was made. For matrices of similar size.
template <class T>
MaskOf<T> factor_against(const LuProgram& program, double tolerance, const T* values, LuFactors<T>& factors);

// x <- A^-1 x and x <- A^-T x, in place.
template <class T>
void solve(const LuProgram& program, LuFactors<T>& factors, T* x);
template <class T>
void solve_transposed(const LuProgram& program, LuFactors<T>& factors, T* x);

}  // namespace aleator::core

#include "numerics/sparse_lu_kernels.hpp"
