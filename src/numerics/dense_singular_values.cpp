#include <Eigen/SVD>

#include "numerics/dense.hpp"

namespace aleator::core::dense {

SingularValues singular_values(const MatrixXd& a) {
  const Eigen::JacobiSVD<MatrixXd> svd(a, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return {svd.singularValues(), svd.matrixV()};
}

}  // namespace aleator::core::dense
