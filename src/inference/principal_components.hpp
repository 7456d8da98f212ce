// Principal components of simulated responses: the few shapes in time that they are sums of.
//   z = ȳ + diag(s) (Φ η + rest),   s_c = (mean over time of the variance of channel c)^½
#pragma once

#include <Eigen/Core>

#include "inference/responses.hpp"

namespace aleator::core::inference {

struct PrincipalComponents {
  Eigen::VectorXd mean;      // [times × channels] ȳ, not scaled
  Eigen::VectorXd scale;     // [channels] s; of a channel that does not scatter, its size, or 1
  Eigen::MatrixXd basis;     // [times × channels][found] Φ, orthonormal columns
  Eigen::VectorXd variance;  // [found] of η, falling, none of them zero
  double total = 0;          // variance of all, found or not
};

// Finds at most `most` of them. Throws std::invalid_argument if nothing scatters.
PrincipalComponents principal_components(const Responses& responses, int most);

}  // namespace aleator::core::inference
