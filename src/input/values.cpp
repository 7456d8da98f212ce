// Any value of a model, and in full those that are a number, a word or a name.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/reading.hpp"
#include "input/synonyms.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

namespace {

std::vector<std::string> strings(std::span<const std::string_view> views) { return {views.begin(), views.end()}; }

Number read_integer(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_scalar()) throw place.wrong(tree, "a whole number");
  const Number number = read_number(reading, field, tree, place);
  if (number.program < 0 && !is_whole(number.constant)) throw place.wrong(tree, "a whole number");
  return number;
}

std::vector<Number> read_numbers(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_list() || tree.children.empty()) throw place.wrong(tree, "a list of numbers");
  std::vector<Number> numbers;
  for (const Tree& child : tree.children) numbers.push_back(read_number(reading, field, child, place));
  return numbers;
}

bool read_flag(const Tree& tree, const Place& place) {
  if (tree.is_scalar() && tree.plain)
    for (const char* text : {"true", "True", "TRUE", "false", "False", "FALSE"})
      if (tree.text == text) return text[0] == 't' || text[0] == 'T';
  throw place.wrong(tree, "true or false");
}

std::string read_text_value(const Tree& tree, const Place& place) {
  if (!tree.is_scalar()) throw place.wrong(tree, "a text");
  return tree.text;
}

std::string one_of(std::span<const std::string_view> words) {
  if (words.empty()) return "a word";
  if (words.size() == 1) return std::string(words[0]);
  return fmt::format("{} or {}", fmt::join(words.first(words.size() - 1), ", "), words.back());
}

// A field without a list of words takes any.
std::string read_word(const Field& field, const Tree& tree, const Place& place) {
  const bool known = field.words.empty() || std::find(field.words.begin(), field.words.end(), tree.text) != field.words.end();
  if (tree.is_scalar() && known) return tree.text;
  if (!tree.is_scalar()) throw place.wrong(tree, one_of(field.words));
  const std::string hint = suggestion(tree.text, strings(field.words));
  throw place.error(tree.at, fmt::format("must be {}, found {}{}", one_of(field.words), found(tree),
                                         hint.starts_with(" (known") ? "" : hint));  // they are all named already
}

// A choice that may also be a word: `bounding-box`, or a mapping with `multiple` or `matrix`.
std::string read_word_or_choice(const Field& field, const Tree& tree, const Place& place) {
  if (std::find(field.words.begin(), field.words.end(), tree.text) != field.words.end()) return tree.text;
  std::vector<std::string_view> keys;
  for (const Kind& kind : field.kinds) keys.push_back(kind.key);
  throw place.wrong(tree, fmt::format("{}, or a mapping with {}", one_of(field.words), one_of(keys)));
}

std::vector<std::string> read_words(const Field& field, const Tree& tree, const Place& place) {
  if (tree.is_scalar()) return {read_word(field, tree, place)};
  if (!tree.is_list() || tree.children.empty()) throw place.wrong(tree, fmt::format("a list of words ({})", one_of(field.words)));
  std::vector<std::string> words;
  std::unordered_set<std::string> seen;
  for (const Tree& child : tree.children) {
    words.push_back(read_word(field, child, place));
    if (!seen.insert(words.back()).second) throw place.error(child.at, fmt::format("has '{}' twice", words.back()));
  }
  return words;
}

constexpr std::string_view ground = "ground";

std::string read_name(const Reading& reading, const Names& names, std::string_view what, const Tree& tree, const Place& place) {
  if (!tree.is_scalar()) throw place.wrong(tree, "the name of " + with_article(what));
  const bool known = names.set.contains(tree.text) || (what == "body" && tree.text == ground);
  if (known) return tree.text;
  std::vector<std::string> list = names.list;
  if (what == "body") list.emplace_back(ground);
  const bool is_point = what == "body" && reading.points.contains(tree.text);  // such as a link without mass
  const std::string hint = is_point
                               ? fmt::format("; it is a point: name the body that it belongs to, and write at: {}", tree.text)
                           : list.empty() ? fmt::format(" (the model has no {}s)", what)
                                          : suggestion(tree.text, list);
  const InputError error = place.remark(tree.at, fmt::format("unknown {} '{}'{}", what, tree.text, hint));
  if (!names.complete || reading.misplaced.contains(tree.text)) throw Consequence(error);
  throw error;
}

