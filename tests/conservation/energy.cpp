// Energy over long runs of mechanisms on the ground: a spatial double pendulum with springs, a heavy top, Bricard's loop; and the
// first integral of a driven mechanism, whose energy changes by the work of the drive.
#include <gtest/gtest.h>

#include "support/elliptic.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string pendulum = R"(
gravity: [0, 0, -9.81]
bodies:
  upper: {shape: {box: [0.5, 0.05, 0.05]}, mass: 1, at: [0.25, 0, 0]}
  lower: {shape: {box: [0.05, 0.05, 0.4]}, mass: 2, at: [0.5, 0, -0.2]}
joints:
  shoulder: {universal: [ground, upper], axis: y, second_axis: z, at: [0, 0, 0]}
  elbow: {revolute: [upper, lower], axis: y, at: [0.5, 0, 0], spring: {stiffness: 8}}
forces:
  band: {spring_damper: [ground, lower], points: [[0.4, 0.6, 0], [0.5, 0, -0.4]], stiffness: 10, length: 0.2}
outputs:
  energy: {energy: all}
  off: {constraint_violation: all}
simulation: {duration: 30, output_step: 0.05}
)";

double change(const Result& r, const std::string& name, double from, double to) {
  const auto E = r.channel(name);
  double worst = 0;
  for (size_t k = 0; k < E.size(); ++k)
    if (r.times[k] >= from && r.times[k] <= to) worst = std::max(worst, std::abs(E[k] - E[0]));
  return worst;
}

TEST(Energy, of_a_spatial_double_pendulum) {
  const Model m = model_from(pendulum);
  const Result rk = run(m, {.integrator = "runge-kutta", .step = 1e-3});
  EXPECT_LT(change(rk, "energy", 0, 30), 1e-7);  // order h⁴ in 30 s, of energies of 10 J
  const Result radau = run(m, {.integrator = "radau", .step = 1e-2});
  EXPECT_LT(change(radau, "energy", 0, 30), 5e-5);  // order h⁵: it loses a little in every step, 1e-6 J/s
  // Order h². Damping of the method acts on what is fast against the step, and these motions are not: no drift
  for (const double rho : {0.95, 0.8}) {
    const Result ga = run(m, {.integrator = "generalized-alpha", .step = 2e-3, .rho = rho});
    EXPECT_LT(change(ga, "energy", 0, 30), 2e-2) << rho;
    EXPECT_LT(change(ga, "energy", 15, 30), 2 * change(ga, "energy", 0, 15)) << rho;
  }
}

// Without joints rho = 1 damps nothing at all, however fast: 3000 periods of the fastest spring at 30 steps each. The energy of the
// method differs from the true one by (ω h)²/4 of it, and that oscillates.
TEST(Energy, of_bodies_on_springs_without_damping) {
  const std::string text_of = R"(
bodies:
  one: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0, 0, 0], angular_velocity: [1, 2, 3]}
  two: {shape: {box: [0.2, 0.2, 0.3]}, mass: 3, at: [1, 0, 0], velocity: [0.5, 0.2, 0]}
forces:
  rubber: {bushing: [one, two], at: [0.5, 0, 0], stiffness: [900, 800, 300], rotational_stiffness: [30, 50, 20]}
  anchor: {spring_damper: [ground, one], points: [[0, 0, 1], [0, 0, 0.1]], stiffness: 50}
outputs:
  energy: {energy: all}
simulation: {duration: 60, output_step: 0.01, step: 2e-3, rho: 1}
)";
  const Result r = run(text_of);
  EXPECT_LT(change(r, "energy", 30, 60), 1.5 * change(r, "energy", 0, 30)) << "no drift";
  EXPECT_LT(change(r, "energy", 0, 60), 0.03 * r.at("energy", 0));
}

