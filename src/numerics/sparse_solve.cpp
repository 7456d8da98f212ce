#include "numerics/sparse_solve.hpp"

#include <klu.h>

#include <memory>

namespace aleator::core {

struct SparseFactors::Klu {
  mutable klu_common common;
  int n = 0;
  klu_symbolic* order = nullptr;
  klu_numeric* factors = nullptr;

  Klu(const SparsePattern& pattern, std::span<const double> values) : n(pattern.n) {
    klu_defaults(&common);
    common.tol = 1;  // the largest pivot of each column
    // KLU takes arrays that are not const and leaves them as they are.
    int* const start = const_cast<int*>(pattern.column_start.data());
    int* const row = const_cast<int*>(pattern.row.data());
    order = klu_analyze(pattern.n, start, row, &common);
    if (order) factors = klu_factor(start, row, const_cast<double*>(values.data()), order, &common);
  }
  ~Klu() {
    if (factors) klu_free_numeric(&factors, &common);
    if (order) klu_free_symbolic(&order, &common);
  }
  Klu(const Klu&) = delete;
  Klu& operator=(const Klu&) = delete;
  bool solve(int columns, double* x) const { return klu_solve(order, factors, n, columns, x, &common) != 0; }
};

SparseFactors::SparseFactors(const SparsePattern& pattern, std::span<const double> values)
    : klu_(std::make_unique<Klu>(pattern, values)) {}
SparseFactors::~SparseFactors() = default;
SparseFactors::SparseFactors(SparseFactors&&) noexcept = default;
bool SparseFactors::good() const { return klu_->factors != nullptr; }
void SparseFactors::solve(double* x) const { klu_->solve(1, x); }

Eigen::MatrixXd solve_once(const SparsePattern& pattern, std::span<const double> values, const Eigen::MatrixXd& right) {
  const SparseFactors factors(pattern, values);
  if (!factors.good()) return {};
  Eigen::MatrixXd solution = right;
  for (Eigen::Index c = 0; c < right.cols(); ++c) factors.solve(solution.col(c).data());
  return solution;
}

}  // namespace aleator::core