std::vector<std::string> read_pair(const Reading& reading, const Names& names, std::string_view what, const Tree& tree,
                                   const Place& place) {
  const std::string_view plural = what == "body" ? "bodies" : "joints";
  if (!tree.is_list_of(2))
    throw place.wrong(tree, fmt::format("a list of two {}{}", plural, what == "body" ? ", one of which may be ground" : ""));
  std::string first = read_name(reading, names, what, tree.children[0], place);
  std::string second = read_name(reading, names, what, tree.children[1], place);
  if (first == second)
    throw place.error(tree.children[1].at, fmt::format("must name two different {}, found '{}' twice", plural, first));
  return {std::move(first), std::move(second)};
}

const std::vector<Tree>& children_of(const Tree& tree, const Place& place, std::string_view expected) {
  if (!tree.is_list() || tree.children.empty()) throw place.wrong(tree, expected);
  return tree.children;
}

std::vector<Item> read_choices(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_list()) throw place.wrong(tree, "a list of mappings");
  std::vector<Item> items;
  bool fine = true;
  for (const Tree& child : tree.children)
    fine &= reading.errors.attempt([&] { items.push_back(read_tagged(reading, field.kinds, {}, child, place)); });
  if (!fine) throw Consequence(place.error(tree.at, "is wrong"));
  return items;
}

Value read_directly(Reading& reading, const Field& field, const Tree& tree, const Place& place);

std::vector<Entry> read_by_name(Reading& reading, const Field& each, const Tree& tree, const Place& place,
                                std::string_view expected) {
  if (!tree.is_mapping()) throw place.wrong(tree, expected);
  std::vector<Entry> entries;
  for (const Tree& child : tree.children)
    entries.emplace_back(child.key, read_directly(reading, each, child, place.at(child.key)));
  return entries;
}

// A name without anything after it is a group in which nothing is given.
std::vector<Entry> read_named_groups(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_mapping()) throw place.wrong(tree, "a mapping of names");
  std::vector<Entry> entries;
  bool fine = true;
  for (const Tree& child : tree.children)
    fine &= reading.errors.attempt([&] {
      Tree group = child;
      if (group.shape == Tree::Shape::null) group.shape = Tree::Shape::mapping;
      Value value;
      value.type = FieldType::group;
      value.at = child.key_at;
      value.items = {read_group(reading, field.fields, group, Place{fmt::format("{} '{}'", place.path, child.key), ""})};
      entries.emplace_back(child.key, std::move(value));
    });
  if (!fine) throw Consequence(place.error(tree.at, "is wrong"));
  return entries;
}

