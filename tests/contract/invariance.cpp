// Every joint and force that does not touch the ground: when everything is displaced and turned by the same rigid motion, do
// forces turn with it, and do residual, drift and bias of constraints stay what they are?
#include "contract/workbench.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 1e-12;

struct RigidMotion {
  Quaternion<double> turn;
  Vec3<double> shift;
};

State<double> displaced(const Topology& t, State<double> s, const RigidMotion& m) {
  const Mat3<double> Q = rotation_matrix(m.turn);
  const auto turn = [&](double* x, const Vec3<double>& shift) {
    const Vec3<double> y = Q * Vec3<double>{x[0], x[1], x[2]} + shift;
    for (int i = 0; i < 3; ++i) x[i] = y[i];
  };
  for (int c = 0; c < int(t.carriers.size()) - t.states; ++c) {
    double *p = &s.positions[7 * c], *v = &s.velocities[6 * c];
    const bool rigid = c < t.rigid;
    if (rigid) {
      const Quaternion<double> q = m.turn * RigidBody::orientation(p);
      p[3] = q.w;
      for (int i = 0; i < 3; ++i) p[4 + i] = q.v[i];
    } else {
      turn(p + 3, {}), turn(v + 3, {});
    }
    turn(p, rigid || t.carriers[c].is_place ? m.shift : Vec3<double>{});
    turn(v, {});
  }
  return s;
}

std::vector<double> turned_rows(const Model& model, const double* values, const Mat3<double>& Q) {
  std::vector<double> out(values, values + model.structure.rows);
  for (const std::vector<InertialRow>& rows : inertial_rows(model)) {
    Vec3<double> v;
    for (const InertialRow& r : rows) v[r.axis] = values[r.row];
    v = Q * v;
    for (const InertialRow& r : rows) out[r.row] = v[r.axis];
  }
  return out;
}

void expect_turned(const Vec3<double>& before, const Vec3<double>& after, const Mat3<double>& Q, double scale, const char* what) {
  EXPECT_LT(norm(Q * before - after), round_off * scale) << what;
}

bool touches_nothing_outside(const Entry& e) {
  const bool load = e.external && e.force.find("follows: true") == std::string::npos;
  return !load && (e.joint + e.force).find("ground") == std::string::npos;
}

TEST(Invariance, rigid_motion_of_everything) {
  int checked = 0;
  for (const Entry& entry : mechanical_entries()) {
    if (!touches_nothing_outside(entry)) continue;
    SCOPED_TRACE(entry.label);
    ++checked;
    Model model = entry.model();
    model.nominal.gravity = {};
    const RigidMotion motion = entry.planar ? RigidMotion{exponential(Vec3<double>{0, 0, 0.9}), {2, -1, 0}}
                                            : RigidMotion{exponential(Vec3<double>{0.7, -1.1, 0.4}), {2, -1, 3}};
    const Mat3<double> Q = rotation_matrix(motion.turn);
    const State<double> s = random_state(model, 7);
    Bench<double> here(model), there(model);
    evaluate(here.assembly, s);
    evaluate(there.assembly, displaced(model.topology, s, motion));
    const Evaluation<double>&h = here.assembly.evaluation(), &t = there.assembly.evaluation();

    double scale = 10;
    for (int b = 0; b < model.topology.ground(); ++b) scale = std::max({scale, norm(h.wrench[b].F), norm(h.wrench[b].M)});
    for (int b = 0; b < model.topology.ground(); ++b) {
      const Mat3<double> turn = model.topology.carriers[b].states > 0 ? Mat3<double>::identity() : Q;
      expect_turned(h.wrench[b].F, t.wrench[b].F, turn, scale, "force");
      expect_turned(h.wrench[b].M, t.wrench[b].M, turn, scale, "moment");
    }
    const std::vector<double> residual = turned_rows(model, h.residual, Q), drift = turned_rows(model, h.drift, Q),
                              bias = turned_rows(model, h.bias, Q);
    for (int r = 0; r < model.structure.rows; ++r) {
      EXPECT_NEAR(residual[r], t.residual[r], 10 * round_off) << "row " << r;
      EXPECT_NEAR(drift[r], t.drift[r], 10 * round_off) << "row " << r;
      EXPECT_NEAR(bias[r], t.bias[r], 100 * round_off) << "row " << r;
    }
    // Reactions, with multipliers of inertial rows turned likewise.
    std::vector<double> before(6 * model.topology.carriers.size()), after = before;
    here.assembly.add_reactions(s.lambda.data(), before.data());
    there.assembly.add_reactions(turned_rows(model, s.lambda.data(), Q).data(), after.data());
    for (size_t k = 0; k < before.size(); k += 3)
      expect_turned({before[k], before[k + 1], before[k + 2]}, {after[k], after[k + 1], after[k + 2]}, Q, 10, "reaction");
  }
  EXPECT_GT(checked, 100);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
