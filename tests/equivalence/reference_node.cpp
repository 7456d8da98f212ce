// A rigid body as a reference node (directors held orthonormal by constraints) moves as the plain rigid body does, and its joints carry
// the same reactions. The equations differ, so the two agree as the step goes to zero and not to the last digit.
#include "compare.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string with_nodes(std::string text) {
  for (size_t at = text.find("}  # body"); at != std::string::npos; at = text.find("}  # body", at))
    text.replace(at, 9, ", reference_node: true}");
  return text;
}

const std::string four_bar = R"(
plane: xy
gravity: [0, -9.81]
bodies:
  crank: {mass: 1, inertia: 0.02, center_of_mass: [0, 0.25]}  # body
  coupler: {mass: 2, inertia: 0.3, center_of_mass: [0.6, 0.7], orientation: 0.3}  # body
  rocker: {mass: 1.5, inertia: 0.1, center_of_mass: [1.2, 0.5]}  # body
joints:
  O: {revolute: [ground, crank], at: [0, 0], damper: 0.05}
  A: {revolute: [crank, coupler], at: [0, 0.5]}
  B: {revolute: [coupler, rocker], at: [1.2, 0.9]}
  C: {revolute: [ground, rocker], at: [1.2, 0]}
forces:
  spring: {spring_damper: [ground, coupler], points: [[0.5, 2], [0.6, 0.8]], stiffness: 80, damping: 1}
  push: {force: rocker, at: [1.2, 0.4], value: [5*sin(3*t), 1], follows: true}
  twist: {torque: crank, value: 0.5}
outputs:
  turn: {coordinate: O}
  rate: {rate: B}
  angle: {orientation: coupler}
  point: {position: coupler, at: [0.6, 1]}
  velocity: {velocity: coupler, at: [0.6, 1]}
  tension: {tension: spring}
  energy: {energy: all}
  at_A: {reaction: A}
  at_C: {reaction: C}
simulation: {duration: 1, step: 1e-3, output_step: 0.02}
)";

// Two bodies on a universal joint and a hinge, a bushing to the ground, full inertia tensors.
const std::string pendulum = R"(
gravity: [0, 0, -9.81]
bodies:
  upper: {mass: 1, inertia: {xx: 0.02, yy: 0.03, zz: 0.025, xy: 0.002}, at: [0.25, 0, 0], center_of_mass: [0.25, 0.02, 0.01], orientation: {rpy: [0.3, 0.2, -0.5]}, angular_velocity: [0, 1, 0.5]}  # body
  lower: {mass: 2, inertia: {xx: 0.04, yy: 0.05, zz: 0.03, yz: 0.004}, at: [0.5, 0, -0.2]}  # body
joints:
  shoulder: {universal: [ground, upper], axis: y, second_axis: z, at: [0, 0, 0]}
  elbow: {revolute: [upper, lower], axis: y, at: [0.5, 0, 0], spring: {stiffness: 8}, damper: 0.1}
forces:
  rubber: {bushing: [ground, lower], at: [0.5, 0, -0.4], stiffness: [9, 8, 3], damping: [0.1, 0.2, 0.1], rotational_stiffness: [3, 2, 1]}
outputs:
  tip: {position: lower, at: [0.5, 0, -0.4]}
  turning: {angular_velocity: lower}
  facing: {orientation: upper}
  bend: {coordinate: elbow}
  energy: {energy: all}
  shoulder: {reaction: shoulder}
  moment: {reaction_torque: shoulder}
  elbow: {reaction: elbow}
simulation: {duration: 1, step: 1e-3, output_step: 0.02}
)";

// A fast top on its tip: 200 rad/s, three nutations in 0.1 s; directors are of length 1 and go round 3 times.
const std::string top = R"(
gravity: [0, 0, -9.81]
bodies:
  top: {mass: 0.5, inertia: {xx: 8e-4, yy: 8e-4, zz: 1e-3}, at: [0, 0.05, 0.0866], orientation: {rpy: [-0.5236, 0, 0]}, angular_velocity: [0.5, 100, 173.2]}  # body
joints:
  tip: {spherical: [ground, top], at: [0, 0, 0]}
outputs:
  head: {position: top, at: [0, 0.1, 0.1732]}
  energy: {energy: all}
  tip: {reaction: tip}
simulation: {duration: 0.1, step: 1e-4, output_step: 2e-3}
)";

double largest_difference(const Result& a, const Result& b) {
  EXPECT_EQ(a.names, b.names);
  double worst = 0;
  for (const std::string& name : a.names) worst = std::max(worst, difference(a, b, name));
  return worst;
}

// Halving the step divides the difference by 2^order; and in the end it is small.
void expect_convergence(const std::string& text_of, const std::string& integrator, double step, double order, double smallest) {
  const Model rigid = model_from(text_of), nodes = model_from(with_nodes(text_of));
  EXPECT_GT(nodes.topology.carriers.size(), rigid.topology.carriers.size());
  double before = 0;
  for (const double h : {step, step / 2}) {
    const double d =
        largest_difference(run(rigid, {.integrator = integrator, .step = h}), run(nodes, {.integrator = integrator, .step = h}));
    EXPECT_GT(before > 0 ? std::log2(before / d) : order + 1, order) << d;
    before = d;
  }
  EXPECT_LT(before, smallest);
}

// Orders are those of the integrators, 2 and 4, less what a finite step takes off. The differences at the smaller step, relative to the
// largest value of a channel, with a factor of about 3: truncation, C h², C h⁴.
TEST(ReferenceNode, four_bar_by_generalized_alpha) { expect_convergence(four_bar, "generalized-alpha", 1e-2, 1.8, 6e-7); }
TEST(ReferenceNode, four_bar_by_runge_kutta) { expect_convergence(four_bar, "runge-kutta", 2e-2, 3.7, 2e-9); }
TEST(ReferenceNode, spatial_pendulum_by_generalized_alpha) { expect_convergence(pendulum, "generalized-alpha", 4e-3, 1.8, 1e-4); }
TEST(ReferenceNode, spatial_pendulum_by_runge_kutta) { expect_convergence(pendulum, "runge-kutta", 1e-2, 3.7, 3e-7); }
TEST(ReferenceNode, top_by_generalized_alpha) { expect_convergence(top, "generalized-alpha", 1e-4, 1.8, 4e-4); }
TEST(ReferenceNode, top_by_runge_kutta) { expect_convergence(top, "runge-kutta", 2e-4, 3.7, 1e-7); }

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
