// Three bodies in free flight, held together by a ball joint, a universal joint and a spring: are momentum, angular momentum and
// energy kept over a long time?
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string model = R"(
bodies:
  one: {shape: {box: [0.6, 0.2, 0.1]}, mass: 3, at: [0, 0, 0], velocity: [0.5, 0.1, -0.2], angular_velocity: [1, 2, -1]}
  two: {shape: {box: [0.1, 0.5, 0.2]}, mass: 2, at: [0.4, 0.3, 0], velocity: [0.2, -0.3, 0.4], angular_velocity: [-1, 3, 2]}
  three: {shape: {cylinder: {radius: 0.1, length: 0.4, axis: x}}, mass: 1, at: [0.7, 0.5, 0.1], velocity: [-0.6, 0.2, 0.3], angular_velocity: [4, 0, 1]}
joints:
  ball: {spherical: [one, two], at: [0.3, 0.1, 0]}
  cross: {universal: [two, three], axis: y, second_axis: x, at: [0.45, 0.5, 0.05]}
forces:
  spring: {spring_damper: [one, three], points: [[-0.2, 0, 0.05], [0.9, 0.5, 0.1]], stiffness: 60, length: 0.8}
outputs:
  v1: {velocity: one}
  v2: {velocity: two}
  v3: {velocity: three}
  w1: {angular_velocity: one}
  w2: {angular_velocity: two}
  w3: {angular_velocity: three}
  energy: {energy: all}
  off: {constraint_violation: all}
simulation: {duration: 20, output_step: 0.1}
)";

struct Momentum {
  std::vector<Vec3<double>> linear, angular;  // at output times; angular about the origin
};

Momentum momentum(const Model& m, const Result& r) {
  Momentum out;
  out.linear.resize(r.times.size()), out.angular.resize(r.times.size());
  for (int b = 0; b < 3; ++b) {
    const std::string n = std::to_string(b + 1);
    const auto vector = [&](const std::string& name, size_t k) {
      return Vec3<double>{r.channel(name + ".x")[k], r.channel(name + ".y")[k], r.channel(name + ".z")[k]};
    };
    const RigidBody::Parameters<double>& p = m.nominal.bodies[b];
    for (size_t k = 0; k < r.times.size(); ++k) {
      const double* q = &r.trajectory.poses[(k * 3 + b) * 7];
      const Mat3<double> R = rotation_matrix(RigidBody::orientation(q));
      const Vec3<double> v = p.mass * vector("v" + n, k), spin = R * (p.inertia * transposed_times(R, vector("w" + n, k)));
      out.linear[k] += v;
      out.angular[k] += cross({q[0], q[1], q[2]}, v) + spin;
    }
  }
  return out;
}

double largest_change(const std::vector<Vec3<double>>& x) {
  double worst = 0;
  for (const auto& v : x) worst = std::max(worst, norm(v - x[0]));
  return worst;
}
double largest_change(const std::vector<double>& x, size_t from, size_t to) {
  double worst = 0;
  for (size_t k = from; k < to; ++k) worst = std::max(worst, std::abs(x[k] - x[0]));
  return worst;
}

// Errors of order h⁴, growing with time: 20 s at rates of 5 rad/s. Linear momentum is kept to round-off: reactions are opposite.
TEST(Floating, runge_kutta) {
  const Model m = model_from(model);
  const Result r = run(m, {.integrator = "runge-kutta", .step = 2e-3});
  const Momentum p = momentum(m, r);
  EXPECT_LT(largest_change(p.linear), 1e-11);
  EXPECT_LT(largest_change(p.angular), 1e-6);
  const auto E = r.channel("energy");
  // The motion is chaotic: velocities changed by 1e-12 give 6e-7 to 2.6e-6.
  EXPECT_LT(largest_change(E, 0, E.size()), 4e-6);
  EXPECT_LT(largest_change(r.channel("off"), 0, E.size()), 1e-12);
}

// Energy and angular momentum oscillate with an amplitude of order h². Damping of the method (rho = 0.8) acts on what is fast
// against the step, so there is hardly any drift. (Close to rho = 1, reactions of joints on turning bodies ring and grow.)
TEST(Floating, generalized_alpha) {
  const Model m = model_from(model);
  double energy[2], angular[2];
  for (int i = 0; i < 2; ++i) {
    const Result r = run(m, {.integrator = "generalized-alpha", .step = i == 0 ? 2e-3 : 1e-3, .rho = 0.8});
    const Momentum p = momentum(m, r);
    EXPECT_LT(largest_change(p.linear), 1e-10);
    const auto E = r.channel("energy");
    const size_t half = E.size() / 2;
    const double early = largest_change(E, 0, half), late = largest_change(E, half, E.size());
    EXPECT_LT(late, 2 * early) << "no drift";
    energy[i] = std::max(early, late);
    angular[i] = largest_change(p.angular);
    EXPECT_LT(largest_change(r.channel("off"), 0, E.size()), 1e-12);
  }
  EXPECT_LT(energy[1], 5e-3);
  EXPECT_LT(angular[1], 1e-3);
  EXPECT_NEAR(energy[0] / energy[1], 4, 1.5) << "order h²";  // extremes fall between output times: a rough ratio
  EXPECT_NEAR(angular[0] / angular[1], 4, 1.5);
}

// Quaternions keep unit length; bodies stay bodies.
TEST(Floating, quaternions_stay_unit) {
  for (const std::string integrator : {"runge-kutta", "generalized-alpha"}) {
    const Result r = run(model, {.integrator = integrator, .step = 5e-3});
    for (size_t i = 0; i < r.trajectory.poses.size(); i += 7) {
      const double* q = &r.trajectory.poses[i + 3];
      ASSERT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 4e-16 * 2) << integrator;  // normalised every step
    }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
