// One solution of A X = B with a sparse matrix that nothing is known of but its numbers, with pivots. What is factored again and
// again with the same pattern goes to sparse_lu.hpp.
#pragma once

#include <Eigen/Core>
#include <memory>
#include <span>

#include "numerics/sparse_pattern.hpp"

namespace aleator::core {

// Empty where A is singular.
Eigen::MatrixXd solve_once(const SparsePattern& pattern, std::span<const double> values, const Eigen::MatrixXd& right);

// The same for many right-hand sides, one after the other.
class SparseFactors {
 public:
  SparseFactors(const SparsePattern& pattern, std::span<const double> values);
  ~SparseFactors();
  SparseFactors(SparseFactors&&) noexcept;
  bool good() const;            // not singular
  void solve(double* x) const;  // x becomes A⁻¹ x

 private:
  struct Klu;
  std::unique_ptr<Klu> klu_;
};

}  // namespace aleator::core
