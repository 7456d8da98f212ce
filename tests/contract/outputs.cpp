// Outputs: is a velocity the rate of a position, an acceleration that of a velocity, an angular velocity what turns the
// quaternion; are energies, tensions, lengths and reactions what mechanics says?
//
// Outputs exist for realizations, single and in lanes, not for dual numbers; rates are taken by central differences of order 8 along
//   x(t) = x + v t + ½ a t²,   R(t) = R exp(θ(t)),  θ = Ω t + ½ Ω̇ t²,   Ω(t) = T(θ) θ̇
// which has velocities v, Ω and accelerations a, Ω̇ at t = 0. Vectors of nodes are e(t) = e + v t + ½ a t².
#include "contract/workbench.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// T(θ) u = u − (1−cos x)/x² θ×u + (1 − sin x/x)/x² θ×(θ×u)
Vec3<double> tangent_times(const Vec3<double>& theta, const Vec3<double>& u) {
  const double x = norm(theta);
  if (x == 0) return u;
  const double half = std::sin(x / 2) / x;
  const Vec3<double> w = cross(theta, u);
  return u - 2 * half * half * w + (1 - std::sin(x) / x) / (x * x) * cross(theta, w);
}

State<double> later(const Topology& topology, const State<double>& s, double t) {
  State<double> out = s;
  for (int i = 6 * topology.rigid; i < 6 * topology.ground(); ++i) {
    const double v = s.velocities[i], a = s.accelerations[i];
    out.positions[i / 6 * 7 + i % 6] += t * v + 0.5 * t * t * a;
    out.velocities[i] += t * a;
  }
  for (int b = 0; b < topology.rigid; ++b) {
    const double *v = &s.velocities[6 * b], *a = &s.accelerations[6 * b];
    double move[6];
    for (int i = 0; i < 6; ++i) move[i] = t * v[i] + 0.5 * t * t * a[i];
    RigidBody::move(&s.positions[7 * b], move, &out.positions[7 * b]);
    const Vec3<double> omega = tangent_times({move[3], move[4], move[5]}, {v[3] + t * a[3], v[4] + t * a[4], v[5] + t * a[5]});
    for (int i = 0; i < 3; ++i) out.velocities[6 * b + i] = v[i] + t * a[i], out.velocities[6 * b + 3 + i] = omega[i];
  }
  return out;
}

struct Observer {
  Model model;
  State<double> state;
  Bench<double> bench;

  explicit Observer(const std::string& output, const std::string& kind_of_b = "rigid")
      : model(model_with(output, kind_of_b)), state(random_state(model, 3)), bench(model) {}
  static Model model_with(const std::string& output, const std::string& kind_of_b) {
    Entry e;
    e.output = output;
    e.b = kind_of_b;
    return e.model();
  }
  std::vector<double> operator()(const State<double>& s) {
    evaluate(bench.assembly, s);
    std::vector<double> out(bench.assembly.channels());
    bench.assembly.observe(s.accelerations.data(), s.lambda.data(), out.data());
    return out;
  }
  std::vector<double> now() { return (*this)(state); }
  // Order 8: truncation (h⁸/630) f⁽⁹⁾ ≈ 1e-17 for motions at rates of about 1/s; round-off 1e-16/h.
  std::vector<double> rate(double h = 0.01) {
    const double weight[4] = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};
    std::vector<double> sum(bench.assembly.channels());
    for (int k = 1; k <= 4; ++k) {
      const std::vector<double> after = (*this)(later(model.topology, state, k * h)),
                                before = (*this)(later(model.topology, state, -k * h));
      for (size_t c = 0; c < sum.size(); ++c) sum[c] += weight[k - 1] / h * (after[c] - before[c]);
    }
    return sum;
  }
};

constexpr double difference = 2e-12;  // truncation 1e-14 and round-off 1e-13 of the difference formula, with a margin
constexpr double round_off = 1e-13;

void expect_near(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "channel " << i;
}
Vec3<double> vector_of(const std::vector<double>& x) { return {x.at(0), x.at(1), x.at(2)}; }

