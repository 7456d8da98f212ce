#include "numerics/sparse_solve.hpp"

#include <klu.h>

#include <memory>

namespace aleator::core {

Eigen::MatrixXd solve_once(const SparsePattern& pattern, std::span<const double> values, const Eigen::MatrixXd& right) {
  klu_common common;
  klu_defaults(&common);
  common.tol = 1;  // the largest pivot of each column
  // KLU takes arrays that are not const and leaves them as they are.
  int* const start = const_cast<int*>(pattern.column_start.data());
  int* const row = const_cast<int*>(pattern.row.data());
  double* const x = const_cast<double*>(values.data());
  const auto forget_order = [&](klu_symbolic* p) { klu_free_symbolic(&p, &common); };
  const auto forget_factors = [&](klu_numeric* p) { klu_free_numeric(&p, &common); };
  const std::unique_ptr<klu_symbolic, decltype(forget_order)> order(klu_analyze(pattern.n, start, row, &common), forget_order);
  if (!order) return {};
  const std::unique_ptr<klu_numeric, decltype(forget_factors)> factors(klu_factor(start, row, x, order.get(), &common),
                                                                       forget_factors);
  if (!factors) return {};
  Eigen::MatrixXd solution = right;
  if (!klu_solve(order.get(), factors.get(), pattern.n, int(right.cols()), solution.data(), &common)) return {};
  return solution;
}

}  // namespace aleator::core
