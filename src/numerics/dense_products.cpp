#include <algorithm>

#include "base/cancellation.hpp"
#include "numerics/dense.hpp"

namespace aleator::core::dense {
namespace {

constexpr double at_once = 2e8;      // multiplications between two looks whether to go on: some hundredths of a second
constexpr Index whole_columns = 64;  // Eigen's kernels take columns in fours: cut there, every number comes the same way

// A product by portions of its columns; product(first, count) is one of them.
template <class F>
MatrixXd by_columns(Index rows, Index inner, Index columns, F&& product) {
  const double each = double(rows) * double(inner);
  if (each * double(columns) < at_once) return product(Index(0), columns);
  const Index portion = std::max<Index>(Index(at_once / each) / whole_columns, 1) * whole_columns;
  MatrixXd out(rows, columns);
  for (Index first = 0, count = 0; first < columns; first += count) {
    throw_if_cancelled();
    count = columns - first < portion + whole_columns ? columns - first : portion;  // no single column is left over
    out.middleCols(first, count) = product(first, count);
  }
  return out;
}

}  // namespace

MatrixXd times(const View& a, const View& b) {
  return by_columns(a.rows(), a.cols(), b.cols(), [&](Index first, Index n) -> MatrixXd { return a * b.middleCols(first, n); });
}
MatrixXd transposed_times(const View& a, const View& b) {
  return by_columns(a.cols(), a.rows(), b.cols(),
                    [&](Index first, Index n) -> MatrixXd { return a.transpose() * b.middleCols(first, n); });
}
MatrixXd times_transposed(const View& a, const View& b) {
  return by_columns(a.rows(), a.cols(), b.rows(),
                    [&](Index first, Index n) -> MatrixXd { return a * b.middleRows(first, n).transpose(); });
}

}  // namespace aleator::core::dense