// A closed loop with one redundant constraint: energy is kept, and constraints do not drift, although reactions are not unique.
TEST(Energy, of_bricards_mechanism) {
  const Model m = model_of_file("examples/bricard.yaml");
  const Result ga = run(m, {.integrator = "generalized-alpha", .step = 4e-3, .rho = 0.9});
  EXPECT_LT(change(ga, "energy", 0, 10), 2e-2);  // order h², of 25 J that are exchanged
}

// Work of a drive: E(t) − E(0) = ∫ F ẋ dt, with F the reaction of the driven joint; integral by the trapezoidal rule on output times
// at every step, error of order h² (2e-3)² × 30 W s.
TEST(Energy, changes_by_the_work_of_a_drive) {
  const Result r = run(R"(
gravity: [0, 0, -9.81]
bodies:
  cart: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0, 0, 0]}
  bob: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 0, -0.5]}
joints:
  drive: {prismatic: [ground, cart], axis: x, at: [0, 0, 0], motion: 0.2*sin(5*t)}
  pin: {spherical: [cart, bob], at: [0, 0, 0]}
outputs:
  energy: {energy: all}
  push: {reaction: drive, component: x}
  v: {rate: drive}
simulation: {duration: 5, step: 1e-3, output_step: 1e-3, integrator: runge-kutta}
)");
  const auto E = r.channel("energy"), F = r.channel("push"), v = r.channel("v");
  double work = 0, worst = 0;
  for (size_t k = 1; k < E.size(); ++k) {
    work += 0.5 * (r.times[k] - r.times[k - 1]) * (F[k] * v[k] + F[k - 1] * v[k - 1]);
    worst = std::max(worst, std::abs(E[k] - E[0] - work));
  }
  EXPECT_GT(*std::max_element(E.begin(), E.end()) - E[0], 0.5) << "it does work";
  EXPECT_LT(worst, 1e-4);
}

// A heavy asymmetric body on a ball joint: angular momentum about the vertical through the joint is kept, and so is the energy.
TEST(Energy, and_vertical_momentum_of_a_heavy_body) {
  const std::string text_of = R"(
gravity: [0, 0, -9.81]
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0.2, 0.1, 0.3], velocity: [-0.7, -0.3, 0.6], angular_velocity: [2, -1, 5]}
joints:
  ball: {spherical: [ground, body], at: [0, 0, 0]}
outputs:
  v: {velocity: body}
  w: {angular_velocity: body}
  energy: {energy: all}
simulation: {duration: 20, output_step: 0.05}
)";
  const Model m = model_from(text_of);
  const auto vertical = [&](const Result& r) {
    std::vector<double> out;
    const auto vx = r.channel("v.x"), vy = r.channel("v.y"), wx = r.channel("w.x"), wy = r.channel("w.y"), wz = r.channel("w.z");
    for (size_t k = 0; k < r.times.size(); ++k) {
      const double* q = &r.trajectory.poses[7 * k];
      const Mat3<double> R = rotation_matrix(RigidBody::orientation(q));
      const Vec3<double> spin = R * (m.nominal.bodies[0].inertia * transposed_times(R, Vec3<double>{wx[k], wy[k], wz[k]}));
      out.push_back(2 * (q[0] * vy[k] - q[1] * vx[k]) + spin.z);
    }
    return out;
  };
  const Result rk = run(m, {.integrator = "runge-kutta", .step = 1e-3}),
               ga = run(m, {.integrator = "generalized-alpha", .step = 1e-3, .rho = 0.95});
  const auto L = vertical(rk), Lg = vertical(ga);
  double worst = 0, worst_alpha = 0;
  for (size_t k = 0; k < L.size(); ++k)
    worst = std::max(worst, std::abs(L[k] - L[0])), worst_alpha = std::max(worst_alpha, std::abs(Lg[k] - Lg[0]));
  EXPECT_LT(worst, 1e-8);        // order h⁴ in 20 s
  EXPECT_LT(worst_alpha, 1e-3);  // order h²
  EXPECT_LT(change(rk, "energy", 0, 20), 1e-7);
  EXPECT_LT(change(ga, "energy", 0, 20), 1e-2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
