#include "dynamics/start.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/named_place.hpp"

namespace aleator::core {

State<double> drawn_state(const Model& model, const Realization<double>& r) {
  State<double> s;
  s.positions = r.positions;
  s.velocities = r.velocities;
  s.accelerations.resize(s.velocities.size());
  s.lambda.resize(model.structure.rows);
  s.turns.resize(model.topology.turns);
  for (size_t i = 0; i < s.velocities.size(); ++i)
    if (model.structure.dof[i] < 0) s.velocities[i] = 0;
  return s;
}

namespace {

double largest(const double* x, int n) {
  double m = 0;
  for (int i = 0; i < n; ++i) m = std::max(m, std::isfinite(x[i]) ? std::abs(x[i]) : HUGE_VAL);
  return m;
}

// "joint 'pin' (model.yaml:5:3) remains open by 0.2 rad in its rotation about x" for the largest violation.
std::string worst_joint(const Assembly<double>& a) {
  const Topology& t = a.model().topology;
  int worst = 0;
  for (int r = 0; r < a.rows(); ++r)
    if (std::abs(a.evaluation().residual[r]) > std::abs(a.evaluation().residual[worst])) worst = r;
  const RowRecord& row = t.rows[worst];
  return fmt::format("{} remains open by {:.3g} {} ({})", named_joint(a.model(), row.joint),
                     std::abs(a.evaluation().residual[worst]), row.is_angle ? "rad" : "m", row.what);
}

std::string joint_of_largest(const Topology& t, const std::vector<double>& rows) {
  const auto smaller = [](double x, double y) { return std::abs(x) < std::abs(y); };
  return t.joints[t.rows[std::max_element(rows.begin(), rows.end(), smaller) - rows.begin()].joint].name;
}

// Velocities that were given and do not fit the constraints. Those that were not given take what the others leave them.
void compare_velocities(const Topology& t, const AlignedVector<double>& given, const State<double>& s,
                        const std::string& resisting, AssemblyReport& r) {
  constexpr double noticed = 1e-6;  // of the speed: less than anybody writes
  double most = noticed;
  for (int c = 0; c < int(t.carriers.size()); ++c)
    for (const bool spin : {false, true}) {
      if (spin ? c >= t.rigid : !t.carriers[c].is_place) continue;
      const size_t i = size_t(6 * c + (spin ? 3 : 0));
      const Vec3<double> w{given[i], given[i + 1], given[i + 2]};
      const Vec3<double> v{s.velocities[i], s.velocities[i + 1], s.velocities[i + 2]};
      const double speed = norm(w), change = norm(v - w);
      if (!(speed > 0) || !(change > most * speed)) continue;
      most = change / speed;
      r.changed_body = t.carrier_name(c), r.resisting_joint = resisting;
      r.given_speed = speed, r.start_speed = norm(v), r.is_spin = spin;
    }
}

}  // namespace

State<double> assemble(Assembly<double>& a, AssemblyReport* report) {
  const Model& m = a.model();
  State<double> s = drawn_state(m, a.realization());
  const State<double> drawn = s;
  Index1<double> index1(a, Index1Solver::matrix);  // whose messages tell who resists
  AssemblyReport r;
  double size = 1;
  for (int c = 0; c < a.carriers().count; ++c)
    if (m.topology.carriers[c].is_place) size = std::max(size, largest(&s.positions[7 * c], 3));
  const double enough = 4e-16 * size, acceptable = 1e-10 * size;
  double previous = HUGE_VAL;
  for (; r.iterations < 100; ++r.iterations) {
    if (index1.evaluate(s, Side::right)) throw SimulationError("the constraints cannot be evaluated at t = 0: " + worst_joint(a));
    const double violation = largest(a.evaluation().residual, a.rows());
    if (r.iterations == 0) r.violation = violation;
    if (violation <= enough || (violation < acceptable && violation > 0.5 * previous)) break;
    previous = violation;
    index1.project_positions(s);
  }
  if (!(largest(a.evaluation().residual, a.rows()) < acceptable))
    throw SimulationError(fmt::format(
        "the mechanism cannot be assembled at t = 0: {} after {} iterations; check the positions, axes and lengths of this "
        "joint and of those that form a loop with it",
        worst_joint(a), r.iterations));
  a.update_turns(s.turns.data());
  std::vector<double> open(a.rows());
  a.velocity_residual(open.data());
  const std::string resisting = open.empty() ? "" : joint_of_largest(m.topology, open);
  index1.project_velocities(s);
  index1.evaluate(s, Side::right);
  a.velocity_residual(open.data());
  double speed = 1;
  speed = std::max(speed, largest(s.velocities.data(), int(s.velocities.size())));
  if (!(largest(open.data(), a.rows()) < 1e-6 * speed)) {
    const int worst = int(
        std::max_element(open.begin(), open.end(), [](double x, double y) { return std::abs(x) < std::abs(y); }) - open.begin());
    throw SimulationError(
        fmt::format("no velocities at t = 0 are compatible with the constraints: {} is violated by {:.3g} {} ({}); do drives "
                    "contradict each other?",
                    named_joint(m, m.topology.rows[worst].joint), std::abs(open[worst]),
                    m.topology.rows[worst].is_angle ? "rad/s" : "m/s", m.topology.rows[worst].what));
  }
  index1.accelerations(s);

  for (int c = 0; c < a.carriers().count; ++c) {
    const double *p = &s.positions[7 * c], *q = &drawn.positions[7 * c], *v = &s.velocities[6 * c];
    const double* w = &a.realization().velocities[6 * c];
    if (m.topology.carriers[c].is_place) {
      const double moved = norm(Vec3<double>{p[0] - q[0], p[1] - q[1], p[2] - q[2]});
      if (moved > r.moved) r.moved = moved, r.moved_body = m.topology.carrier_name(c);
      r.velocity_change = std::max(r.velocity_change, norm(Vec3<double>{v[0] - w[0], v[1] - w[1], v[2] - w[2]}));
    }
    if (c >= a.carriers().rigid) continue;
    const Mat3<double> turn =
        transposed_times(rotation_matrix(RigidBody::orientation(q)), rotation_matrix(RigidBody::orientation(p)));
    const double turned = norm(rotation_vector(turn));
    if (turned > r.turned) r.turned = turned, r.turned_body = m.topology.carrier_name(c);
    r.angular_velocity_change = std::max(r.angular_velocity_change, norm(Vec3<double>{v[3] - w[3], v[4] - w[4], v[5] - w[5]}));
  }
  compare_velocities(m.topology, a.realization().velocities, s, resisting, r);
  if (report) *report = r;
  return s;
}

bool Redundancy::touches(const std::string& joint) const {
  return std::any_of(sets.begin(), sets.end(),
                     [&](const auto& set) { return std::find(set.begin(), set.end(), joint) != set.end(); });
}

Redundancy find_redundancy(Assembly<double>& a, const State<double>& s) {
  const Topology& t = a.model().topology;
  a.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  Redundancy out;
  out.rows = a.rows();
  std::vector<Triplet> entries;
  const auto active = [&](int i) { return t.carriers[i / 6].active(i % 6, t.normal); };
  for (int i = 0; i < 6 * a.carriers().first_state; ++i) out.velocities += active(i);
  for (size_t k = 0; k < t.block_row.size(); ++k) {
    if (t.block_carrier[k] == t.ground()) continue;
    const Wrench<double>& w = a.evaluation().jacobian[k];
    for (int i = 0; i < 6; ++i)
      if (const int column = 6 * t.block_carrier[k] + i; active(column))
        entries.push_back({t.block_row[k], column, i < 3 ? w.F[i] : w.M[i - 3]});
  }
  const RowRank rank = row_rank(a.rows(), a.velocities(), entries);
  out.rank = rank.rank;
  out.dependent = rank.dependent_rows;
  std::vector<double> length(a.rows());
  for (const Triplet& e : entries) length[e.row] = std::hypot(length[e.row], e.value);
  for (auto& shares : row_dependencies(a.rows(), a.velocities(), entries, rank)) {
    const int own = rank.dependent_rows[out.sets.size()];
    std::vector<std::string> joints = {t.joints[t.rows[own].joint].name};
    for (RowShare& other : shares) {
      const std::string& name = t.joints[t.rows[other.row].joint].name;
      if (std::find(joints.begin(), joints.end(), name) == joints.end()) joints.push_back(name);
      other.coefficient *= length[own] / length[other.row];  // of rows as they are, not of unit length
    }
    out.sets.push_back(joints);
    out.shares.push_back(std::move(shares));
  }
  return out;
}

}  // namespace aleator::core
