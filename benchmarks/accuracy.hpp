// How far responses are from the truth.
#pragma once

#include <string>
#include <vector>

#include "cases.hpp"

namespace aleator::core::bench {

// Outputs of the first `checked_rows` rows by the reference configuration of the case. Computed on all cores, and kept in a file of
// the build folder under a name that changes with the model and the configuration.
std::vector<Response> reference_responses(const Case& c);

// The worst over realizations and outputs. Rigid mechanisms: relative L2 error over time of every output. Flexible ones: the same of
// displacements; of forces and torques (outputs in N and N m) the relative L1 error, because they ring.
// An output that vanishes in a realization (less than 1e-3 of its rms over the rows) is measured against that rms.
struct Accuracy {
  double l2 = 0, l1 = 0;
  std::string worst_l2, worst_l1;  // outputs
  long failed = 0;
  bool meets(const Entry& e) const { return failed == 0 && l2 <= displacement_bound && l1 <= e.reaction_bound; }
};
Accuracy accuracy(const Case& c, const std::vector<Response>& truth, const std::vector<Response>& responses);

}  // namespace aleator::core::bench
