// Orientations. Three bare angles mean something else to everyone, so every form is named:
//   rpy: [roll, pitch, yaw]                    R = Rz(yaw) Ry(pitch) Rx(roll)
//   quaternion: {w, x, y, z}                   need not have unit length
//   axis_angle: {axis: direction, angle: ..}
//   matrix: [[..], [..], [..]]                 by rows, a rotation
// and in a planar model simply an angle about the normal.
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "input/reading.hpp"

namespace aleator::core::input {

namespace {

constexpr std::array<std::string_view, 4> forms = {"rpy", "quaternion", "axis_angle", "matrix"};
constexpr std::string_view named_forms = "a mapping with rpy, quaternion, axis_angle or matrix";
const Field any_number{};

bool all_constant(std::span<const Number> numbers) {
  for (const Number& n : numbers)
    if (n.program >= 0) return false;
  return true;
}

std::vector<Number> read_list(Reading& reading, std::size_t count, const Tree& tree, const Place& place,
                              std::string_view expected) {
  if (!tree.is_list_of(count)) throw place.wrong(tree, expected);
  std::vector<Number> numbers;
  for (const Tree& child : tree.children) numbers.push_back(read_number(reading, any_number, child, place));
  return numbers;
}

std::vector<Number> read_quaternion(Reading& reading, const Tree& tree, const Place& place) {
  if (!tree.is_mapping()) throw place.wrong(tree, "a mapping {w, x, y, z}");
  static const std::vector<Field> fields = {{.key = "w", .required = true},
                                            {.key = "x", .required = true},
                                            {.key = "y", .required = true},
                                            {.key = "z", .required = true}};
  const Item item = read_group(reading, fields, tree, place);
  std::vector<Number> numbers;
  double square = 0;
  for (const Field& field : fields) {
    numbers.push_back(item.find(field.key)->number);
    square += numbers.back().constant * numbers.back().constant;
  }
  if (all_constant(numbers) && square == 0) throw place.error(tree.at, "may not be zero");
  return numbers;
}

std::vector<Number> read_axis_angle(Reading& reading, const Tree& tree, const Place& place) {
  if (!tree.is_mapping()) throw place.wrong(tree, "a mapping {axis, angle}");
  static const std::vector<Field> fields = {{.key = "axis", .type = FieldType::direction, .required = true},
                                            {.key = "angle", .required = true}};
  const Item item = read_group(reading, fields, tree, place);
  std::vector<Number> numbers = item.find("axis")->numbers;
  numbers.push_back(item.find("angle")->number);
  return numbers;
}

// Rows of unit length, at right angles, the third being the product of the first two.
bool is_rotation(std::span<const Number> m) {
  const auto entry = [&](int row, int column) { return m[static_cast<std::size_t>(3 * row + column)].constant; };
  constexpr double tolerance = 1e-6;  // matrices are copied from elsewhere with six digits or more
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      double dot = 0;
      for (int k = 0; k < 3; ++k) dot += entry(a, k) * entry(b, k);
      if (!(std::abs(dot - (a == b ? 1 : 0)) < tolerance)) return false;
    }
  const double determinant = entry(0, 0) * (entry(1, 1) * entry(2, 2) - entry(1, 2) * entry(2, 1)) -
                             entry(0, 1) * (entry(1, 0) * entry(2, 2) - entry(1, 2) * entry(2, 0)) +
                             entry(0, 2) * (entry(1, 0) * entry(2, 1) - entry(1, 1) * entry(2, 0));
  return determinant > 0;
}

std::vector<Number> read_matrix(Reading& reading, const Tree& tree, const Place& place) {
  constexpr std::string_view expected = "three rows of 3 numbers";
  if (!tree.is_list_of(3)) throw place.wrong(tree, expected);
  std::vector<Number> numbers;
  for (const Tree& row : tree.children) {
    const std::vector<Number> part = read_list(reading, 3, row, place, expected);
    numbers.insert(numbers.end(), part.begin(), part.end());
  }
  if (all_constant(numbers) && !is_rotation(numbers))
    throw place.error(tree.at, "is not a rotation: its rows must be orthonormal and right-handed");
  return numbers;
}

}  // namespace

void read_orientation(Reading& reading, const Tree& tree, const Place& place, Value& value) {
  if (reading.planar() && tree.is_scalar()) {
    value.word = "angle";
    value.numbers = {read_number(reading, any_number, tree, place)};
    return;
  }
  const std::string expected = reading.planar() ? fmt::format("an angle or {}", named_forms) : std::string(named_forms);
  if (tree.is_list())
    throw place.error(tree.at,
                      fmt::format("does not state the meaning of its numbers: name rpy, quaternion, axis_angle or matrix, "
                                  "as in {{rpy: [0, 0, 30 deg]}}, found {}",
                                  found(tree)));
  if (!tree.is_mapping()) throw place.wrong(tree, expected);
  const std::vector<std::string> known(forms.begin(), forms.end());
  if (!refuse_unknown_keys(reading, tree, known, place).empty()) throw Consequence(place.error(tree.at, "is wrong"));
  if (tree.children.size() != 1) throw place.error(tree.at, fmt::format("must be {}, exactly one of them", expected));

  const Tree& form = tree.children[0];
  const Place here = place.at(form.key);
  value.word = form.key;
  if (form.key == "rpy")
    value.numbers = read_list(reading, 3, form, here, "three angles [roll, pitch, yaw]");
  else if (form.key == "quaternion")
    value.numbers = read_quaternion(reading, form, here);
  else if (form.key == "axis_angle")
    value.numbers = read_axis_angle(reading, form, here);
  else
    value.numbers = read_matrix(reading, form, here);
}

}  // namespace aleator::core::input
