// One test per type of value, in space: what is read, and what is said when it is something else.
#include <cmath>

#include "input_language.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

using Doubles = std::vector<double>;
using Words = std::vector<std::string>;

TEST(InputValues, number) {
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: [1], at: [0, 0, 0]}\n"),
            "m.yaml:2:15: body 'rb1': 'mass' must be a number, found a list of 1");
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: {a: 1}, at: [0, 0, 0]}\n"),
            "m.yaml:2:15: body 'rb1': 'mass' must be a number, found a mapping");
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: , at: [0, 0, 0]}\n"), "m.yaml:2:9: body 'rb1': 'mass' has no value");
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: ~, at: [0, 0, 0]}\n"), "m.yaml:2:9: body 'rb1': 'mass' has no value");
}

TEST(InputValues, bounds_of_constants) {
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: -1, at: [0, 0, 0]}\n"),
            "m.yaml:2:15: body 'rb1': 'mass' must be positive, found -1");
  EXPECT_EQ(error_of("bodies:\n  rb1: {mass: 1 - 1, at: [0, 0, 0]}\n"),
            "m.yaml:2:15: body 'rb1': 'mass' must be positive, found 0");
  EXPECT_EQ(error_of(force_being("bushing: [a, b], stiffness: -2")),
            "m.yaml:2:42: force 'f': 'stiffness' may not be negative, found -2");
  EXPECT_EQ(error_of(force_being("bushing: [a, b], stiffness: 0")), "no error");
  EXPECT_EQ(error_of(body_with("shape: {box: [1, 0, 1]}")), "m.yaml:3:22: body 'rb1': 'shape.box' must be positive, found 0");
  EXPECT_EQ(error_of("parameters: {m: -1}\nbodies: {rb1: {mass: m, at: [0, 0, 0]}}\n"), "no error")
      << "the parameter may be set later";
}

TEST(InputValues, integer) {
  const std::string start = "simulation: {duration: 1, step: 1, iterations: ";
  EXPECT_EQ(read(start + "1e3}\n").top.find("simulation")->items[0].find("iterations")->number.constant, 1000);
  EXPECT_EQ(error_of(start + "2.5}\n"), "m.yaml:1:48: simulation: 'iterations' must be a whole number, found '2.5'");
  EXPECT_EQ(error_of(start + "1e20}\n"), "m.yaml:1:48: simulation: 'iterations' must be a whole number, found '1e20'");
  EXPECT_EQ(error_of(start + "[3]}\n"), "m.yaml:1:48: simulation: 'iterations' must be a whole number, found a list of 1");
  EXPECT_EQ(error_of(start + "0}\n"), "m.yaml:1:48: simulation: 'iterations' must be positive, found 0");
}

TEST(InputValues, flag) {
  const std::string start = "simulation: {duration: 1, step: 1, quiet: ";
  EXPECT_TRUE(read(start + "true}\n").top.find("simulation")->items[0].find("quiet")->flag);
  EXPECT_FALSE(read(start + "False}\n").top.find("simulation")->items[0].find("quiet")->flag);
  EXPECT_EQ(error_of(start + "yes}\n"), "m.yaml:1:43: simulation: 'quiet' must be true or false, found 'yes'");
  EXPECT_EQ(error_of(start + "\"true\"}\n"), "m.yaml:1:43: simulation: 'quiet' must be true or false, found 'true'");
}

TEST(InputValues, text) {
  EXPECT_EQ(read("title: 5\n").top.find("title")->word, "5");
  EXPECT_EQ(read("title: \"a: b\"\n").top.find("title")->word, "a: b");
  EXPECT_EQ(error_of("title: [a]\n"), "m.yaml:1:8: 'title' must be a text, found a list of 1");
  EXPECT_EQ(error_of("title: # one\n"), "m.yaml:1:1: 'title' has no value (text that begins with '#' must be in quotes)");
}

