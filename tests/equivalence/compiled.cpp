// A compiled model (directions that the ground locks are no unknowns, accelerations in joint coordinates) and the same model with all its
// unknowns: the motion agrees to round-off, whatever the joints to the ground are.
#include "compare.hpp"
#include "dynamics/lane_engine.hpp"
#include "dynamics/newton_border.hpp"
#include "dynamics/newton_pattern.hpp"
#include "dynamics/newton_symmetry.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr CompileOptions uncompiled = {.lock_unmoved = false, .find_prescribed = false, .tree = false};

// `dofs` of the compiled model shows that the pass did something.
void expect_same(const std::string& text, int dofs, int all_dofs, double tolerance_alpha) {
  const Model a = model_from(text), b = model_from(text, uncompiled);
  EXPECT_EQ(a.structure.dofs, dofs);
  EXPECT_EQ(b.structure.dofs, all_dofs);
  // Multipliers of all unknowns are regularised by 1e-11, those of a tree are not.
  expect_equal(run(a, {.integrator = "runge-kutta"}), run(b, {.integrator = "runge-kutta"}), 1e-9);
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
  expect_equal(run(a, {.integrator = "runge-kutta"}), run(b, {.integrator = "runge-kutta"}), 1e-9);
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

// Outputs in lanes, [times][channels].
std::vector<double> in_lanes(const Model& model, const LanePasses& passes = {}) {
  const Realization<double> r = make_realization<double>(model, std::span(&model.nominal, 1));
  const LaneEngine engine(model, std::span(&model.nominal, 1), model.settings, best_isa(), false, passes);
  LaneRun run(engine);
  const LaneRun::Start start{&r};
  run(std::span(&start, 1), false);
  EXPECT_FALSE(run.failed(0));
  std::vector<double> out;
  run.outputs(0, out);
  return out;
}

// Bodies whose motion is prescribed are solved for apart from Newton's matrix: the same motion and the same reactions, of drives, too. One is driven
// by a joint, one held by that one, one hangs on a spring; a beam turns with the first.
const std::string driven = R"(
plane: xy
gravity: [0, -9.81]
bodies:
  crank: {shape: {box: [0.4, 0.05, 0.05]}, mass: 1, at: [0.2, 0]}
  arm: {shape: {box: [0.05, 0.4, 0.05]}, mass: 0.5, at: [0.4, 0.2]}
  rod: {shape: {box: [1, 0.05, 0.05]}, mass: 2, at: [0.9, 0.4]}
  bob: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [0.4, -0.5]}
  strip:
    beam: [[0, 0], [-0.6, 0]]
    section: {rectangle: {height: 0.01, width: 0.01}}
    E: 2e9
    nu: 0.3
    density: 1000
    elements: 3
joints:
  drive: {revolute: [ground, crank], at: [0, 0], motion: 3*t + 0.2*sin(8*t)}
  weld: {fixed: [crank, arm], at: [0.4, 0]}
  pin: {revolute: [arm, rod], at: [0.4, 0.4]}
  clamp: {fixed: [crank, strip], at: [0, 0]}
forces:
  rope: {spring_damper: [crank, bob], points: [[0.4, 0], [0.4, -0.5]], stiffness: 500, damping: 2}
outputs:
  tip: {position: rod, at: [1.4, 0.4]}
  end: {position: strip, at: [-0.6, 0]}
  drive: {reaction: drive}
  torque: {reaction_torque: drive, component: z}
  weld: {reaction: weld}
  pin: {reaction: pin}
  work: {work: all}
simulation: {duration: 0.5, step: 1e-3, output_step: 1e-2, tolerance: 1e-12}
)";
TEST(Compiled, prescribed_bodies_in_lanes) {
  Model a = model_from(driven), b = model_from(driven, {.find_prescribed = false});
  EXPECT_EQ(a.structure.prescribed.size(), 2u);
  EXPECT_TRUE(b.structure.prescribed.empty());
  for (const char* integrator : {"generalized-alpha", "radau"}) {
    a.settings.integrator = b.settings.integrator = integrator;
    const std::vector<double> x = in_lanes(a), y = in_lanes(b);
    ASSERT_EQ(x.size(), y.size());
    const size_t channels = x.size() / 51;
    for (size_t c = 0; c < channels; ++c) {
      double size = 1, worst = 0;
      for (size_t k = c; k < x.size(); k += channels)
        size = std::max(size, std::abs(y[k])), worst = std::max(worst, std::abs(x[k] - y[k]));
      // Reactions of generalized-α have the round-off of positions, divided by β h² (4e-10 m/s²), of two bodies.
      EXPECT_LE(worst, (integrator == std::string("radau") ? 1e-9 : 5e-9) * size) << integrator << ", channel " << c;
    }
  }
}

bool is_halved(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> s = assemble(a);
  a.kinematics(0, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  a.set_regularization(1e-11);
  a.mass_matrix();
  const std::vector<double> values(a.values().begin(), a.values().end());
  return NewtonPattern(m, values, find_asymmetric(a, s)).is_symmetric;
}

// Newton's matrices of beams, sliders and pins in the plane are symmetric; not where a body turns freely in space.
TEST(Compiled, symmetric_matrices_in_lanes) {
  Model m = model_from(example("slider-crank"));
  EXPECT_TRUE(is_halved(m));
  EXPECT_FALSE(is_halved(model_from(frames)));
  m.settings.duration = 0.04, m.settings.step = 4e-4, m.settings.tolerance = 1e-10;
  for (const char* integrator : {"generalized-alpha", "radau"}) {
    m.settings.integrator = integrator;
    const std::vector<double> x = in_lanes(m, {.border = false}), y = in_lanes(m, {.symmetric = false});
    ASSERT_EQ(x.size(), y.size());
    double size = 1;
    for (const double v : y) size = std::max(size, std::abs(v));
    // round-off of positions divided by β h² (3e-9 m/s²), of a slider of 10 kg, against reactions of 100 N
    for (size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], y[k], 1e-9 * size) << integrator;
  }
}

std::shared_ptr<const NewtonBorder> border_of(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> s = assemble(a);
  a.kinematics(0, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  a.set_regularization(1e-11);
  a.mass_matrix();
  const std::vector<double> values(a.values().begin(), a.values().end());
  return NewtonBorder::find(m, values, values);
}

// What joints hold is solved for apart from the rest of a beam, which has factors in axes that turn with it: the same motion and the same reactions.
TEST(Compiled, bordered_matrices_in_lanes) {
  Model m = model_from(example("slider-crank")), b = model_from(driven);
  // crank 3, slider 1, both ends of the link; drive 3 rows, two pins of 2, guide
  const auto border = border_of(m);
  ASSERT_TRUE(border);
  EXPECT_EQ(border->lu->inner + int(border->row.size()), m.structure.size);
  EXPECT_LT(border->row.size(), 24u);
  EXPECT_FALSE(border_of(model_from(frames)));  // nothing is inside
  m.settings.duration = 0.04, m.settings.step = 4e-4;
  for (Model* model : {&m, &b}) {
    model->settings.integrator = "radau", model->settings.tolerance = 1e-4;
    const std::vector<double> x = in_lanes(*model), y = in_lanes(*model, {.border = false});
    ASSERT_EQ(x.size(), y.size());
    double size = 1;
    for (const double v : y) size = std::max(size, std::abs(v));
    // each leaves what Newton's tolerance allows of the largest acceleration
    for (size_t k = 0; k < x.size(); ++k) ASSERT_NEAR(x[k], y[k], 2 * 1e-4 * size) << "output " << k;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
