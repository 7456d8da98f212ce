// Models that can be read but not computed, and results that cannot be written: exit codes 4 and 6, a message that says when,
// where and what to try, and nothing left behind that looks like a result.
#include <gtest/gtest.h>

#include "program.hpp"
#include "support/places.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

void expect_failure(const std::string& text, const std::string& message) {
  const Folder folder;
  folder.write("model.yaml", text);
  const Outcome o = aleator({"simulate", "model.yaml", "--out", "results"}, folder.path());
  EXPECT_EQ(o.code, 4) << text;
  EXPECT_EQ(o.err, message + "\n");
  EXPECT_EQ(folder.files(), std::vector<std::string>{"model.yaml"});
}

const std::string outputs = "outputs: {energy: {energy: all}}\n";

TEST(Failures, rods_that_cannot_close) {
  expect_failure(
      R"(
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.5, 0, 0]}
joints:
  left: {distance: [ground, ball], points: [[0, 0, 0], [0.5, 0, 0]], length: 0.4}
  right: {distance: [ground, ball], points: [[2, 0, 0], [0.5, 0, 0]], length: 0.4}
simulation: {duration: 1}
)" + outputs,
      "aleator: the mechanism cannot be assembled at t = 0: joint 'left' (model.yaml:5:3) remains open by 0.6 m (length) after "
      "100 iterations; "
      "check the positions, axes and lengths of this joint and of those that form a loop with it");
}

TEST(Failures, velocities_that_contradict_a_joint) {
  expect_failure(
      R"(
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.5, 0, 0]}
joints:
  held: {fixed: [ground, ball], at: [0.5, 0, 0]}
  driven: {prismatic: [ground, ball], axis: x, at: [0.5, 0, 0], motion: t}
simulation: {duration: 1}
)" + outputs,
      "aleator: no velocities at t = 0 are compatible with the constraints: joint 'driven' (model.yaml:6:3) is violated by 1 m/s "
      "(translation along x); do drives contradict each other?");
}

// Both drives begin alike and part later.
TEST(Failures, drives_that_contradict_each_other_on_the_way) {
  const Folder folder;
  folder.write("model.yaml", R"(
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.5, 0, 0]}
joints:
  slow: {prismatic: [ground, ball], axis: x, at: [0.5, 0, 0], motion: t^2}
  fast: {prismatic: [ground, ball], axis: x, at: [0.5, 0, 0], motion: 2*t^2}
simulation: {duration: 1, step: 1e-2, integrator: generalized-alpha}
)" + outputs);
  const Outcome o = aleator({"simulate", "model.yaml"}, folder.path());
  EXPECT_EQ(o.code, 4);
  for (const char* words :
       {"the constraints cannot all be met at t = 0.02 s: joint '", " remains open by 0.0002 m (translation along x), joint '",
        "'slow' (model.yaml:5:3)", "'fast' (model.yaml:6:3)", " by 0.0002 m (translation along x). Do drives"})
    EXPECT_NE(o.err.find(words), std::string::npos) << words << ": " << o.err;
}

TEST(Failures, a_point_that_can_turn) {
  expect_failure(R"(
bodies:
  point: {mass: 1, inertia: {xx: 0, yy: 0, zz: 0}, at: [0.5, 0, 0]}
forces:
  push: {force: point, at: [0.6, 0, 0], value: [0, 1, 0]}
simulation: {duration: 1}
)" + outputs,
                 "aleator: the system is singular: nothing determines the acceleration of body 'point' (model.yaml:3:3); has it, "
                 "or what it carries, a mass, and an inertia about every axis it can turn about?");
}

TEST(Failures, a_step_in_which_newton_converges_to_nonsense) {
  expect_failure(
      R"(
gravity: [0, 0, -9.81]
bodies:
  upper: {shape: {box: [1, 0.05, 0.05]}, mass: 1, at: [0.5, 0, 0]}
  lower: {shape: {box: [1, 0.05, 0.05]}, mass: 1, at: [1.5, 0, 0]}
joints:
  pin: {revolute: [ground, upper], axis: y, at: [0, 0, 0]}
  knee: {revolute: [upper, lower], axis: y, at: [1, 0, 0]}
simulation: {duration: 20, step: 0.5, output_step: 0.5, integrator: generalized-alpha}
)" + outputs,
      "aleator: the motion has gained energy until t = 1.5 s that no drive or load supplied: the step is too long. Try a "
      "smaller 'step', or 'integrator: auto', which reduces steps where that is necessary");
}

