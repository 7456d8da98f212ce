// What contract tests share: a model around every registered joint, force and output, random states at which nothing is
// assembled, and small motions of a state as the derivative part of dual numbers.
//
// The model has bodies a, b and c with skew orientations and full inertia tensors; c carries a and b by the hinges turn_a and
// turn_b. The element under test is called `tested`. Nothing touches the ground unless the entry says so.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/Core>

#include "dynamics/assembly.hpp"
#include "elements/registry.hpp"
#include "support/run.hpp"

namespace aleator::core::test {

struct Entry {
  std::string label, joint, force, output;  // what it is; its line in the section it belongs to, the others empty
  std::string a = "rigid", b = "rigid";     // what bodies a and b are: see flexible_entries
  double mass_damping = 0.3;                // of beams and cables
  bool planar = false;
  bool external = false;     // a load from outside, without a second body
  bool conservative = true;  // all of its force comes from a potential when nothing moves

  Model model() const;
  bool flexible() const { return a != "rigid" || b != "rigid"; }
  // Random states to look at: of the many entries with flexible bodies one each, or this would take minutes.
  int seeds(int wanted) const { return flexible() ? 1 : wanted; }
};

// Every registered joint as its example has it, with prescribed motions in its free directions, and with the ground as first
// and as second body.
std::vector<Entry> joint_entries();
// Hinges and slides (and universal, cylindrical joints) with every law their free directions may carry.
std::vector<Entry> law_entries();
// Every registered joint that may have armature, in its free directions and in driven ones, with the ground and in the plane. Bodies are rigid.
std::vector<Entry> armature_entries();
// Every registered force, and variants of each.
std::vector<Entry> force_entries();
// Joints, laws and forces of planar models.
std::vector<Entry> planar_entries();
// Every registered output, and variants.
std::vector<Entry> output_entries();
// The joints, laws and forces of all these lists between rigid bodies, reference nodes, beams (at a node, in an element, beside the
// axis; straight and curved; both laws of elasticity) and cables, planar and spatial.
std::vector<Entry> flexible_entries();
// What can be done to a second body that has places but no axes: a cable in space.
bool needs_no_axes(const std::string& entry);
// All but outputs.
std::vector<Entry> mechanical_entries();

// Places, orientations, velocities, accelerations, multipliers and counted turns at random; nothing fits together, and beams are
// strained by tens of percent.
State<double> random_state(const Model& model, int seed);

template <class T>
State<T> converted(const State<double>& s) {
  const auto copy = [](const AlignedVector<double>& from) { return AlignedVector<T>(from.begin(), from.end()); };
  return {s.t, copy(s.positions), copy(s.velocities), copy(s.accelerations), copy(s.lambda), copy(s.turns)};
}

template <class T>
void evaluate(Assembly<T>& a, const State<T>& s) {
  a.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  a.forces();
}

// A model, its nominal realization on scalar T and the assembly of both.
template <class T>
struct Bench {
  explicit Bench(const Model& m) : realization(make_realization<T>(m, std::span(&m.nominal, 1))), assembly(m, realization) {}
  Realization<T> realization;
  Assembly<T> assembly;
};

// Directions of small motions: 6 body + 0…2 displacement, + 3…5 turn about an inertial axis; those that a planar model has.
std::vector<int> directions_of(const Model& model);

// The state moved by a unit of one direction (turns are turned into body axes, as the state has them).
State<Dual> moved(const Model& m, const State<double>& s, int direction);
// The same for velocities and accelerations.
State<Dual> faster(const Model& m, const State<double>& s, int direction);
State<Dual> accelerated(const Model& m, const State<double>& s, int direction);
// The state going on in time: q̇ = v, v̇ = accelerations.
State<Dual> in_time(const Model& m, const State<double>& s);
// Gives every function of time its own derivative: the coefficients' derivative parts become those of df/dt. (The place in a
// piece is a plain number, so that t itself cannot be a dual number.)
void let_time_run(Realization<Dual>& r);

// Joints whose points coincide have rows p_b − p_a in inertial axes, which turn as a vector; all other rows are scalars. The
// rows of each such joint.
struct InertialRow {
  int row, axis;
};
std::vector<std::vector<InertialRow>> inertial_rows(const Model& model);

// G as a dense matrix, [rows][6 bodies]
Eigen::MatrixXd dense_jacobian(const Assembly<double>& a);
// Rows and columns of `directions` of the matrix in values(), and its border (G), [directions + rows] square
Eigen::MatrixXd dense_matrix(const Assembly<double>& a);

// |a − b| against the largest entry of b (or 1): the largest.
double relative_difference(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b);

}  // namespace aleator::core::test