TEST(Outputs, rates) {
  const std::vector<std::array<std::string, 2>> pairs = {
      {"{position: b, at: [0.1, 0.2, 0.3]}", "{velocity: b, at: [0.1, 0.2, 0.3]}"},
      {"{position: b, component: y}", "{velocity: b, component: y}"},
      {"{velocity: b, at: [0.1, 0.2, 0.3]}", "{acceleration: b, at: [0.1, 0.2, 0.3]}"},
      {"{angular_velocity: b}", "{angular_acceleration: b}"},
      {"{coordinate: turn_b}", "{rate: turn_b}"},
  };
  for (const std::string kind : {"rigid", "reference node", "end of a beam", "curved beam", "beside a beam"})
    for (const auto& [value, slope] : pairs) {
      SCOPED_TRACE(kind + ": " + slope);
      // Strained directors turn at up to 9 rad/s: a smaller step, (9 h)⁸ 9/630 = 1e-16, and ten times the round-off.
      const bool rigid = kind == "rigid";
      expect_near(Observer(slope, kind).now(), Observer(value, kind).rate(rigid ? 0.01 : 0.001),
                  rigid ? difference : 50 * difference);
    }
}

// q̇ = ½ ω ∘ q, so ω = 2 q̇ ∘ q⁻¹ (its vector part), in inertial axes
TEST(Outputs, angular_velocity_turns_the_quaternion) {
  Observer q("{orientation: b, as: quaternion}");
  const std::vector<double> x = q.now(), d = q.rate();
  EXPECT_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3], 1, round_off);
  const Quaternion<double> w =
      Quaternion<double>{2 * d[0], {2 * d[1], 2 * d[2], 2 * d[3]}} * Quaternion<double>{x[0], {-x[1], -x[2], -x[3]}};
  expect_near({w.v.x, w.v.y, w.v.z}, Observer("{angular_velocity: b}").now(), difference);
}

// R = Rz(yaw) Ry(pitch) Rx(roll)
TEST(Outputs, roll_pitch_yaw_give_the_rotation_back) {
  Observer rpy("{orientation: b}");
  const std::vector<double> x = rpy.now();
  const auto about = [](int axis, double angle) {
    Vec3<double> v;
    v[axis] = angle;
    return rotation_matrix(exponential(v));
  };
  const Mat3<double> R = about(2, x[2]) * (about(1, x[1]) * about(0, x[0])), expected = rpy.bench.assembly.frames()[1].R;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(R[i][j], expected[i][j], round_off);
}

TEST(Outputs, in_a_body_components_and_norm) {
  for (const std::string what : {"velocity: b", "acceleration: b", "angular_velocity: b", "angular_acceleration: b",
                                 "reaction: turn_b", "reaction_torque: turn_b", "force: rubber", "torque: rubber"}) {
    SCOPED_TRACE(what);
    Observer plain("{" + what + "}");
    const Vec3<double> v = vector_of(plain.now());
    const Vec3<double> in_c = transposed_times(plain.bench.assembly.frames()[2].R, v);
    expect_near(Observer("{" + what + ", in: c}").now(), {in_c.x, in_c.y, in_c.z}, 1000 * round_off);  // forces up to 1000 N
    expect_near(Observer("{" + what + ", in: c, component: z}").now(), {in_c.z}, 1000 * round_off);
    expect_near(Observer("{" + what + ", component: norm}").now(), {norm(v)}, 1000 * round_off);
  }
  // A position in a body is seen from the place of that body, which is its `at`, not its centre of mass.
  Observer p("{position: b, at: [0.1, 0.2, 0.3]}"), origin("{position: c}");
  const Vec3<double> r = vector_of(p.now()) - vector_of(origin.now());
  const Vec3<double> in_c = transposed_times(p.bench.assembly.frames()[2].R, r);
  expect_near(Observer("{position: b, at: [0.1, 0.2, 0.3], in: c}").now(), {in_c.x, in_c.y, in_c.z}, round_off);
}

