// What a user gets to read for typical mistakes, word by word, and exit code 3. Nothing is written.
#include <gtest/gtest.h>

#include <filesystem>

#include "program.hpp"
#include "support/model_text.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string rod = R"(gravity: [0, 0, -9.81]
bodies:
  rod: {shape: {box: [1, 0.05, 0.05]}, mass: 2, at: [0.5, 0, 0]}
joints:
  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}
outputs:
  tip: {position: rod, at: [1, 0, 0]}
simulation: {duration: 0.1, step: 1e-3}
)";

class WrongModels : public testing::Test {
 protected:
  // The model with `from` replaced by `to` is refused with this message.
  void expect(const std::string& from, const std::string& to, const std::string& message) {
    expect_text(replaced(rod, from, to), message);
  }
  void expect_text(const std::string& text, const std::string& message) {
    folder_.write("model.yaml", text);
    const Outcome o = aleator({"simulate", "model.yaml", "--out", "results"}, folder_.path());
    EXPECT_EQ(o.code, 3) << text;
    EXPECT_EQ(o.err, message + "\n");
    EXPECT_EQ(o.out, "");
    EXPECT_EQ(folder_.files(), files_);
  }
  void write(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    files_.insert(files_.begin(), name);
  }

  Folder folder_;
  std::vector<std::string> files_ = {"model.yaml"};
};

TEST_F(WrongModels, the_model_itself_is_right) {
  folder_.write("model.yaml", rod);
  const Outcome o = aleator({"simulate", "model.yaml", "--out", "results"}, folder_.path());
  EXPECT_EQ(o.code, 0);
  EXPECT_EQ(o.err, "");
}

TEST_F(WrongModels, files_outside_the_folder_are_read_when_allowed) {
  std::filesystem::create_directory(folder_.path() + "/inner");
  folder_.write("table.csv", "0,0\n1,1\n");
  folder_.write("inner/model.yaml", replaced(rod, "axis: y,", "axis: y, motion: {piecewise_linear: {file: ../table.csv}},"));
  const std::vector<std::string> command = {"simulate", "inner/model.yaml", "--out", "results"};
  Outcome o = aleator(command, folder_.path());
  EXPECT_EQ(o.code, 3);
  EXPECT_EQ(o.err,
            "inner/model.yaml:5:77: joint 'pin': 'motion.piecewise_linear.file' is outside the folder of the model, found "
            "'../table.csv' (--allow-files . allows it)\n");
  const auto with = [&](const std::string& allowed) {
    std::vector<std::string> all = command;
    all.insert(all.end(), {"--allow-files", allowed});
    return aleator(all, folder_.path());
  };
  EXPECT_EQ(with(".").code, 0);
  EXPECT_EQ(with("inner").code, 3);
  EXPECT_EQ(with("nowhere").code, 2);
}

TEST_F(WrongModels, files) {
  const auto refused = [&](const std::string& file, const std::string& message) {
    const Outcome o = aleator({"simulate", file}, folder_.path());
    EXPECT_EQ(o.code, 3);
    EXPECT_EQ(o.err, message + "\n");
  };
  refused("nowhere.yaml", "nowhere.yaml: cannot be opened: No such file or directory");
  refused(".", ".: is a folder, not a file");
  expect_text("", "model.yaml:1:1: the file is empty");
  expect_text(
      "just words",
      "model.yaml:1:1: a model must be a mapping of sections, found 'just words': its lines begin with keys, such as 'title:'");
  expect_text(
      "- a\n- b\n",
      "model.yaml:1:1: a model must be a mapping of sections, found a list of 2: its lines begin with keys, such as 'title:'");
}

TEST_F(WrongModels, keys) {
  expect("mass: 2", "mas: 2", "model.yaml:3:40: body 'rod': unknown key 'mas' (did you mean 'mass'?)");
  expect("joints:", "joint:", "model.yaml:4:1: unknown key 'joint' (did you mean 'joints'?)");
  expect("shape: {box", "shape: {bxo", "model.yaml:3:17: body 'rod': unknown key 'shape.bxo' (did you mean 'box'?)");
  expect("duration: 0.1, ", "", "model.yaml:8:13: simulation: 'duration' is missing");
  expect("simulation: {duration: 0.1, step: 1e-3}\n", "",
         "model.yaml:8:1: 'simulation' is missing: at least its duration must be given, as in simulation: {duration: 1}");
  expect("axis: y, ", "", "model.yaml:5:3: joint 'pin': 'axis' is missing (x, y, z or a vector)");
  expect("position: rod", "position: rod, velocity: rod",
         "model.yaml:7:24: output 'tip': both 'position' and 'velocity' give its type, only one may");
}

TEST_F(WrongModels, names) {
  expect("[ground, rod]", "[ground, rodd]", "model.yaml:5:28: joint 'pin': unknown body 'rodd' (did you mean 'rod'?)");
  expect("position: rod", "position: wheel", "model.yaml:7:19: output 'tip': unknown body 'wheel' (known: rod, ground)");
  expect("position: rod, at: [1, 0, 0]", "reaction: pinn",
         "model.yaml:7:19: output 'tip': unknown joint 'pinn' (did you mean 'pin'?)");
  expect("[ground, rod]", "[rod, rod]",
         "model.yaml:5:25: joint 'pin': 'revolute' must name two different bodies, found 'rod' twice");
  expect("joints:\n", "  rod: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}\njoints:\n",
         "model.yaml:4:3: 'rod' is given twice (first in line 3)");
  expect("  rod: {shape", "  ground: {shape", "model.yaml:3:3: body 'ground': this name is reserved for the ground");
}

