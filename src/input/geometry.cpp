// Values with three components: vectors, points, directions, rotations per second, tensors; and corners. In a planar model two
// components, or one about the normal, are enough; they are stored with all three.
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "input/reading.hpp"

namespace aleator::core::input {

namespace {

constexpr std::string_view axes[] = {"x", "y", "z"};
constexpr std::array<std::string_view, 6> entries = {"xx", "yy", "zz", "xy", "xz", "yz"};

Number zero_at(Position at) {
  Number number;
  number.at = at;
  return number;
}

std::string a_vector(const Reading& reading) { return reading.planar() ? "a vector of 2 or 3 numbers" : "a vector of 3 numbers"; }

bool is_vector(const Reading& reading, const Tree& tree) {
  return tree.is_list_of(3) || (reading.planar() && tree.is_list_of(2));
}

// The numbers of a list of the right length, with 0 along the normal where the plane leaves it out.
std::vector<Number> components(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  std::vector<Number> numbers;
  for (const Tree& child : tree.children) numbers.push_back(read_number(reading, field, child, place));
  if (numbers.size() == 2) numbers.insert(numbers.begin() + reading.normal, zero_at(tree.at));
  return numbers;
}

bool all_zero(std::span<const Number> numbers) {
  return std::all_of(numbers.begin(), numbers.end(), [](const Number& n) { return n.program < 0 && n.constant == 0; });
}

}  // namespace

std::vector<Number> read_vector(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!is_vector(reading, tree)) throw place.wrong(tree, a_vector(reading));
  return components(reading, field, tree, place);
}

std::vector<Number> read_point(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (tree.is_scalar()) {
    const auto it = reading.points.find(tree.text);
    if (it != reading.points.end()) return it->second;
    std::vector<std::string> known;
    for (const auto& [name, numbers] : reading.points) known.push_back(name);
    std::sort(known.begin(), known.end());
    std::string hint = known.empty() ? " (the model has no points)" : suggestion(tree.text, known);
    if (tree.text.starts_with('(')) hint = fmt::format("; a list is written in brackets, as in {}", in_brackets(tree.text));
    const InputError error = place.error(
        tree.at, fmt::format("must be {} or the name of a point: unknown point '{}'{}", a_vector(reading), tree.text, hint));
    if (!reading.points_complete || reading.misplaced.contains(tree.text)) throw Consequence(error);
    throw error;
  }
  if (!is_vector(reading, tree)) throw place.wrong(tree, a_vector(reading) + " or the name of a point");
  return components(reading, field, tree, place);
}

std::vector<Number> read_point_pair(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_list_of(2)) throw place.wrong(tree, "a list of two points");
  std::vector<Number> numbers = read_point(reading, field, tree.children[0], place);
  const std::vector<Number> second = read_point(reading, field, tree.children[1], place);
  numbers.insert(numbers.end(), second.begin(), second.end());
  return numbers;
}

void read_direction(Reading& reading, const Field& field, const Tree& tree, const Place& place, Value& value) {
  if (tree.is_scalar())
    for (int axis = 0; axis < 3; ++axis)
      for (const int sign : {1, -1})
        if (tree.text == (sign < 0 ? "-" : "") + std::string(axes[axis])) {
          value.word = tree.text;
          value.numbers.assign(3, zero_at(tree.at));
          value.numbers[static_cast<std::size_t>(axis)].constant = sign;
          return;
        }
  if (!is_vector(reading, tree)) throw place.wrong(tree, "x, y, z or " + a_vector(reading));
  value.numbers = components(reading, field, tree, place);
  if (all_zero(value.numbers)) throw place.error(tree.at, "must be a direction, found a vector of zeros");
}

std::vector<Number> read_spin(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (tree.is_list_of(3)) return components(reading, field, tree, place);
  if (!reading.planar() || !tree.is_scalar())
    throw place.wrong(tree, reading.planar() ? "a number (about the normal) or a vector of 3 numbers" : "a vector of 3 numbers");
  std::vector<Number> numbers(3, zero_at(tree.at));
  numbers[static_cast<std::size_t>(reading.normal)] = read_number(reading, field, tree, place);
  return numbers;
}

// Corners in their own plane, which need not be that of a planar model.
std::vector<Number> read_polygon(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_list() || tree.children.size() < 3) throw place.wrong(tree, "a list [[x, y], ...] of at least three corners");
  if (tree.children.size() > limits::polygon_corners)
    throw place.error(tree.at, fmt::format("has {} corners, at most {} are read", tree.children.size(), limits::polygon_corners));
  std::vector<Number> numbers;
  for (const Tree& corner : tree.children) {
    if (!corner.is_list_of(2))
      throw place.error(corner.at, fmt::format("must have corners of two numbers, found {}", found(corner)));
    for (const Tree& child : corner.children) numbers.push_back(read_number(reading, field, child, place));
  }
  return numbers;
}

std::vector<Number> read_tensor(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  std::vector<Number> numbers(6, zero_at(tree.at));
  const auto normal = static_cast<std::size_t>(reading.normal);
  if (reading.planar() && tree.is_scalar()) {
    numbers[normal] = read_number(reading, field, tree, place);
    return numbers;
  }
  if (!tree.is_mapping())
    throw place.wrong(tree, reading.planar() ? "a number (about the normal) or a mapping {xx, yy, zz, xy, xz, yz}"
                                             : "a mapping {xx, yy, zz, xy, xz, yz}");
  const std::vector<std::string> known(entries.begin(), entries.end());
  if (!refuse_unknown_keys(reading, tree, known, place).empty()) throw Consequence(place.error(tree.at, "is wrong"));
  Field off_diagonal = field;
  off_diagonal.bound = Bound::none;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const bool diagonal = i < 3;
    const bool required = reading.planar() ? i == normal : diagonal;
    if (const Tree* entry = tree.find(entries[i]))
      numbers[i] = read_number(reading, diagonal ? field : off_diagonal, *entry, place.at(entries[i]));
    else if (required)
      throw place.remark(tree.at, fmt::format("'{}' is missing", place.at(entries[i]).path));
  }
  return numbers;
}

}  // namespace aleator::core::input
