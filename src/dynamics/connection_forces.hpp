// Forces in joints and force elements, for pictures of the motion: what a joint or a force does to its second body.
#pragma once

#include <vector>

#include "dynamics/assembly.hpp"

namespace aleator::core {

class ConnectionForces {
 public:
  explicit ConnectionForces(const Model& model);
  // As many as connections_of() has, in its order.
  int count() const { return int(joints_.size() + forces_.size()); }
  // [count][3], N, inertial axes; after an evaluation for output. Of a load: on the body it acts on.
  void observe(const Assembly<double>& assembly, const State<double>& state, double* out);

 private:
  struct Joint {
    struct Term {
      int row, gradient;
    };
    std::vector<Term> terms;  // on the second body
    // Where a pass has retired rows (pass_locked.hpp) there are no multipliers; the forces on the locked body tell instead.
    int locked = -1;  // its carrier
    double sign = 1;  // −1: the second body is the ground
  };
  const Model* model_;
  std::vector<Joint> joints_;
  std::vector<std::vector<int>> forces_;  // group, element, … of each
  std::vector<Group> groups_;
  std::vector<double> residual_;  // [6 carriers]
  bool locks_ = false;
};

}  // namespace aleator::core
