// A compiled model (directions that the ground locks are no unknowns) and the same model with all its unknowns: the motion
// agrees to round-off, whatever the joints to the ground are.
#include "compare.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr CompileOptions uncompiled = {.lock_unmoved = false};

// `dofs` of the compiled model shows that the pass did something.
void expect_same(const std::string& text, int dofs, int all_dofs, double tolerance_alpha) {
  const Model a = model_from(text), b = model_from(text, uncompiled);
  EXPECT_EQ(a.structure.dofs, dofs);
  EXPECT_EQ(b.structure.dofs, all_dofs);
  // Round-off of multipliers regularised by 1e-11.
  expect_equal(run(a, {.integrator = "runge-kutta"}), run(b, {.integrator = "runge-kutta"}), 1e-10);
  expect_equal(run(a), run(b), tolerance_alpha);
}

// Generalized-α makes accelerations from positions: round-off of 1e-16 m becomes 1e-16 / (β h²) = 1e-6 m/s² at h = 2e-5 s.
TEST(Compiled, five_body) { expect_same(example("five-body"), 21, 30, 1e-6); }

// A frame in three ways: fixed upright, fixed in an oblique position, guided along an oblique axis.
const std::string frames = R"(
gravity: [0, 0, -9.81]
bodies:
  upright: {shape: {box: [0.1, 0.1, 1]}, mass: 2, at: [0, 0, 0.5]}
  oblique: {shape: {box: [0.1, 0.1, 1]}, mass: 2, at: [1, 0, 0.5], orientation: {rpy: [0.3, 0.5, 0.7]}}
  slide: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [2, 0, 0.5], orientation: {rpy: [0, 0.4, 0]}}
  swing: {shape: {box: [1, 0.1, 0.1]}, mass: 3, at: [0.5, 0, 1]}
  swing2: {shape: {box: [1, 0.1, 0.1]}, mass: 3, at: [1.5, 0, 1]}
joints:
  foot: {fixed: [ground, upright], at: [0, 0, 0]}
  foot2: {fixed: [oblique, ground], at: [1, 0, 0]}
  rail: {prismatic: [ground, slide], axis: [1, 0, -1], at: [2, 0, 0.5], spring: {stiffness: 100}}
  pin: {spherical: [upright, swing], at: [0, 0, 1]}
  pin2: {revolute: [oblique, swing2], axis: [1, 1, 1], at: [1, 0, 1]}
forces:
  rope: {spring_damper: [swing, slide], points: [[1, 0, 1], [2, 0, 0.5]], stiffness: 50, damping: 1}
outputs:
  tip: {position: swing, at: [1, 0, 1]}
  tip2: {velocity: swing2, at: [2, 0, 1]}
  slid: {coordinate: rail}
  pull: {tension: rope}
  energy: {energy: all}
simulation: {duration: 1, step: 1e-3, output_step: 1e-2}
)";
// Fixed bodies have nothing left; the slide has x and z, which its oblique rail couples.
TEST(Compiled, frames_and_slides) { expect_same(frames, 14, 30, 1e-9); }

// A joint whose reaction is asked for keeps its rows, and the reaction is the same as without the pass.
TEST(Compiled, reactions_of_locked_joints_are_still_there) {
  const std::string text = with_outputs(frames, "  foot: {reaction: foot}\n  foot_torque: {reaction_torque: foot}\n");
  const Model a = model_from(text), b = model_from(text, uncompiled);
  expect_equal(run(a, {.integrator = "runge-kutta"}), run(b, {.integrator = "runge-kutta"}), 1e-10);
}

TEST(Compiled, planar_frame) {
  expect_same(R"(
plane: xz
gravity: [0, 0, -9.81]
bodies:
  post: {shape: {box: [0.1, 0.1, 1]}, mass: 2, at: [0, 0, 0.5]}
  slide: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [2, 0, 0.5]}
  swing: {shape: {box: [1, 0.1, 0.1]}, mass: 3, at: [0.5, 0, 1]}
joints:
  foot: {fixed: [ground, post], at: [0, 0, 0]}
  rail: {prismatic: [ground, slide], axis: z, at: [2, 0, 0.5], motion: 0.1*sin(5*t)}
  pin: {revolute: [post, swing], at: [0, 0, 1]}
forces:
  rope: {spring_damper: [swing, slide], points: [[1, 0, 1], [2, 0, 0.5]], stiffness: 50, damping: 1}
outputs:
  tip: {position: swing, at: [1, 0, 1]}
  pull: {tension: rope}
simulation: {duration: 1, step: 1e-3, output_step: 1e-2}
)",
              4, 9, 1e-9);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
