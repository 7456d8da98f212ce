#include "numerics/dense.hpp"

namespace aleator::core::dense {

MatrixXd times(const View& a, const View& b) { return a * b; }
MatrixXd transposed_times(const View& a, const View& b) { return a.transpose() * b; }
MatrixXd times_transposed(const View& a, const View& b) { return a * b.transpose(); }

}  // namespace aleator::core::dense
