// Functions of time, and the tables some of them are made of.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "input/csv.hpp"
#include "input/reading.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

namespace {

using enum FieldType;

std::vector<Kind> make_function_kinds() {
  return {
      {.key = "constant",
       .doc = "The same value at all times.",
       .subject = {.type = number, .doc = "the value", .required = true}},
      {.key = "ramp",
       .doc = "A straight rise from `base` to `base + height` between two times, constant before and after.",
       .subject = {.type = group,
                   .required = true,
                   .fields = {{.key = "from", .unit = "s", .doc = "Time at which the rise begins.", .required = true},
                              {.key = "to", .unit = "s", .doc = "Time at which it ends, later than `from`.", .required = true},
                              {.key = "height", .doc = "The rise.", .required = true},
                              {.key = "base", .doc = "Value before the rise.", .fallback = "0"}}}},
      {.key = "piecewise_linear",
       .doc = "Straight lines between the rows of a table (time, value), constant before and after it.",
       .subject = {.type = table, .doc = "the table", .required = true}},
      {.key = "sine",
       .doc = "offset + amplitude sin(2 pi frequency t + phase).",
       .subject = {.type = group,
                   .required = true,
                   .fields = {{.key = "amplitude", .doc = "Amplitude.", .required = true},
                              {.key = "frequency", .unit = "Hz", .doc = "Periods per second."},
                              {.key = "angular_frequency", .unit = "rad/s", .doc = "Instead of `frequency`."},
                              {.key = "phase", .unit = "rad", .doc = "Phase at t = 0.", .fallback = "0"},
                              {.key = "offset", .doc = "Mean value.", .fallback = "0"}}}},
      {.key = "polynomial",
       .doc = "c0 + c1 t + c2 t^2 + ...",
       .subject = {.type = numbers, .doc = "the coefficients, that of the lowest power first", .required = true}},
      {.key = "expression",
       .doc = "Any expression of t and the parameters.",
       .subject =
           {.type = group,
            .required = true,
            .fields = {{.key = "value", .doc = "The expression.", .required = true, .of_time = true},
                       {.key = "breakpoints",
                        .type = numbers,
                        .unit = "s",
                        .doc =
                            "Times at which the function or its slope is discontinuous; the integrator steps exactly onto them.",
                        .fallback = "none"}}}},
      {.key = "process",
       .doc = "A random process of `processes:`; 0 in the nominal model.",
       .subject = {.type = process, .doc = "the process", .required = true},
       .fields = {{.key = "at", .type = text, .doc = "Which of its places, if it has several."},
                  {.key = "delay",
                   .unit = "s",
                   .doc = "By which it comes later: distance of axles divided by speed.",
                   .fallback = "0",
                   .bound = Bound::not_negative},
                  {.key = "scale", .unit = "-", .doc = "Factor.", .fallback = "1"}}},
      {.key = "function", .doc = "An entry of `functions:`.", .subject = {.type = text, .doc = "its name", .required = true}},
  };
}

bool is_constant(const Number& number) { return number.program < 0; }

// What the fields of a kind must satisfy together.
void check_function(const Item& item, const Tree& tree, const Place& place) {
  if (item.kind == "ramp") {
    const Number &from = item.find("from")->number, &to = item.find("to")->number;
    if (is_constant(from) && is_constant(to) && !(from.constant < to.constant))
      throw place.error(to.at, fmt::format("must end after it begins, found from {} to {}", from.constant, to.constant));
  }
  if (item.kind == "sine" && (item.find("frequency") != nullptr) == (item.find("angular_frequency") != nullptr))
    throw place.error(tree.at, "must have either 'frequency' or 'angular_frequency'");
}

Item constant_function(const Number& number) {
  Item item;
  item.kind = "constant";
  item.at = item.subject.at = number.at;
  item.subject.number = number;
  return item;
}

// The same as {expression: {value: ..}}.
Item expression_function(const Number& number) {
  Value value;
  value.at = number.at;
  value.number = number;
  Item inner;
  inner.at = number.at;
  inner.fields.emplace_back("value", value);
  Item item;
  item.kind = "expression";
  item.at = item.subject.at = number.at;
  item.subject.type = group;
  item.subject.items = {inner};
  return item;
}

void count_rows(Reading& reading, std::size_t rows, Position at, const Place& place) {
  reading.table_rows += rows;
  if (reading.table_rows > limits::table_rows)
    throw LastError(
        place.error(at, fmt::format("is too long: all tables of a model have at most {} rows", limits::table_rows)).mistakes());
}

// A file that is referred to twice is taken apart twice.
void count_bytes(Reading& reading, std::size_t bytes, Position at, const Place& place) {
  reading.table_bytes += bytes;
  if (reading.table_bytes > limits::table_files_mib << 20)
    throw LastError(
        place.error(at, fmt::format("is too much: all tables in files have at most {} MiB", limits::table_files_mib)).mistakes());
}

}  // namespace

const std::string& bytes_of_file(Reading& reading, const Tree& reference, const Place& place) {
  return referred_bytes(reading.access, reading.given, reading.files, reference, place);
}