// One case per type; which members of the value each one fills is in description.hpp.
Value read_directly(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (tree.shape == Tree::Shape::null) {
    const bool is_text = field.type == FieldType::text;  // #ff8000, say, is a comment
    throw place.error(tree.key.empty() ? tree.at : tree.key_at,
                      is_text ? "has no value (text that begins with '#' must be in quotes)" : "has no value");
  }
  Value value;
  value.type = field.type;
  value.at = tree.at;
  switch (field.type) {
    case FieldType::number:
      value.number = read_number(reading, field, tree, place);
      break;
    case FieldType::integer:
      value.number = read_integer(reading, field, tree, place);
      break;
    case FieldType::flag:
      value.flag = read_flag(tree, place);
      break;
    case FieldType::text:
      value.word = read_text_value(tree, place);
      break;
    case FieldType::word:
      value.word = read_word(field, tree, place);
      break;
    case FieldType::words:
      value.words = read_words(field, tree, place);
      break;
    case FieldType::numbers:
      value.numbers = read_numbers(reading, field, tree, place);
      break;
    case FieldType::vector:
      value.numbers = read_vector(reading, field, tree, place);
      break;
    case FieldType::point:
      value.numbers = read_point(reading, field, tree, place);
      break;
    case FieldType::point_pair:
      value.numbers = read_point_pair(reading, field, tree, place);
      break;
    case FieldType::direction:
      read_direction(reading, field, tree, place, value);
      break;
    case FieldType::spin:
      value.numbers = read_spin(reading, field, tree, place);
      break;
    case FieldType::orientation:
      read_orientation(reading, tree, place, value);
      break;
    case FieldType::tensor:
      value.numbers = read_tensor(reading, field, tree, place);
      break;
    case FieldType::body:
      value.word = read_name(reading, reading.bodies, "body", tree, place);
      break;
    case FieldType::joint:
      value.word = read_name(reading, reading.joints, "joint", tree, place);
      break;
    case FieldType::force:
      value.word = read_name(reading, reading.forces, "force", tree, place);
      break;
    case FieldType::process:
      value.word = read_name(reading, reading.processes, "process", tree, place);
      break;
    case FieldType::body_pair:
      value.words = read_pair(reading, reading.bodies, "body", tree, place);
      break;
    case FieldType::joint_pair:
      value.words = read_pair(reading, reading.joints, "joint", tree, place);
      break;
    case FieldType::polygon:
      value.numbers = read_polygon(reading, field, tree, place);
      break;
    case FieldType::table:
      value.numbers = read_table(reading, field, tree, place);
      break;
    case FieldType::mesh:
      read_mesh_value(reading, tree, place, value);
      break;
    case FieldType::factors:
      value.numbers = read_factors(reading, field, tree, place);
      break;
    case FieldType::records:
      read_records(reading, field, tree, place, value);
      break;
    case FieldType::function:
      value.items = {read_function(reading, field, tree, place)};
      break;
    case FieldType::functions:
      value.items = read_functions(reading, field, tree, place);
      break;
    case FieldType::group:
      value.items = {read_group(reading, field.fields, tree, place)};
      break;
    case FieldType::points:
      for (const Tree& child : children_of(tree, place, "a list of points"))
        for (const Number& n : read_point(reading, field, child, place)) value.numbers.push_back(n);
      break;
    case FieldType::named_numbers:
      value.by_direction = read_by_name(reading, {.bound = field.bound}, tree, place, "a mapping of names to numbers");
      break;
    case FieldType::named_texts:
      value.by_direction = read_by_name(reading, {.type = FieldType::text}, tree, place, "a mapping of names to texts");
      break;
    case FieldType::number_by_name:
      if (tree.is_scalar())
        value.by_direction.emplace_back("", read_directly(reading, {.bound = field.bound}, tree, place));
      else
        value.by_direction =
            read_by_name(reading, {.bound = field.bound}, tree, place, "a number, or a mapping of names to numbers");
      break;
    case FieldType::named_groups:
      value.by_direction = read_named_groups(reading, field, tree, place);
      break;
    case FieldType::choice:
      if (!field.words.empty() && tree.is_scalar()) {
        value.word = read_word_or_choice(field, tree, place);
        break;
      }
      value.items = {read_tagged(reading, field.kinds, {}, tree, place)};
      break;
    case FieldType::choices:
      value.items = read_choices(reading, field, tree, place);
      break;
  }
  return value;
}

bool is_direction(std::string_view key) {
  return std::find(std::begin(directions), std::end(directions), key) != std::end(directions);
}

// `{x: .., rz: ..}` names directions; any other mapping is the value itself, and a mixture is neither.
Value read_by_direction(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  Value value;
  value.type = field.type;
  value.at = tree.at;
  const bool by_direction = tree.is_mapping() && std::any_of(tree.children.begin(), tree.children.end(),
                                                             [](const Tree& c) { return is_direction(c.key); });
  if (!by_direction) {
    value.by_direction.emplace_back("", read_directly(reading, field, tree, place));
    return value;
  }
  for (const Tree& child : tree.children) {
    if (!is_direction(child.key))
      throw place.error(child.key_at,
                        fmt::format("is given by direction, and '{}' is not one of {}", child.key, one_of(directions)));
    value.by_direction.emplace_back(child.key, read_directly(reading, field, child, place.at(child.key)));
  }
  return value;
}

}  // namespace

