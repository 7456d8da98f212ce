// Random samples of the tests of src/inference.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "numerics/dense.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core::inference {

// Normal numbers [count][columns] whose sample mean is 0 and whose sample covariance is the identity, to round-off.
inline Eigen::MatrixXd exact_normals(Eigen::Index count, Eigen::Index columns, std::uint64_t seed) {
  Eigen::MatrixXd x(count, columns);
  for (Eigen::Index i = 0; i < count; ++i) {
    Stream stream(seed, std::uint64_t(i), 11);
    for (Eigen::Index k = 0; k < columns; ++k) x(i, k) = stream.normal();
  }
  x.rowwise() -= x.colwise().mean().eval();
  Eigen::MatrixXd y = x.transpose();
  dense::solve_lower(dense::cholesky_factor(dense::transposed_times(x, x) / double(count - 1)), y);
  return y.transpose();
}

}  // namespace aleator::core::inference