namespace {

struct NamedBytes {
  const Tree& file;  // its name in the model
  const std::string& bytes;
  std::string path;
};

NamedBytes bytes_named_by(Reading& reading, const Tree& tree, const Place& place) {
  static const std::vector<std::string> known = {"file"};
  if (!refuse_unknown_keys(reading, tree, known, place).empty()) throw Consequence(place.error(tree.at, "is wrong"));
  const Tree* file = tree.find("file");
  if (!file) throw place.remark(tree.at, fmt::format("'{}' is missing", place.at("file").path));
  if (!file->is_scalar() || file->text.empty()) throw place.at("file").wrong(*file, "the name of a CSV file");
  const std::string& bytes = bytes_of_file(reading, *file, place.at("file"));
  count_bytes(reading, bytes.size(), file->at, place.at("file"));
  return {*file, bytes, reading.access.path_of(referred_name(*file))};
}

std::vector<Number> constants(const std::vector<double>& values, Position at) {
  std::vector<Number> numbers;
  for (const double value : values) numbers.push_back({.constant = value, .at = at});
  return numbers;
}

std::vector<Number> table_from_file(Reading& reading, const Tree& tree, const Place& place) {
  const NamedBytes f = bytes_named_by(reading, tree, place);
  const std::vector<double> values = parse_csv(f.bytes, f.path);
  count_rows(reading, values.size() / 2, f.file.at, place.at("file"));
  return constants(values, f.file.at);
}

}  // namespace

const std::vector<Kind>& function_kinds() {
  static const std::vector<Kind> kinds = make_function_kinds();
  return kinds;
}

std::vector<Number> read_table(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  constexpr std::string_view expected = "a table [[x, y], ...] of at least two rows or {file: name.csv}";
  if (tree.is_mapping()) return table_from_file(reading, tree, place);
  if (!tree.is_list() || tree.children.size() < 2) throw place.wrong(tree, expected);
  count_rows(reading, tree.children.size(), tree.at, place);
  Field abscissa = field;
  abscissa.bound = Bound::none;
  std::vector<Number> numbers;
  for (const Tree& row : tree.children) {
    if (!row.is_list_of(2)) throw place.error(row.at, fmt::format("must have rows of two numbers, found {}", found(row)));
    const Number x = read_number(reading, abscissa, row.children[0], place);
    const Number y = read_number(reading, field, row.children[1], place);
    if (!numbers.empty()) {
      const Number& before = numbers[numbers.size() - 2];
      if (is_constant(before) && is_constant(x) && !(x.constant > before.constant))
        throw place.error(x.at,
                          fmt::format("must have an increasing first column, found {} after {}", x.constant, before.constant));
    }
    numbers.insert(numbers.end(), {x, y});
  }
  return numbers;
}

void read_records(Reading& reading, const Field& field, const Tree& tree, const Place& place, Value& value) {
  std::size_t rows = 0;
  if (tree.is_mapping()) {
    const NamedBytes f = bytes_named_by(reading, tree, place);
    const NumberRows read = parse_csv_rows(f.bytes, f.path);
    count_rows(reading, read.numbers.size(), f.file.at, place.at("file"));
    value.numbers = constants(read.numbers, f.file.at);
    rows = read.rows;
  } else {
    if (!tree.is_list() || tree.children.empty())
      throw place.wrong(tree, "a list of records [[y, y, ...], ...] or {file: name.csv}");
    for (const Tree& row : tree.children) {
      if (!row.is_list()) throw place.error(row.at, fmt::format("must have lists of numbers as rows, found {}", found(row)));
      if (row.children.size() != tree.children[0].children.size())
        throw place.error(row.at, fmt::format("must have rows of equal length, found {} numbers after {}", row.children.size(),
                                              tree.children[0].children.size()));
      for (const Tree& cell : row.children) value.numbers.push_back(read_number(reading, field, cell, place));
    }
    rows = tree.children.size();
    count_rows(reading, value.numbers.size(), tree.at, place);
  }
  if (value.numbers.size() < 3 * rows || rows == 0) throw place.error(tree.at, "needs rows of at least three numbers");
  value.number.constant = double(rows);
}

Item read_function(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (tree.is_scalar()) {
    Field of_time = field;
    of_time.of_time = true;
    const Number number = read_number(reading, of_time, tree, place);
    const bool moves = !is_constant(number) && reading.compiler.program(number).of_time;
    return moves ? expression_function(number) : constant_function(number);
  }
  if (!tree.is_mapping()) throw place.wrong(tree, "a number, an expression of t or a mapping such as {ramp: {..}}");
  Item item = read_tagged(reading, function_kinds(), {}, tree, place);
  check_function(item, *tree.find(item.kind), place.inside().at(item.kind));
  return item;
}

std::vector<Item> read_functions(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  const bool two = reading.planar() && tree.is_list_of(2);
  if (reading.planar() && tree.shape != Tree::Shape::list) return {read_function(reading, field, tree, place)};
  if (!two && !tree.is_list_of(3))
    throw place.wrong(tree, reading.planar() ? "a function of time or a list of 2 or 3" : "a list of 3 functions of time");
  std::vector<Item> items;
  for (const Tree& child : tree.children) {
    if (child.shape == Tree::Shape::null) throw place.error(child.at, "has no value");
    items.push_back(read_function(reading, field, child, place));
  }
  if (two) {
    Number zero;
    zero.at = tree.at;
    items.insert(items.begin() + reading.normal, constant_function(zero));
  }
  return items;
}

}  // namespace aleator::core::input
