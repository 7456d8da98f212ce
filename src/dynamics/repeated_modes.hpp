// Modes of the same eigenvalue, as those of equal blades or of a round shaft at rest: any combinations of their shapes are shapes, and which ones an
// eigenvalue solver returns is chance. To follow such modes, shapes are chosen that are like those they are to be compared with.
#pragma once

#include <complex>
#include <vector>

#include <Eigen/Core>

#include "dynamics/modes.hpp"

namespace aleator::core {

// Those of which there are several: indices of eigenvalues that differ by less than 1e-6 of their size.
std::vector<std::vector<int>> repeated(const std::vector<std::complex<double>>& eigenvalues);

// Other shapes that span the same: projections of the targets that lie in it most, as many as are independent of each other. What they are of
// is left as it is where shapes depend on each other (a defective eigenvalue).
//   Shapes are [i] of `shapes` for i of `which`; orthogonal is meant with weights.
void turn_towards(std::vector<Eigen::VectorXcd>& shapes, const std::vector<int>& which,
                  const std::vector<Eigen::VectorXcd>& targets, const Eigen::VectorXd& weights);

// Of all repeated ones that vibrate.
void turn_towards(std::vector<Mode>& modes, const std::vector<Eigen::VectorXcd>& targets, const Eigen::VectorXd& weights);

}  // namespace aleator::core
