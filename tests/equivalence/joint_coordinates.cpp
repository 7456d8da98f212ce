// Accelerations in joint coordinates where they must not be used, or only just may: the results are those of the matrix of all unknowns.
#include <fmt/format.h>

#include "compare.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr CompileOptions without_tree = {.tree = false};

// What the first evaluation of the nominal model decides: for itself, and for recordings.
struct Choice {
  bool alone, in_lanes;
};
Choice choice(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> s = assemble(a);
  Index1<double> index1(a);
  index1.evaluate(s, Side::right);
  return {index1.uses_tree(), index1.pivots().tree != nullptr};
}

void expect_same_motion(const std::string& text, double tolerance = 1e-9) {
  expect_equal(run(model_from(text), {.integrator = "runge-kutta"}),
               run(model_from(text, without_tree), {.integrator = "runge-kutta"}), tolerance);
}

// Three hinges too many rows: in the plane of the motion they agree, across it they share.
std::string four_bar(const std::string& more) {
  return R"(
gravity: [0, 0, -9.81]
bodies:
  crank: {shape: {box: [0.02, 0.02, 0.2]}, mass: 1, at: [0, 0, 0.1]}
  rod: {shape: {box: [0.4, 0.02, 0.02]}, mass: 2, at: [0.2, 0, 0.2]}
  rocker: {shape: {box: [0.02, 0.02, 0.2]}, mass: 1, at: [0.4, 0, 0.1]}
joints:
  a: {revolute: [ground, crank], axis: y, at: [0, 0, 0]}
  b: {revolute: [crank, rod], axis: y, at: [0, 0, 0.2]}
  c: {revolute: [rod, rocker], axis: y, at: [0.4, 0, 0.2]}
  d: {revolute: [rocker, ground], axis: y, at: [0.4, 0, 0]}
forces:
  side: {force: rod, at: [0.2, 0, 0.2], value: [1, 3, 0]}
outputs:
  rod: {position: rod}
)" + more +
         "simulation: {duration: 0.5, step: 1e-3, output_step: 1e-2}\n";
}

TEST(JointCoordinates, redundant_rows_share_their_reactions_as_before) {
  const std::string reaction = "  force: {reaction: c}\n";
  EXPECT_FALSE(choice(model_from(four_bar(reaction))).alone);
  EXPECT_FALSE(choice(model_from(four_bar(reaction))).in_lanes);
  expect_same_motion(four_bar(reaction));
  EXPECT_FALSE(choice(model_from(four_bar(""))).alone);
  EXPECT_TRUE(choice(model_from(four_bar(""))).in_lanes);
}

TEST(JointCoordinates, reactions_of_rows_that_are_not_redundant_come_from_the_tree) {
  const std::string text = replaced(
      replaced(four_bar("  force: {reaction: c}\n"), "c: {revolute: [rod, rocker], axis: y", "c: {spherical: [rod, rocker]"),
      "b: {revolute: [crank, rod], axis: y", "b: {universal: [crank, rod], axis: y, second_axis: z");
  EXPECT_TRUE(choice(model_from(text)).alone);
  EXPECT_TRUE(choice(model_from(text)).in_lanes);
  expect_same_motion(text);
}

// A bob without inertia turns about its own centre; the rod alone says how fast.
TEST(JointCoordinates, bodies_without_inertia_at_the_end_of_a_tree) {
  const std::string text = R"(
gravity: [0, 0, -9.81]
plane: xz
bodies:
  arm: {shape: {box: [0.4, 0.02, 0.02]}, mass: 2, at: [0.2, 0, 0]}
  bob: {mass: 1, inertia: 0, at: [0.4, 0, 0]}
joints:
  pin: {revolute: [ground, arm], at: [0, 0, 0]}
  eye: {revolute: [arm, bob], at: [0.4, 0, 0]}
  rod: {distance: [ground, bob], points: [[0.5, 0, 0.5], [0.5, 0, 0]]}
outputs:
  bob: {position: bob}
simulation: {duration: 0.06, step: 1e-3, output_step: 1e-2}
)";
  EXPECT_TRUE(model_from(text).structure.tree.possible);
  EXPECT_FALSE(choice(model_from(text)).alone);
  EXPECT_FALSE(choice(model_from(text)).in_lanes);
  expect_same_motion(text);
}

// Two slides lock a body for good, each only one direction of it; a pendulum hangs on it.
TEST(JointCoordinates, bodies_that_several_joints_lock) {
  const std::string text = R"(
gravity: [0, 0, -9.81]
bodies:
  block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2}
  swing: {shape: {box: [0.02, 0.02, 0.4]}, mass: 1, at: [0.1, 0, -0.2]}
  other: {shape: {box: [0.02, 0.02, 0.4]}, mass: 1, at: [0.3, 0, -0.2]}
joints:
  along: {prismatic: [ground, block], axis: x, at: [0, 0, 0]}
  across: {prismatic: [block, ground], axis: y, at: [0, 0, 0]}
  pin: {revolute: [block, swing], axis: [1, 0.5, 0], at: [0, 0, 0]}
  side: {revolute: [other, block], axis: [0, 1, 0.2], at: [0, 0, 0]}
outputs:
  swing: {position: swing}
  block: {position: block}
simulation: {duration: 0.5, step: 1e-3, output_step: 1e-2}
)";
  EXPECT_EQ(model_from(text).structure.dofs, 12);
  EXPECT_TRUE(choice(model_from(text)).in_lanes);
  expect_same_motion(text);
}

// States of elements are beside the tree.
TEST(JointCoordinates, with_hysteresis) {
  expect_same_motion(R"(
gravity: [0, 0, -9.81]
bodies:
  arm: {shape: {box: [0.4, 0.02, 0.02]}, mass: 2, at: [0.2, 0, 0]}
joints:
  pin: {revolute: [ground, arm], axis: [0.1, 1, 0], at: [0, 0, 0]}
forces:
  isolator: {bouc_wen: [ground, arm], points: [[0.4, 0, 0.3], [0.4, 0, 0]], stiffness: 900, yield_force: 20, post_yield_ratio: 0.2}
outputs:
  arm: {position: arm}
  force: {reaction: pin}
simulation: {duration: 0.5, step: 1e-3, output_step: 1e-2}
)");
}

// More cut rows than a small matrix has: a net of rods.
TEST(JointCoordinates, nets_have_no_tree) {
  std::string bodies, joints;
  const int n = 15;
  const auto name = [](int i, int j) { return fmt::format("m{}_{}", i, j); };
  const auto place = [](int i, int j) { return fmt::format("[{:.2f}, {:.2f}, {:.2f}]", 0.1 * i, 0.1 * j, 0.01 * (i * j % 3)); };
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      bodies += fmt::format("  {}: {{shape: {{box: [0.02, 0.02, 0.02]}}, mass: 0.1, at: {}}}\n", name(i, j), place(i, j));
      const auto rod = [&](int k, int l) {
        if (k < n && l < n)
          joints += fmt::format("  r{}_{}_{}_{}: {{distance: [{}, {}], points: [{}, {}]}}\n", i, j, k, l, name(i, j), name(k, l),
                                place(i, j), place(k, l));
      };
      rod(i + 1, j), rod(i, j + 1);
    }
  const std::string text = "gravity: [0, 0, -9.81]\nbodies:\n" + bodies + "joints:\n" + joints + "simulation: {duration: 1}\n";
  EXPECT_FALSE(model_from(text).structure.tree.possible);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