std::string Place::name() const {
  if (path.empty()) return owner;
  return owner.empty() ? fmt::format("'{}'", path) : fmt::format("{}: '{}'", owner, path);
}

InputError Place::error(Position where, std::string_view predicate) const {
  return {where, fmt::format("{} {}", name(), predicate)};
}

InputError Place::remark(Position where, std::string_view sentence) const {
  return {where, owner.empty() ? std::string(sentence) : fmt::format("{}: {}", owner, sentence)};
}

// What a list in the wrong form may have meant; empty: no idea.
static std::string hint_for(const Tree& tree) {
  if (tree.is_scalar() && tree.text.starts_with('(') && tree.text.find(',') != std::string::npos)
    return fmt::format("; a list is written in brackets, as in {}", in_brackets(tree.text));
  if (!tree.is_list()) return "";
  for (const Tree& child : tree.children) {
    double ignored = 0;
    const std::size_t blank = child.text.find_first_of(" ;");
    if (child.is_scalar() && blank != std::string::npos && parse_decimal(child.text.substr(0, blank), ignored))
      return "; numbers of a list are separated by commas, as in [0, 0, 1]";
  }
  return "";
}

InputError Place::wrong(const Tree& tree, std::string_view expected) const {
  if (tree.shape == Tree::Shape::null) return error(tree.key.empty() ? tree.at : tree.key_at, "has no value");
  return error(tree.at, fmt::format("must be {}, found {}{}", expected, found(tree), hint_for(tree)));
}

std::string in_brackets(std::string_view text) {
  std::string inner(trimmed(text));
  if (inner.starts_with('(')) inner.erase(0, 1);
  if (inner.ends_with(')')) inner.pop_back();
  return fmt::format("[{}]", inner.substr(0, 60));
}

Value read_value(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  return field.per_direction ? read_by_direction(reading, field, tree, place) : read_directly(reading, field, tree, place);
}

// What a text that is no number may have meant; empty: no idea.
static std::string hint_for_number(const Field& field, std::string_view text) {
  if (const double density = field.key == "density" ? density_of(text) : 0; density > 0)
    return fmt::format("; a density is a number in kg/m³, of {} about {:g}", text, density);
  const std::size_t comma = text.find(',');
  double whole = 0, part = 0;
  if (comma != std::string_view::npos && parse_decimal(text.substr(0, comma), whole) &&
      parse_decimal(text.substr(comma + 1), part))
    return fmt::format("; decimals have a point, as in {}.{}", text.substr(0, comma), text.substr(comma + 1));
  return "";
}

Number read_number(Reading& reading, const Field& field, const Tree& tree, const Place& place) {
  if (!tree.is_scalar()) throw place.wrong(tree, field.of_time ? "a number or an expression of t" : "a number");
  try {
    const auto time = field.of_time ? Compiler::Time::allowed : Compiler::Time::refused;
    const Number number = reading.compiler.number(tree.text, tree.at, time);
    if (number.program >= 0) reading.compiler.restrict(number, field.bound, place.name());
    if (number.program < 0) check_bound(number.constant, field.bound, tree.at, place.name(), fmt::format("{}", number.constant));
    return number;
  } catch (const ExpressionError& error) {
    Position at = tree.at;
    if (error.offset >= 0 && tree.inside >= 0) at.column += tree.inside + error.offset;
    const bool is_variable = tree.at.origin && reading.variables.contains(error.unknown_name);
    const std::string message =
        is_variable ? fmt::format("uses the unknown name '{0}'; a variable is written ${{{0}}}", error.unknown_name)
                    : error.message;
    const InputError wrong = place.error(at, message + hint_for_number(field, tree.text));
    if (error.is_last) throw LastError(wrong.mistakes());
    const bool follows = !reading.parameters_complete || reading.misplaced.contains(error.unknown_name);
    if (!error.unknown_name.empty() && follows) throw Consequence(wrong);
    throw wrong;
  }
}

}  // namespace aleator::core::input
