#include "dynamics/articulated_solver.hpp"

#include <algorithm>

namespace aleator::core {

template <class T>
ArticulatedSolver<T>::ArticulatedSolver(const Assembly<T>& assembly, std::shared_ptr<const std::vector<double>> nominal)
    : assembly_(assembly),
      tree_(assembly.model().structure.tree),
      cuts_(int(tree_.cut_rows.size())),
      bodies_(tree_.nodes.size()),
      K_(size_t(cuts_) * cuts_),
      mu_(cuts_),
      row_(cuts_),
      epsilon_(cuts_),
      q_(tree_.nodes.size()),
      nominal_(std::move(nominal)) {
  const Topology& t = assembly.model().topology;
  for (size_t n = 0; n < bodies_.size(); ++n) {
    const size_t cuts = tree_.nodes[n].cuts.size();
    bodies_[n].E.resize(cuts), bodies_[n].E0.resize(cuts);
    for (Direction& d : bodies_[n].free) d.e.resize(cuts);
    bodies_[n].armatures.resize(tree_.nodes[n].armatures.size());
  }
  for (int g = 0; g < int(t.gradient_row.size()); ++g) {
    const int cut = tree_.cut_of_row[t.gradient_row[g]], carrier = t.marker_carrier[t.gradient_marker[g]];
    if (cut < 0 || carrier == t.ground()) continue;
    const int node = tree_.node_of[carrier];
    const std::vector<int>& all = tree_.nodes[node].cuts;
    columns_.push_back({g, node, int(std::lower_bound(all.begin(), all.end(), cut) - all.begin())});
  }
}

template <class T>
MaskOf<T> ArticulatedSolver<T>::factor() {
  const PartScope<T> scope(Part::factorisation);
  next_ = 0, smallest_ = T(1), bad_ = false;
  for (int n = 0; n < int(bodies_.size()); ++n) set_joint(n), set_armatures(n), set_inertia(n);
  set_columns();
  for (int n = int(bodies_.size()) - 1; n >= 0; --n) eliminate(n);
  factor_cuts();
  if constexpr (std::is_same_v<T, double>)
    if (!nominal_) nominal_ = std::make_shared<const std::vector<double>>(found_);
  return bad_ | !(smallest_ > T(1e-8));
}

template <class T>
void ArticulatedSolver<T>::set_joint(int n) {
  const JointTree::Node& node = tree_.nodes[n];
  const Model& model = assembly_.model();
  Body& b = bodies_[n];
  b.joint = b.base = b.from_parent = {};
  b.frees = b.locks = 0;
  const auto set_free = [&b](int axis, const Six<T>& s) {
    Direction& d = b.free[b.frees++];
    d.axis = axis, d.s = s;
  };
  const auto set_unit = [&](int axis) {
    Six<T> s;
    s.fill(T(0));
    s[axis] = T(1);
    set_free(axis, s);
  };
  if (node.group < 0) {
    for (int i = 0; i < 6; ++i)
      if (model.structure.dof[6 * node.carrier + i] >= 0) set_unit(i);
    return;
  }
  const Group& group = assembly_.groups()[node.group];
  const JointRows rows = group.kernel->joint_rows(group.topology + node.element * group.kernel->topology_size);
  group.kernel->functions<T>().joint_space(group, node.element, assembly_.evaluation(), model.topology.normal, space_);

  // Where both see the joint.
  const MarkerFrame<T>* const marker = assembly_.evaluation().marker;
  const auto arm = [&](bool second) {
    const Vec3<T>& own = marker[second ? rows.b : rows.a].arm;
    return space_.apart && !second ? own + space_.distance : own;
  };
  b.joint = arm(node.is_second);
  if (!node.is_leaf) b.base = b.joint;  // leaves are simplest at their centres of mass
  if (node.parent >= 0) {
    b.from_parent = bodies_[node.parent].base - arm(!node.is_second);
    if (node.is_leaf) b.from_parent += b.joint;
  }

  const auto has_armature = [&](int free) {
    return std::any_of(node.armatures.begin(), node.armatures.end(), [&](const auto& a) { return a.place == free; });
  };
  for (int i = 0; i < space_.frees; ++i) {
    const auto& f = space_.free[i];
    if (!f.turns)
      set_free(-1, six(f.along, Vec3<T>{}));
    else if (f.axis >= 0 && !node.is_leaf && !has_armature(i))
      set_unit(3 + f.axis);
    else
      set_free(-1, six(cross(b.joint - b.base, f.along), f.along));
  }
  for (int i = 0; i < space_.locks; ++i) {
    const auto& l = space_.lock[i];
    if (model.structure.row_active[l.row]) b.lock[b.locks++] = {l.row, l.turns, node.is_second ? l.by : -l.by};
  }
}

template <class T>
void ArticulatedSolver<T>::set_armatures(int n) {
  Body& b = bodies_[n];
  for (size_t k = 0; k < b.armatures.size(); ++k) {
    const JointTree::Armature& which = tree_.nodes[n].armatures[k];
    const Group& group = assembly_.groups()[which.group];
    const DirectionInertia<T> d = group.kernel->functions<T>().direction_inertia(group, which.element, assembly_.evaluation());
    const T sigma = which.place < 0 ? T(0) : dot(d.along, space_.free[which.place].along);
    b.armatures[k] = {which.place, d.inertia, sigma, d.turns, d.along, T(0)};
  }
}

template <class T>
void ArticulatedSolver<T>::set_inertia(int n) {
  Body& b = bodies_[n];
  const int c = tree_.nodes[n].carrier;
  const auto& p = assembly_.body_parameters()[c];
  b.J = RigidBody::turned_inertia(assembly_.frames()[c].R, p.inertia, assembly_.model().structure.shared_inertia[c]);
  b.inertia.set(p.mass, b.J, b.base);
}

template <class T>
void ArticulatedSolver<T>::set_columns() {
  const Evaluation<T>& e = assembly_.evaluation();
  const Topology& t = assembly_.model().topology;
  for (Body& b : bodies_)
    for (Six<T>& column : b.E0) column.fill(T(0));
  for (const Column& c : columns_) {
    Body& b = bodies_[c.node];
    const Wrench<T>& w = e.gradient[c.gradient];
    add(b.E0[c.place], six(w.F, w.M + cross(e.marker[t.gradient_marker[c.gradient]].arm - b.base, w.F)));
  }
  for (Body& b : bodies_) b.E = b.E0;
  for (int k = 0; k < cuts_; ++k) {
    K(k, k) = T(0);
    for (const int i : tree_.after[k]) K(i, k) = T(0);
  }
}

template <class T>
void ArticulatedSolver<T>::check(const T& pivot) {
  if constexpr (std::is_same_v<T, double>) {
    if (!nominal_) return found_.push_back(pivot);
    if (!(pivot / (*nominal_)[next_++] > 1e-8)) bad_ = true;  // a NaN, too
  } else {
    smallest_ = min(smallest_, pivot * T(1 / (*nominal_)[next_++]));
  }
}

template <class T>
void ArticulatedSolver<T>::eliminate(int n) {
  Body& b = bodies_[n];
  const std::vector<int>& cuts = tree_.nodes[n].cuts;
  b.inertia.expect(b.frees);
  T before[6] = {};  // inertias of free directions when none is eliminated
  if constexpr (std::is_same_v<T, double>)
    for (int f = 0; f < b.frees && !nominal_; ++f) before[f] = dot(b.free[f].s, b.inertia.times(b.free[f].s));
  for (int f = 0; f < b.frees; ++f) {
    Direction& d = b.free[f];
    d.U = b.inertia.times(d.s);
    T D = dot(d.s, d.U);
    for (const Armature& a : b.armatures)
      if (a.direction == f) D += a.inertia * a.sigma * a.sigma;
    check(D);
    if constexpr (std::is_same_v<T, double>)
      if (!nominal_ && !(D > 1e-10 * before[f])) regular_ = false;
    d.inverse = T(1) / D;
    for (size_t k = 0; k < cuts.size(); ++k) d.e[k] = dot(b.E[k], d.s);
    for (size_t k = 0; k < cuts.size(); ++k) {
      const T ratio = d.e[k] * d.inverse;
      subtract_multiple(b.E[k], d.U, ratio);
      if (d.axis >= 0) b.E[k][d.axis] = T(0);
      for (size_t l = 0; l <= k; ++l) K(cuts[k], cuts[l]) -= ratio * d.e[l];
    }
    b.inertia.eliminate(d.U, d.inverse, d.axis);
  }
  const int parent = tree_.nodes[n].parent;
  if (parent < 0) return;
  Body& up = bodies_[parent];
  up.inertia.add_moved(b.inertia, b.from_parent);
  const std::vector<int>& above = tree_.nodes[parent].cuts;
  for (size_t k = 0, at = 0; k < cuts.size(); ++k) {
    while (above[at] != cuts[k]) ++at;
    add(up.E[at], moved_wrench(b.E[k], b.from_parent));
  }
}

// ε of a gear or a rod: the weights of rows know bodies as if they were free, and a gear acts about axes about which light bodies carry heavy ones. K_kk is
// what its row really meets, unless the tree alone holds it.
template <class T>
void ArticulatedSolver<T>::regularize_cuts() {
  const Topology& t = assembly_.model().topology;
  for (int k = 0; k < cuts_; ++k) {
    const int row = tree_.cut_rows[k];
    const T &weight = assembly_.weights()[row], &epsilon = assembly_.regularization()[row];
    const JointRecord& joint = t.joints[t.rows[row].joint];
    const bool relation = joint.rows == 1 && joint.free.empty();
    epsilon_[k] = relation ? select(-K(k, k) > T(1e-6) * weight, -(epsilon / weight) * K(k, k), epsilon) : epsilon;
    K(k, k) -= epsilon_[k];
  }
}

// −L D Lᵀ, in place
template <class T>
void ArticulatedSolver<T>::factor_cuts() {
  regularize_cuts();
  for (int k = 0; k < cuts_; ++k) {
    if constexpr (std::is_same_v<T, double>)
      if (!nominal_) {
        if (!(K(k, k) < 0)) regular_ = false;
        if (!(K(k, k) < -100 * epsilon_[k])) redundant_ = true;
      }
    check(K(k, k));
    const T inverse = T(1) / K(k, k);
    for (const int i : tree_.after[k]) {
      row_[i] = K(i, k) * inverse;
      for (const int j : tree_.after[k]) {
        if (j > i) break;
        K(i, j) -= row_[i] * K(j, k);
      }
    }
    for (const int i : tree_.after[k]) K(i, k) = row_[i];
    K(k, k) = inverse;
  }
}

template <class T>
void ArticulatedSolver<T>::solve(const T* forces, const T* asked, T* accelerations, T* lambda) {
  const PartScope<T> scope(Part::solution);
  descend(forces, asked);
  ascend();
  solve_cuts();
  find_motion(accelerations);
  const std::vector<int>& dof = assembly_.model().structure.dof;
  for (int i = 6 * assembly_.carriers().rigid; i < assembly_.velocities(); ++i)  // states of elements have the mass 1
    accelerations[i] = dof[i] >= 0 ? forces[i] : T(0);
  find_reactions(forces, lambda);
}

template <class T>
void ArticulatedSolver<T>::project(const T* asked, T* motion, T* open) {
  const PartScope<T> scope(Part::solution);
  descend(nullptr, asked);
  ascend();
  solve_cuts();
  find_motion(motion);
  for (int i = 6 * assembly_.carriers().rigid; i < assembly_.velocities(); ++i) motion[i] = T(0);
  if (!open) return;
  std::fill_n(open, assembly_.rows(), T(0));
  for (int k = 0; k < cuts_; ++k) open[tree_.cut_rows[k]] = epsilon_[k] * mu_[k];
}

// What a joint adds to γ of its body, at the joint. If it is closed by construction this is known without its rows (relative_motion.hpp).
template <class T>
auto ArticulatedSolver<T>::given_by_joint(int n, bool accelerates, const T* asked) const -> Given {
  const Body& b = bodies_[n];
  const int place = assembly_.reads_reduced() ? assembly_.relative().joint_of(tree_.nodes[n].carrier) : -1;
  Given out;
  auto& [move, turn] = out;
  if (place < 0) {
    for (int i = 0; i < b.locks; ++i) (b.lock[i].turns ? turn : move) += asked[b.lock[i].row] * b.lock[i].by;
  } else if (accelerates) {
    const RelativeJoint& j = assembly_.relative().joints()[place];
    const MarkerFrame<T>*const marker = assembly_.evaluation().marker, &A = marker[j.at_parent], &B = marker[j.at_child];
    move = A.a - B.a;
    if (j.axis >= 0) turn = assembly_.evaluation().velocity[6 * j.carrier] * cross(A.w, assembly_.relative().axis(place));
  }
  return out;
}

// From the roots: γ, and the forces f − M γ that are left. M is still that of single bodies.
template <class T>
void ArticulatedSolver<T>::descend(const T* forces, const T* asked) {
  for (int k = 0; k < cuts_; ++k) mu_[k] = asked[tree_.cut_rows[k]];
  for (size_t n = 0; n < bodies_.size(); ++n) {
    const JointTree::Node& node = tree_.nodes[n];
    Body& b = bodies_[n];
    const auto [move, turn] = given_by_joint(int(n), forces != nullptr, asked);
    for (Armature& a : b.armatures) a.given = dot(a.h, a.turns ? turn : move);
    b.gamma = six(move + cross(b.joint - b.base, turn), turn);
    if (node.parent >= 0) add(b.gamma, moved_motion(bodies_[node.parent].gamma, b.from_parent));
    const T& mass = assembly_.body_parameters()[node.carrier].mass;
    const Vec3<T> w = part(b.gamma, 3);
    const Six<T> inertia = six(mass * (part(b.gamma, 0) + cross(b.base, w)), b.J * w);
    for (int i = 0; i < 6; ++i) b.p[i] = forces ? forces[6 * node.carrier + i] - inertia[i] : -inertia[i];
    b.p = moved_wrench(b.p, b.base);
    for (size_t k = 0; k < node.cuts.size(); ++k) mu_[node.cuts[k]] -= dot(b.E0[k], b.gamma);
  }
}

template <class T>
void ArticulatedSolver<T>::ascend() {
  for (int n = int(bodies_.size()) - 1; n >= 0; --n) {
    Body& b = bodies_[n];
    const JointTree::Node& node = tree_.nodes[n];
    for (int f = 0; f < b.frees; ++f) {
      Direction& d = b.free[f];
      T force = dot(d.s, b.p);
      for (const Armature& a : b.armatures)
        if (a.direction == f) force -= a.inertia * a.sigma * a.given;
      d.ratio = force * d.inverse;
      subtract_multiple(b.p, d.U, d.ratio);
      if (d.axis >= 0) b.p[d.axis] = T(0);
      for (size_t k = 0; k < node.cuts.size(); ++k) mu_[node.cuts[k]] -= d.e[k] * d.ratio;
    }
    if (node.parent >= 0) add(bodies_[node.parent].p, moved_wrench(b.p, b.from_parent));
  }
}

template <class T>
void ArticulatedSolver<T>::solve_cuts() {
  for (int k = 0; k < cuts_; ++k)
    for (const int i : tree_.after[k]) mu_[i] -= K(i, k) * mu_[k];
  for (int k = cuts_ - 1; k >= 0; --k) {
    mu_[k] *= K(k, k);
    for (const int i : tree_.after[k]) mu_[k] -= K(i, k) * mu_[i];
  }
}

// From the roots: q, and the motions of all bodies.
template <class T>
void ArticulatedSolver<T>::find_motion(T* out) {
  const std::vector<int>& dof = assembly_.model().structure.dof;
  for (size_t n = 0; n < bodies_.size(); ++n) {
    const JointTree::Node& node = tree_.nodes[n];
    Body& b = bodies_[n];
    if (node.parent >= 0)
      b.y = moved_motion(bodies_[node.parent].y, b.from_parent);
    else
      b.y.fill(T(0));
    for (int f = b.frees - 1; f >= 0; --f) {
      Direction& d = b.free[f];
      const T carried = d.axis >= 0 ? b.y[d.axis] : T(0);  // of which q is the whole then
      if (d.axis >= 0) b.y[d.axis] = T(0);
      T sum = dot(d.U, b.y);
      for (size_t k = 0; k < node.cuts.size(); ++k) sum += d.e[k] * mu_[node.cuts[k]];
      d.q = d.ratio - sum * d.inverse;
      q_[n] = d.q - carried;
      for (int i = 0; i < 6; ++i) b.y[i] += d.s[i] * d.q;
    }
  }
  for (size_t n = 0; n < bodies_.size(); ++n) {
    Body& b = bodies_[n];
    const int c = tree_.nodes[n].carrier;
    add(b.y, b.gamma);
    b.y = moved_motion(b.y, b.base);  // of the centre of mass
    for (int i = 0; i < 6; ++i)
      if (dof[6 * c + i] < 0) b.y[i] = T(0);
    const Vec3<T> turn = transposed_times(assembly_.frames()[c].R, part(b.y, 3));
    for (int i = 0; i < 3; ++i) out[6 * c + i] = b.y[i], out[6 * c + 3 + i] = turn[i];
  }
}

// After find_motion. p is used for what the joint of a body has to carry: Gᵀλ = f − M v̇ of all that hangs there.
template <class T>
void ArticulatedSolver<T>::find_reactions(const T* forces, T* lambda) {
  std::fill_n(lambda, assembly_.rows(), T(0));
  for (int k = 0; k < cuts_; ++k) lambda[tree_.cut_rows[k]] = mu_[k];
  for (size_t n = 0; n < bodies_.size(); ++n) {
    Body& b = bodies_[n];
    const JointTree::Node& node = tree_.nodes[n];
    const Six<T> inertia = six(assembly_.body_parameters()[node.carrier].mass * part(b.y, 0), b.J * part(b.y, 3));
    for (int i = 0; i < 6; ++i) b.p[i] = forces[6 * node.carrier + i] - inertia[i];
    b.p = moved_wrench(b.p, b.base);
    for (size_t k = 0; k < node.cuts.size(); ++k) subtract_multiple(b.p, b.E0[k], mu_[node.cuts[k]]);
  }
  for (int n = int(bodies_.size()) - 1; n >= 0; --n) {
    Body& b = bodies_[n];
    const int parent = tree_.nodes[n].parent;
    if (parent >= 0) add(bodies_[parent].p, moved_wrench(b.p, b.from_parent));
    Six<T> at_joint = moved_wrench(b.p, b.joint - b.base);
    for (const Armature& a : b.armatures) {
      const T moved = a.direction < 0 ? a.given : a.given + a.sigma * b.free[a.direction].q;
      const Vec3<T> force = (a.inertia * moved) * a.h;
      subtract_multiple(at_joint, a.turns ? six(Vec3<T>{}, force) : six(force, Vec3<T>{}), T(1));
    }
    for (int i = 0; i < b.locks; ++i) lambda[b.lock[i].row] = dot(b.lock[i].by, part(at_joint, b.lock[i].turns ? 3 : 0));
  }
}

template class ArticulatedSolver<double>;
template class ArticulatedSolver<Traced>;

}  // namespace aleator::core