TEST(Failures, a_step_that_is_too_large_for_runge_kutta) {
  expect_failure(
      R"(
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.5, 0, 0]}
forces:
  stiff: {spring_damper: [ground, ball], points: [[0, 0, 0], [0.5, 0, 0]], stiffness: 1e9, length: 0.1}
simulation: {duration: 10, step: 0.01, integrator: runge-kutta}
)" + outputs,
      "aleator: the motion has gained energy until t = 0.05 s that no drive or load supplied: the step is too long for the "
      "fastest motion, with an explicit method. Try a smaller 'step', or 'integrator: auto', which reduces steps where that is "
      "necessary");
}

TEST(Failures, numbers_beyond_all_bounds) {
  expect_failure(R"(
bodies:
  speck: {shape: {sphere: {radius: 0.1}}, mass: 1e-300, at: [0.5, 0, 0]}
forces:
  push: {force: speck, value: [1e300, 0, 0]}
simulation: {duration: 1}
)" + outputs,
                 "aleator: the step from t = 0 s cannot be done, although it was reduced to 9.31e-13 s. The motion may have no "
                 "continuation there; otherwise try a larger 'tolerance' or another 'integrator'");
}

TEST(Failures, no_equilibrium) {
  const Folder folder;
  folder.write("model.yaml",
               "gravity: [0, 0, -9.81]\nbodies: {stone: {shape: {sphere: {radius: 0.1}}, mass: 1}}\nsimulation: {duration: 1, "
               "start: equilibrium}\n" +
                   outputs);
  EXPECT_EQ(aleator({"simulate", "model.yaml"}, folder.path()).code, 4);
  EXPECT_EQ(aleator({"equilibrium", "model.yaml"}, folder.path()).code, 4);
  EXPECT_EQ(aleator({"modes", "model.yaml", "--about", "equilibrium"}, folder.path()).code, 4);
  EXPECT_EQ(folder.files(), std::vector<std::string>{"model.yaml"});
}

// The check of a model finds what cannot be assembled, too.
TEST(Failures, check_assembles) {
  const Folder folder;
  folder.write("model.yaml", R"(
bodies:
  ball: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0.5, 0, 0]}
joints:
  left: {distance: [ground, ball], points: [[0, 0, 0], [0.5, 0, 0]], length: 0.4}
  right: {distance: [ground, ball], points: [[2, 0, 0], [0.5, 0, 0]], length: 0.4}
simulation: {duration: 1}
)");
  EXPECT_EQ(aleator({"check", "model.yaml"}, folder.path()).code, 4);
}

// --- where nothing can be written (these hold for root, too) -------------------------------------------------------------

const std::string pendulum = source_folder() + "/examples/pendulum.yaml";

void expect_unwritable(const std::vector<std::string>& more) {
  const Folder folder;
  folder.write("file", "not a folder");
  std::vector<std::string> arguments = {"simulate", pendulum};
  arguments.insert(arguments.end(), more.begin(), more.end());
  const Outcome o = aleator(arguments, folder.path());
  EXPECT_EQ(o.code, 6) << o.err;
  EXPECT_TRUE(o.err.starts_with("aleator: cannot write '")) << o.err;
  for (const std::string& f : folder.files()) EXPECT_EQ(f.find(".partial"), std::string::npos) << f;
}

TEST(Failures, below_a_file) { expect_unwritable({"--out", "file/results"}); }
TEST(Failures, in_proc) { expect_unwritable({"--out", "/proc/results"}); }
TEST(Failures, csv_in_a_folder_that_is_not_there) { expect_unwritable({"--out", "results", "--csv", "nowhere/nominal.csv"}); }
TEST(Failures, csv_that_is_a_folder) { expect_unwritable({"--out", "results", "--csv", "."}); }
TEST(Failures, a_full_device) { expect_unwritable({"--out", "results", "--csv", "/dev/full"}); }

TEST(Failures, an_older_result_stays_as_it_was) {
  const Folder folder;
  ASSERT_EQ(aleator({"simulate", pendulum, "--out", "results"}, folder.path()).code, 0);
  const std::vector<std::string> before = folder.files();
  folder.write("model.yaml", "bodies: {}\n");
  EXPECT_EQ(aleator({"simulate", "model.yaml", "--out", "results"}, folder.path()).code, 3);
  std::vector<std::string> after = folder.files();
  std::erase(after, "model.yaml");
  EXPECT_EQ(after, before);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