TEST_F(WrongModels, numbers) {
  expect("mass: 2", "mass: -2", "model.yaml:3:46: body 'rod': 'mass' may not be negative, found -2");
  expect("mass: 2", "mass: 0",
         "model.yaml:3:46: body 'rod': without a mass it must join others by at least two joints, or its joint must have an "
         "'armature'");
  expect(
      "mass: 2", "mass: 2 kg",
      "model.yaml:3:48: body 'rod': 'mass' has 'kg' after a number (numbers are in SI units, without naming them; only deg or % "
      "may follow)");
  expect("mass: 2", "mass: [2]", "model.yaml:3:46: body 'rod': 'mass' must be a number, found a list of 1");
  expect("mass: 2", "mass: 1/0", "model.yaml:3:46: body 'rod': 'mass' is not finite: '1/0'");
  expect("step: 1e-3", "step: 0", "model.yaml:8:35: simulation: 'step' must be positive, found 0");
  expect("step: 1e-3", "integrator: rk4",
         "model.yaml:8:41: simulation: 'integrator' must be auto, generalized-alpha, radau, dormand-prince, runge-kutta, "
         "adams-bashforth or ida, "
         "found 'rk4' (did you mean 'runge-kutta'?)");
  expect("step: 1e-3", "step: 1e-3, accuracy: 1e-3",
         "model.yaml:8:35: simulation: 'accuracy' determines the step: give either 'accuracy' or 'step'");
  expect("at: [1, 0, 0]", "at: [1, 0]",
         "model.yaml:7:28: output 'tip': 'at' must be a vector of 3 numbers or the name of a point, found a list of 2");
  expect("axis: y", "axis: [0, 0, 0]", "model.yaml:5:40: joint 'pin': 'axis' must be a direction, found a vector of zeros");
  expect("axis: y", "axis: up", "model.yaml:5:40: joint 'pin': 'axis' must be x, y, z or a vector of 3 numbers, found 'up'");
}

TEST_F(WrongModels, bodies_that_cannot_be) {
  expect("mass: 2", "mass: 2, inertia: {xx: 1, yy: 1, zz: 3}",
         "model.yaml:3:58: body 'rod': no physical body has this inertia: its principal moments are 1, 1 and 3, and the largest "
         "exceeds the sum of the other two (or one is "
         "negative)");
  expect(", mass: 2", "", "model.yaml:3:3: body 'rod': 'mass' or 'density' is missing");
  expect("mass: 2", "mass: 2, density: 7800", "model.yaml:3:58: body 'rod': give either 'mass' or 'density', not both");
  expect(
      "mass: 2", "mass: 2, orientation: [0, 0, 1]",
      "model.yaml:3:62: body 'rod': 'orientation' does not state the meaning of its numbers: name rpy, quaternion, axis_angle or "
      "matrix, as in {rpy: [0, 0, 30 deg]}, "
      "found a list of 3");
}

TEST_F(WrongModels, motions_and_tables) {
  expect("axis: y", "axis: y, motion: {ramp: {from: 1, to: 1, height: 1}}",
         "model.yaml:5:72: joint 'pin': 'motion.ramp' must end after it begins, found from 1 to 1");
  expect("axis: y", "axis: y, motion: {x: t}",
         "model.yaml:5:55: joint 'pin': the direction 'x' of the motion is not free (free: ry)");
  expect("axis: y", "axis: y, motion: sin(2*pi*t", "model.yaml:5:51: joint 'pin': 'motion' has a parenthesis that is not closed");
  const std::string from_file = "axis: y, motion: {piecewise_linear: {file: drive.csv}}";
  expect("axis: y", from_file,
         "model.yaml:5:77: joint 'pin': 'motion.piecewise_linear.file' cannot be read: drive.csv: cannot be opened: No such file "
         "or directory");
  write("drive.csv", "t, x\n0, 0\n1, two\n");
  expect("axis: y", from_file, "drive.csv:3: 'two' is not a number");
  folder_.write("drive.csv", "t, x\n0, 0\n1, 2\n1, 3\n");
  expect("axis: y", from_file, "drive.csv:4: the first column must increase, found 1 after 1");
}

TEST_F(WrongModels, planar_ones) {
  expect_text("plane: xy\n" + rod,
              "model.yaml:2:10: in a planar model gravity must lie in the plane\n"
              "model.yaml:6:40: joint 'pin': in a planar model the axis of a revolute joint must be normal to the plane");
  expect_text("plane: yx\n" + rod, "model.yaml:1:8: 'plane' must be xy, xz or yz, found 'yx' (did you mean 'xy'?)");
  expect_text("plane: xz\n" + replaced(rod, "axis: y", "axis: x"),
              "model.yaml:6:40: joint 'pin': in a planar model the axis of a revolute joint must be normal to the plane");
  expect_text("plane: xz\n" + replaced(rod, "revolute: [ground, rod], axis: y", "generic: [ground, rod], locked: [x, ry, rx]"),
              "model.yaml:6:41: joint 'pin': 'rx' does not exist in a planar model");
  expect_text("plane: xz\n" + replaced(rod, "mass: 2", "mass: 2, velocity: [0, 1, 0]"),
              "model.yaml:4:59: body 'rod': in a planar model bodies move in the plane");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
