// What the data cannot tell: from the curvature of the log-likelihood at its maximum, and from the profiles. On the unit cube, so that
// "little curvature" means little compared with the admissible ranges.
#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "inference/profile.hpp"

namespace aleator::core::inference {

// −∂²f/∂x∂x at the maximum, by differences over steps that lose about one unit: what matters is larger than the surrogate's ripples.
// At the rim of the cube it is taken a step inside.
Eigen::MatrixXd curvature(const LogLikelihood& hill);

// Correlation of the estimates, of the inverse curvature. Where the function is flatter than that, a uniform law on the cube bounds it.
Eigen::MatrixXd correlation(const Eigen::MatrixXd& curvature);

struct Inseparable {
  int first = 0, second = 0;
  double correlation = 0;  // more than 0.95 in size
};

// The parameters can be moved along this direction, all together, through the whole cube.
struct FlatCombination {
  Place direction;  // [parameters], the largest component 1
  // Of the log-likelihood to the rim of the cube, or, from a corner, by its curvature: less than the drop.
  double fall = 0;
};

struct Identifiability {
  std::vector<int> unbounded;  // parameters whose interval is nearly the whole range
  std::vector<Inseparable> inseparable;
  std::vector<FlatCombination> flat;  // of two or more parameters

  bool all_told() const { return unbounded.empty() && inseparable.empty() && flat.empty(); }
};

// profiles: of all parameters; drop: of their intervals.
Identifiability identifiability(const LogLikelihood& hill, const Eigen::MatrixXd& curvature, const std::vector<Profile>& profiles,
                                double drop);

// A sentence for each, with the names of the parameters.
std::vector<std::string> in_words(const Identifiability& told, const std::vector<std::string>& names);

}  // namespace aleator::core::inference
