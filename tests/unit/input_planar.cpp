// Planar models: two components where the third is understood, one number about the normal.
#include "input_language.hpp"

namespace aleator::core::input {
namespace ALEATOR_FILE {

using Doubles = std::vector<double>;

std::string planar(const std::string& plane, const std::string& fields) {
  return "plane: " + plane + "\nbodies:\n  rb1: {mass: 1, at: [1, 2], " + fields + "}\n";
}

Doubles numbers(const std::string& plane, const std::string& key, const std::string& text) {
  const Description model = read(planar(plane, key == "at" ? "color: red" : key + ": " + text));
  return values(model, field(model, "bodies", key).numbers);
}

TEST(InputPlanar, the_plane_has_a_normal) {
  EXPECT_EQ(read("plane: yz\n").normal, 0);
  EXPECT_EQ(read("plane: xz\n").normal, 1);
  EXPECT_EQ(read("plane: xy\n").normal, 2);
}

TEST(InputPlanar, two_components_lie_in_the_plane) {
  EXPECT_EQ(numbers("xy", "at", ""), (Doubles{1, 2, 0}));
  EXPECT_EQ(numbers("xz", "at", ""), (Doubles{1, 0, 2}));
  EXPECT_EQ(numbers("yz", "at", ""), (Doubles{0, 1, 2}));
}

TEST(InputPlanar, three_components_are_taken_as_they_are) {
  const Description model = read("plane: xy\ngravity: [1, 2, 3]\n");
  EXPECT_EQ(values(model, model.top.find("gravity")->numbers), (Doubles{1, 2, 3}));
  EXPECT_EQ(error_of("plane: xy\ngravity: [1]\n"),
            "m.yaml:2:10: 'gravity' must be a vector of 2 or 3 numbers, found a list of 1");
}

TEST(InputPlanar, points_with_names_are_planar_too) {
  const Description model = read("plane: xz\npoints: {A: [1, 2]}\nbodies: {rb1: {mass: 1, at: A}}\n");
  EXPECT_EQ(values(model, model.points[0].numbers), (Doubles{1, 0, 2}));
  EXPECT_EQ(values(model, field(model, "bodies", "at").numbers), (Doubles{1, 0, 2}));
}

TEST(InputPlanar, positive_bounds_do_not_touch_the_component_left_out) {
  EXPECT_EQ(error_of(planar("xy", "shape: {box: [1, 2]}")), "no error");
}

TEST(InputPlanar, spin_is_a_number_about_the_normal) {
  EXPECT_EQ(numbers("xy", "spin", "5"), (Doubles{0, 0, 5}));
  EXPECT_EQ(numbers("xz", "spin", "5"), (Doubles{0, 5, 0}));
  EXPECT_EQ(numbers("yz", "spin", "5"), (Doubles{5, 0, 0}));
  EXPECT_EQ(numbers("xy", "spin", "[0, 0, 5]"), (Doubles{0, 0, 5}));
  EXPECT_EQ(error_of(planar("xy", "spin: [1, 2]")),
            "m.yaml:3:36: body 'rb1': 'spin' must be a number (about the normal) or a vector of 3 numbers, found a list of 2");
}

TEST(InputPlanar, orientation_is_an_angle) {
  const Description model = read(planar("xz", "orientation: 2*0.25"));
  EXPECT_EQ(field(model, "bodies", "orientation").word, "angle");
  EXPECT_EQ(values(model, field(model, "bodies", "orientation").numbers), (Doubles{0.5}));
  EXPECT_EQ(field(read(planar("xz", "orientation: {rpy: [0, 1, 0]}")), "bodies", "orientation").word, "rpy");
}

TEST(InputPlanar, inertia_is_the_moment_about_the_normal) {
  EXPECT_EQ(numbers("xy", "inertia", "7"), (Doubles{0, 0, 7, 0, 0, 0}));
  EXPECT_EQ(numbers("xz", "inertia", "7"), (Doubles{0, 7, 0, 0, 0, 0}));
  EXPECT_EQ(numbers("yz", "inertia", "{xx: 7}"), (Doubles{7, 0, 0, 0, 0, 0}));
  EXPECT_EQ(error_of(planar("yz", "inertia: {zz: 7}")), "m.yaml:3:39: body 'rb1': 'inertia.xx' is missing");
}

TEST(InputPlanar, directions_have_two_components) {
  const Description model = read("plane: xz\n" + hinge_with("axis: [1, 2]"));
  EXPECT_EQ(values(model, field(model, "joints", "axis").numbers), (Doubles{1, 0, 2}));
  EXPECT_EQ(error_of("plane: xz\n" + hinge_with("axis: [1]")),
            "m.yaml:5:11: joint 'hinge': 'axis' must be x, y, z or a vector of 2 or 3 numbers, found a list of 1");
}

TEST(InputPlanar, two_functions_are_enough) {
  const Description model = read("plane: xz\n" + force_being("load: a, force: [2*t, 3]"));
  const Value& force = field(model, "forces", "force");
  ASSERT_EQ(force.items.size(), 3U);
  EXPECT_EQ(force.items[0].kind, "expression");
  EXPECT_EQ(force.items[1].kind, "constant");
  EXPECT_EQ(force.items[1].subject.number.constant, 0);
  EXPECT_EQ(force.items[2].subject.number.constant, 3);
  EXPECT_EQ(error_of("plane: xz\n" + force_being("load: a, force: [1]")),
            "m.yaml:3:30: force 'f': 'force' must be a function of time or a list of 2 or 3, found a list of 1");
}

TEST(InputPlanar, a_wrong_plane_is_reported_before_what_depends_on_it) {
  EXPECT_EQ(error_of("plane: yx\npoints: {A: [1, 2]}\n"),
            "m.yaml:1:8: 'plane' must be xy, xz or yz, found 'yx' (did you mean 'xy'?)");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::input
