#include "dynamics/connection_forces.hpp"

#include <algorithm>
#include <set>

namespace aleator::core {

ConnectionForces::ConnectionForces(const Model& model) : model_(&model) {
  const Topology& t = model.topology;
  const Structure& s = model.structure;
  std::set<int> told;  // carriers whose locked directions belong to a joint already
  for (const JointRecord& j : t.joints) {
    if (j.marker_a < 0 || j.marker_b < 0) continue;
    Joint& joint = joints_.emplace_back();
    bool retired = false;
    for (int r = j.row; r < j.row + j.rows; ++r) retired = retired || !s.row_active[r];
    for (int k = j.gradient; k < int(t.gradient_row.size()) && t.gradient_row[k] < j.row + j.rows; ++k)
      if (t.gradient_marker[k] == j.marker_b && s.row_active[t.gradient_row[k]]) joint.terms.push_back({t.gradient_row[k], k});
    const bool ground_first = t.marker_carrier[j.marker_a] == t.ground();
    const int carrier = t.marker_carrier[ground_first ? j.marker_b : j.marker_a];
    if (!retired || carrier < 0 || carrier == t.ground() || !told.insert(carrier).second) continue;
    joint.locked = carrier;
    joint.sign = ground_first ? 1 : -1;
    locks_ = true;
  }
  for (const ForceRecord& f : t.forces) {
    forces_.push_back({f.group, f.element});
    forces_.back().insert(forces_.back().end(), f.more.begin(), f.more.end());
  }
  for (size_t g = 0; g < t.groups.size(); ++g)
    groups_.push_back({t.groups[g].kernel, t.groups[g].count, t.groups[g].topology.data(), s.layout.groups[g],
                       s.pair_start[g].data(), s.pair_blocks[g].data()});
  residual_.resize(size_t(6) * t.carriers.size());
}

// The equations of motion contain + Gᵀλ: the joint's force on its second body is −Gᵀλ. In directions that a retired row locks, it is what
// is left over of them, r = M v̇ − f + Gᵀλ.
void ConnectionForces::observe(const Assembly<double>& a, const State<double>& s, double* out) {
  if (locks_) a.residual(s.accelerations.data(), s.lambda.data(), residual_.data());
  for (const Joint& j : joints_) {
    Vec3<double> sum;
    for (const Joint::Term& term : j.terms) sum -= s.lambda[term.row] * a.evaluation().gradient[term.gradient].F;
    for (int i = 0; j.locked >= 0 && i < 3; ++i)
      if (model_->structure.dof[6 * j.locked + i] < 0) sum[i] += j.sign * residual_[size_t(6 * j.locked + i)];
    for (int i = 0; i < 3; ++i) *out++ = sum[i];
  }
  for (const std::vector<int>& elements : forces_) {
    Vec3<double> force;
    for (size_t k = 0; k < elements.size(); k += 2) {
      const Group& g = groups_[size_t(elements[k])];
      force += g.kernel->functions<double>().wrench(g, elements[k + 1], a.evaluation()).b.F;
    }
    for (int i = 0; i < 3; ++i) *out++ = force[i];
  }
}

}  // namespace aleator::core