TEST(InputValues, word) {
  EXPECT_EQ(error_of("plane: zx\n"), "m.yaml:1:8: 'plane' must be xy, xz or yz, found 'zx' (did you mean 'xz'?)");
  EXPECT_EQ(error_of("plane: flat\n"), "m.yaml:1:8: 'plane' must be xy, xz or yz, found 'flat'");
  EXPECT_EQ(error_of("plane: [xy]\n"), "m.yaml:1:8: 'plane' must be xy, xz or yz, found a list of 1");
  EXPECT_EQ(field(read(body_with("color: mauve")), "bodies", "color").word, "mauve") << "a field without a list takes any word";
}

TEST(InputValues, words) {
  const auto output = [](const std::string& components) {
    return "bodies: {a: {mass: 1, at: [0, 0, 0]}}\noutputs: {o: {position: a, components: " + components + "}}\n";
  };
  EXPECT_EQ(field(read(output("[z, x]")), "outputs", "components").words, (Words{"z", "x"}));
  EXPECT_EQ(field(read(output("y")), "outputs", "components").words, (Words{"y"}));
  EXPECT_EQ(error_of(output("[x, w]")), "m.yaml:2:44: output 'o': 'components' must be x, y or z, found 'w'");
  EXPECT_EQ(error_of(output("[x, x]")), "m.yaml:2:44: output 'o': 'components' has 'x' twice");
  EXPECT_EQ(error_of(output("[]")),
            "m.yaml:2:40: output 'o': 'components' must be a list of words (x, y or z), found an empty list");
  EXPECT_EQ(error_of(output("[x, ]")), "no error");
  EXPECT_EQ(error_of(output("[x, ~]")), "m.yaml:2:44: output 'o': 'components' has no value");
}

TEST(InputValues, vector) {
  EXPECT_EQ(values(read("gravity: [0, 0, -9.81]\n"), read("gravity: [0, 0, -9.81]\n").top.find("gravity")->numbers),
            (Doubles{0, 0, -9.81}));
  EXPECT_EQ(error_of("gravity: [0, -9.81]\n"), "m.yaml:1:10: 'gravity' must be a vector of 3 numbers, found a list of 2");
  EXPECT_EQ(error_of("gravity: -9.81\n"), "m.yaml:1:10: 'gravity' must be a vector of 3 numbers, found '-9.81'");
  EXPECT_EQ(error_of("gravity: [0, [0], 1]\n"), "m.yaml:1:14: 'gravity' must be a number, found a list of 1");
  EXPECT_EQ(error_of("gravity: [0, ~, 1]\n"), "m.yaml:1:14: 'gravity' has no value");
}

TEST(InputValues, point) {
  const Description model = read("points: {A: [1, 2, h]}\nparameters: {h: 3}\nbodies: {rb1: {mass: 1, at: A}}\n");
  EXPECT_EQ(values(model, field(model, "bodies", "at").numbers), (Doubles{1, 2, 3}));
  EXPECT_EQ(model.points.at(0).name, "A");
  EXPECT_EQ(error_of("points: {hub: [1, 2, 3]}\nbodies:\n  rb1: {mass: 1, at: hubb}\n"),
            "m.yaml:3:22: body 'rb1': 'at' must be a vector of 3 numbers or the name of a point: unknown point 'hubb' (did you "
            "mean 'hub'?)");
  EXPECT_EQ(error_of("bodies: {rb1: {mass: 1, at: A}}\n"),
            "m.yaml:1:29: body 'rb1': 'at' must be a vector of 3 numbers or the name of a point: unknown point 'A' (the model "
            "has no points)");
  EXPECT_EQ(error_of("bodies: {rb1: {mass: 1, at: [1]}}\n"),
            "m.yaml:1:29: body 'rb1': 'at' must be a vector of 3 numbers or the name of a point, found a list of 1");
  EXPECT_EQ(error_of("points: {A: 3}\n"), "m.yaml:1:13: point 'A' must be a vector of 3 numbers, found '3'");
  EXPECT_EQ(error_of("points: {A: }\n"), "m.yaml:1:10: point 'A' has no value");
}