// T = Σ ½ m v² + ½ ω·Jω;  dV/dt = −(forces at zero velocity, gravity included)·(velocities)
TEST(Outputs, energies) {
  Observer kinetic("{kinetic_energy: all}"), of_b("{kinetic_energy: b}"), potential("{potential_energy: all}"),
      total("{energy: all}");
  double T = 0;
  kinetic.now();
  for (int b = 0; b < 3; ++b) {
    const BodyFrame<double>& f = kinetic.bench.assembly.frames()[b];
    const auto& p = kinetic.bench.assembly.body_parameters()[b];
    const double of_body = 0.5 * p.mass * dot(f.v, f.v) + 0.5 * dot(f.omega, p.inertia * f.omega);
    if (b == 1) {
      EXPECT_NEAR(of_b.now()[0], of_body, 10 * round_off);
    }
    T += of_body;
  }
  EXPECT_NEAR(kinetic.now()[0], T, 10 * round_off);
  EXPECT_NEAR(total.now()[0], T + potential.now()[0], 1000 * round_off);

  for (size_t i = 18; i < potential.state.velocities.size(); ++i) potential.state.velocities[i] = 0;  // states of hysteresis
  State<double> at_rest = potential.state;
  std::fill(at_rest.velocities.begin(), at_rest.velocities.end(), 0.0);
  potential(at_rest);
  double power = 0;
  std::vector<Wrench<double>> w(potential.bench.assembly.evaluation().wrench, potential.bench.assembly.evaluation().wrench + 3);
  potential.now();
  for (int b = 0; b < 3; ++b)
    power += dot(w[b].F, potential.bench.assembly.frames()[b].v) + dot(w[b].M, potential.bench.assembly.frames()[b].w);
  EXPECT_NEAR(potential.rate()[0], -power,
              3e-10);  // energies of about 1000 J: round-off 1000 × 1e-16 / h, and larger derivatives
}

// The force on the second body points from it to the first when the strut is in tension.
TEST(Outputs, springs) {
  Observer force("{force: strut}"), tension("{tension: strut}"), length("{length: strut}");
  const Vec3<double> p = vector_of(Observer("{position: a, at: [0.1, 0.2, 0.3]}").now()),
                     q = vector_of(Observer("{position: b, at: [0.5, -0.3, 0.7]}").now());
  const double l = norm(q - p);
  EXPECT_NEAR(length.now()[0], l, round_off);
  const double expected = 300 * (l - 0.5) + 4 * length.rate()[0];
  EXPECT_NEAR(tension.now()[0], expected, 1e-10);
  const Vec3<double> F = vector_of(force.now()), along = (expected / l) * (p - q);
  expect_near({F.x, F.y, F.z}, {along.x, along.y, along.z}, 1e-10);

  // A torsion spring: k (φ − 0.2) + c φ̇ about its axis
  Observer angle("{length: spring}"), torque("{tension: spring}"), moment("{torque: spring, component: norm}");
  EXPECT_NEAR(torque.now()[0], 50 * (angle.now()[0] - 0.2) + 0.4 * angle.rate()[0], 1e-10);
}

// What the first body does to the second, as the equations of motion of the second see it: + Gᵀλ on the left-hand side.
TEST(Outputs, reactions) {
  Observer force("{reaction: turn_b}"), torque("{reaction_torque: turn_b}"), point("{position: b, at: [0.1, -0.2, 0.4]}");
  const Vec3<double> F = vector_of(force.now()), M = vector_of(torque.now()), p = vector_of(point.now());
  State<double> s = force.state;
  for (int r = 0; r < 5; ++r) s.lambda[r] = 0;  // turn_a
  std::vector<double> left(18);
  force.bench.assembly.add_reactions(s.lambda.data(), left.data());
  const Vec3<double> arm = p - force.bench.assembly.frames()[1].x, about_centre = M + cross(arm, F);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(left[6 + i], -F[i], round_off);
    EXPECT_NEAR(left[9 + i], -about_centre[i], 10 * round_off);
  }
}

TEST(Outputs, violation_is_the_largest_residual) {
  Observer all("{constraint_violation: all}"), one("{constraint_violation: turn_b}");
  all.now();
  double of_all = 0, of_one = 0;
  for (int r = 0; r < 10; ++r) {
    const double g = std::abs(all.bench.assembly.evaluation().residual[r]);
    of_all = std::max(of_all, g);
    if (r >= 5) of_one = std::max(of_one, g);
  }
  EXPECT_EQ(all.now()[0], of_all);
  EXPECT_EQ(one.now()[0], of_one);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