TEST(InputValues, point_pair) {
  const Description model = read(force_being("spring: [a, b], points: [A, [4, 5, 6]]") + "points: {A: [1, 2, 3]}\n");
  EXPECT_EQ(values(model, field(model, "forces", "points").numbers), (Doubles{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(error_of(force_being("spring: [a, b], points: [1, 2, 3]")),
            "m.yaml:2:38: force 'f': 'points' must be a list of two points, found a list of 3");
}

TEST(InputValues, direction) {
  const Description model = read(hinge_with("axis: -y"));
  EXPECT_EQ(field(model, "joints", "axis").word, "-y");
  EXPECT_EQ(values(model, field(model, "joints", "axis").numbers), (Doubles{0, -1, 0}));
  const Description slanted = read(hinge_with("axis: [1, 1, 0]"));
  EXPECT_EQ(field(slanted, "joints", "axis").word, "");
  EXPECT_EQ(values(slanted, field(slanted, "joints", "axis").numbers), (Doubles{1, 1, 0}));
  EXPECT_EQ(error_of(hinge_with("axis: [1, 0]")),
            "m.yaml:4:11: joint 'hinge': 'axis' must be x, y, z or a vector of 3 numbers, found a list of 2");
  EXPECT_EQ(error_of(hinge_with("axis: w")),
            "m.yaml:4:11: joint 'hinge': 'axis' must be x, y, z or a vector of 3 numbers, found 'w'");
  EXPECT_EQ(error_of(hinge_with("axis: [0, 0, 0]")),
            "m.yaml:4:11: joint 'hinge': 'axis' must be a direction, found a vector of zeros");
}

TEST(InputValues, spin) {
  const Description model = read(body_with("spin: [1, 2, 3]"));
  EXPECT_EQ(values(model, field(model, "bodies", "spin").numbers), (Doubles{1, 2, 3}));
  EXPECT_EQ(error_of(body_with("spin: 3")), "m.yaml:3:11: body 'rb1': 'spin' must be a vector of 3 numbers, found '3'");
}

TEST(InputValues, orientation_by_name) {
  const auto orientation = [](const std::string& text) {
    const Description model = read("parameters: {a: 0.5}\n" + body_with("orientation: " + text));
    const Value& value = field(model, "bodies", "orientation");
    return std::pair{value.word, values(model, value.numbers)};
  };
  EXPECT_EQ(orientation("{rpy: [0, a, 2*a]}"), (std::pair{std::string("rpy"), Doubles{0, 0.5, 1}}));
  EXPECT_EQ(orientation("{quaternion: {x: 1, y: 2, z: 3, w: 4}}"), (std::pair{std::string("quaternion"), Doubles{4, 1, 2, 3}}));
  EXPECT_EQ(orientation("{axis_angle: {axis: -z, angle: a}}"), (std::pair{std::string("axis_angle"), Doubles{0, 0, -1, 0.5}}));
  EXPECT_EQ(orientation("{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}"),
            (std::pair{std::string("matrix"), Doubles{0, -1, 0, 1, 0, 0, 0, 0, 1}}));
}

TEST(InputValues, orientation_refused) {
  const auto error = [](const std::string& text) { return error_of(body_with("orientation: " + text)); };
  const std::string start = "m.yaml:3:18: body 'rb1': 'orientation' ";
  EXPECT_EQ(error("[0, 0, 1]"), start +
                                    "does not state the meaning of its numbers: name rpy, quaternion, axis_angle or matrix, "
                                    "as in {rpy: [0, 0, 30 deg]}, found a list of 3");
  EXPECT_EQ(error("0.5"), start + "must be a mapping with rpy, quaternion, axis_angle or matrix, found '0.5'");
  EXPECT_EQ(error("{}"), start + "must be a mapping with rpy, quaternion, axis_angle or matrix, exactly one of them");
  EXPECT_EQ(error("{ypr: [0, 0, 1]}"),
            "m.yaml:3:19: body 'rb1': unknown key 'orientation.ypr' (known: rpy, quaternion, axis_angle, matrix)");
  EXPECT_EQ(error("{rpy: [0, 1]}"),
            "m.yaml:3:24: body 'rb1': 'orientation.rpy' must be three angles [roll, pitch, yaw], found a list of 2");
  EXPECT_EQ(error("{quaternion: [1, 0, 0, 0]}"),
            "m.yaml:3:31: body 'rb1': 'orientation.quaternion' must be a mapping {w, x, y, z}, found a list of 4");
  EXPECT_EQ(error("{quaternion: {w: 1, x: 0}}"),
            "m.yaml:3:31: body 'rb1': 'orientation.quaternion.y' and 'orientation.quaternion.z' are missing");
  EXPECT_EQ(error("{quaternion: {w: 0, x: 0, y: 0, z: 0}}"), "m.yaml:3:31: body 'rb1': 'orientation.quaternion' may not be zero");
  EXPECT_EQ(error("{axis_angle: {axis: z}}"), "m.yaml:3:31: body 'rb1': 'orientation.axis_angle.angle' is missing");
  EXPECT_EQ(error("{matrix: [1, 2, 3]}"),
            "m.yaml:3:28: body 'rb1': 'orientation.matrix' must be three rows of 3 numbers, found '1'");
  const std::string no_rotation =
      "m.yaml:3:27: body 'rb1': 'orientation.matrix' is not a rotation: its rows must be orthonormal and right-handed";
  EXPECT_EQ(error("{matrix: [[1, 0, 0], [0, 1, 0], [0, 0, 2]]}"), no_rotation);
  EXPECT_EQ(error("{matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}"), no_rotation);
}

TEST(InputValues, tensor) {
  const Description model = read(body_with("inertia: {yz: 6, zz: 3, xx: 1, yy: 2}"));
  EXPECT_EQ(values(model, field(model, "bodies", "inertia").numbers), (Doubles{1, 2, 3, 0, 0, 6}));
  EXPECT_EQ(error_of(body_with("inertia: {xx: 1, yy: 2}")), "m.yaml:3:14: body 'rb1': 'inertia.zz' is missing");
  EXPECT_EQ(error_of(body_with("inertia: {xx: 1, yy: 2, zz: 3, yx: 1}")),
            "m.yaml:3:36: body 'rb1': unknown key 'inertia.yx' (did you mean 'xx'?)");
  EXPECT_EQ(error_of(body_with("inertia: [1, 2, 3]")),
            "m.yaml:3:14: body 'rb1': 'inertia' must be a mapping {xx, yy, zz, xy, xz, yz}, found a list of 3");
}

TEST(InputValues, polygon) {
  const Description model = read("parameters: {b: 2}\n" + body_with("outline: [[0, 0], [1, 0], [0, b]]"));
  EXPECT_EQ(values(model, field(model, "bodies", "outline").numbers), (Doubles{0, 0, 1, 0, 0, 2}));
  EXPECT_EQ(error_of(body_with("outline: [[0, 0], [1, 0]]")),
            "m.yaml:3:14: body 'rb1': 'outline' must be a list [[x, y], ...] of at least three corners, found a list of 2");
  EXPECT_EQ(error_of(body_with("outline: [[0, 0], [1, 0], [0, 1, 0]]")),
            "m.yaml:3:31: body 'rb1': 'outline' must have corners of two numbers, found a list of 3");
}

TEST(InputValues, choice) {
  const Description model = read(body_with("shape: {sphere: {radius: 0.1}}"));
  const Item& shape = field(model, "bodies", "shape").items.at(0);
  EXPECT_EQ(shape.kind, "sphere");
  EXPECT_EQ(shape.find("radius")->number.constant, 0.1) << "a field of the subject is found from the item";
  EXPECT_EQ(error_of(body_with("shape: {}")), "m.yaml:3:12: body 'rb1': 'shape' must have one of the keys box, sphere");
  EXPECT_EQ(error_of(body_with("shape: {pyramid: 1}")), "m.yaml:3:12: body 'rb1': 'shape' must have one of the keys box, sphere");
  EXPECT_EQ(error_of(body_with("shape: {spere: 1}")),
            "m.yaml:3:13: body 'rb1': unknown key 'shape.spere' (did you mean 'sphere'?)");
  EXPECT_EQ(error_of(body_with("shape: {box: [1, 1, 1], sphere: {radius: 1}}")),
            "m.yaml:3:29: body 'rb1': 'shape': both 'box' and 'sphere' give its type, only one may");
  EXPECT_EQ(error_of(body_with("shape: {sphere: {radius: 1}, color: red}")),
            "m.yaml:3:34: body 'rb1': unknown key 'shape.color' (known: sphere)");
  EXPECT_EQ(error_of(body_with("shape: box")),
            "m.yaml:3:12: body 'rb1': 'shape' must be a mapping with one of box, sphere, found 'box'");
  EXPECT_EQ(error_of(body_with("shape: {sphere: {}}")), "m.yaml:3:21: body 'rb1': 'shape.sphere.radius' is missing");
  EXPECT_EQ(error_of(body_with("shape: {sphere: }")), "m.yaml:3:13: body 'rb1': 'shape.sphere' has no value");
}

TEST(InputValues, list_of_choices) {
  const Description model = read(body_with("layers: [{steel: 1}, {wood: 2}, {steel: 3}]"));
  const Value& layers = field(model, "bodies", "layers");
  ASSERT_EQ(layers.items.size(), 3U);
  EXPECT_EQ(layers.items[1].kind, "wood");
  EXPECT_EQ(layers.items[2].subject.number.constant, 3);
  EXPECT_EQ(error_of(body_with("layers: {steel: 1}")),
            "m.yaml:3:13: body 'rb1': 'layers' must be a list of mappings, found a mapping");
  EXPECT_EQ(error_of(body_with("layers: [{glass: 1}]")),
            "m.yaml:3:14: body 'rb1': 'layers' must have one of the keys steel, wood");
}

TEST(InputValues, values_by_direction) {
  const Description model = read(force_being("bushing: [a, b], stiffness: {x: 1, rz: 2}"));
  const auto& by = field(model, "forces", "stiffness").by_direction;
  ASSERT_EQ(by.size(), 2U);
  EXPECT_EQ(by[0].key, "x");
  EXPECT_EQ(by[1].key, "rz");
  EXPECT_EQ(by[1].value.number.constant, 2);

  const auto once = field(read(force_being("bushing: [a, b], stiffness: 7")), "forces", "stiffness").by_direction;
  ASSERT_EQ(once.size(), 1U);
  EXPECT_EQ(once[0].key, "");
  EXPECT_EQ(once[0].value.number.constant, 7);

  EXPECT_EQ(
      error_of(force_being("bushing: [a, b], stiffness: {x: 1, xx: 2}")),
      "m.yaml:2:49: force 'f': 'stiffness' is given by direction, and 'xx' is not one of x, y, z, rx, ry, rz, along or about");
  EXPECT_EQ(error_of(force_being("bushing: [a, b], stiffness: {foo: 2}")),
            "m.yaml:2:42: force 'f': 'stiffness' must be a number, found a mapping");
  EXPECT_EQ(error_of(force_being("bushing: [a, b], stiffness: {x: -1}")),
            "m.yaml:2:46: force 'f': 'stiffness.x' may not be negative, found -1");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
