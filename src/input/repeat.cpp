#include "input/repeat.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "input/compiler.hpp"
#include "input/expand.hpp"
#include "input/limits.hpp"
#include "input/place.hpp"
#include "input/text.hpp"

namespace aleator::core::input {
namespace {

const Place repeat_place{"", "repeat"};

void check_clause(const Tree& clause) {
  if (!clause.is_mapping()) throw repeat_place.wrong(clause, "a mapping such as {for: i, from: 1, to: 40}");
  std::vector<std::string> known;
  for (const Field& f : repeat_fields()) known.emplace_back(f.key);
  for (const Tree& child : clause.children)
    if (std::find(known.begin(), known.end(), child.key) == known.end())
      throw InputError(child.key_at, fmt::format("unknown key 'repeat.{}'{}", child.key, suggestion(child.key, known)));
}

std::vector<std::string> variables_of(const Tree& clause) {
  const Tree* name = clause.find("for");
  if (!name) throw InputError(clause.at, "'repeat.for' is missing: the name of the variable, as in {for: i, from: 1, to: 40}");
  std::vector<std::string> names;
  const auto add = [&](const Tree& tree) {
    if (!tree.is_scalar() || !is_identifier(tree.text)) throw repeat_place.at("for").wrong(tree, "the name of a variable");
    if (is_reserved_name(tree.text) && tree.text != "e" && tree.text != "t")
      throw InputError(tree.at, fmt::format("'repeat.for': '{}' already has a meaning in expressions", tree.text));
    names.push_back(tree.text);
  };
  if (name->is_list() && !name->children.empty())
    for (const Tree& child : name->children) add(child);
  else
    add(*name);
  return names;
}

double whole_number(const Tree& tree, const std::string& key, Arithmetic& arithmetic) {
  const Place place = repeat_place.at(key);
  if (!tree.is_scalar()) throw place.wrong(tree, "a whole number");
  const std::optional<double> value = arithmetic(tree.text);
  if (!value)
    throw place.error(tree.at, fmt::format("must be a whole number, found {}: how many entries there are cannot depend on "
                                           "parameters, for all realizations have the same ones",
                                           found(tree)));
  if (*value != std::floor(*value) || std::abs(*value) > 1e9) throw place.wrong(tree, "a whole number");
  return *value;
}

Tree scalar_variable(std::string name, std::string text, Position at) {
  Tree tree;
  tree.shape = Tree::Shape::scalar;
  tree.key = std::move(name);
  tree.at = tree.key_at = at;
  tree.plain = true;
  tree.text = std::move(text);
  return tree;
}

std::vector<std::vector<Tree>> listed(const Tree& list, const std::vector<std::string>& names) {
  if (!list.is_list() || list.children.empty()) throw repeat_place.at("in").wrong(list, "a list of values");
  std::vector<std::vector<Tree>> all;
  for (const Tree& each : list.children) {
    if (names.size() > 1 && !each.is_list_of(names.size()))
      throw repeat_place.at("in").wrong(each, fmt::format("a list of {} values, one for each variable", names.size()));
    std::vector<Tree> values;
    for (std::size_t i = 0; i < names.size(); ++i) {
      Tree value = names.size() > 1 ? each.children[i] : each;
      if (value.shape == Tree::Shape::null) throw repeat_place.at("in").error(value.at, "has a value that is empty");
      value.key = names[i];
      value.key_at = value.at;
      values.push_back(std::move(value));
    }
    all.push_back(std::move(values));
  }
  return all;
}

}  // namespace

const std::vector<Field>& repeat_fields() {
  static const std::vector<Field> fields = {
      {.key = "for", .type = FieldType::words, .doc = "Name of the variable; of several, with lists in `in`.", .required = true},
      {.key = "from", .type = FieldType::integer, .doc = "First value.", .fallback = "1"},
      {.key = "to",
       .type = FieldType::integer,
       .doc = "Last value. This or `in`. Where it is written with variables of an outer repeat, the range may be empty."},
      {.key = "by", .type = FieldType::integer, .doc = "Difference from one value to the next.", .fallback = "1"},
      {.key = "in", .type = FieldType::numbers, .doc = "The values, in place of `from`, `to` and `by`: numbers, words, lists."}};
  return fields;
}

bool has_variable_bounds(const Tree& clause) {
  return std::any_of(clause.children.begin(), clause.children.end(), [](const Tree& child) {
    const bool bound = child.key == "from" || child.key == "to" || child.key == "by";
    return bound && child.text.find("${") != std::string::npos;
  });
}

std::vector<std::vector<Tree>> repetitions_of(const Tree& clause, bool may_be_empty, Arithmetic& arithmetic) {
  check_clause(clause);
  const std::vector<std::string> names = variables_of(clause);
  const Tree *in = clause.find("in"), *from = clause.find("from"), *to = clause.find("to"), *by = clause.find("by");
  if (in && (from || to || by)) throw InputError(in->key_at, "'repeat': give either 'in' or 'from' and 'to'");
  if (in) return listed(*in, names);
  if (!to) throw InputError(clause.at, "'repeat.to' is missing: the last value; or 'in', a list of values");
  if (names.size() > 1) throw InputError(clause.find("for")->at, "'repeat': several variables need a list of values 'in'");
  const double first = from ? whole_number(*from, "from", arithmetic) : 1, last = whole_number(*to, "to", arithmetic);
  const double step = by ? whole_number(*by, "by", arithmetic) : 1;
  if (step == 0) throw repeat_place.at("by").error(by->at, "must not be zero");
  const double count = std::floor((last - first) / step) + 1;
  if (!(count >= 1) && may_be_empty) return {};
  if (!(count >= 1))
    throw repeat_place.at("to").error(
        to->at, fmt::format("must not be {} than 'from', found {:g} and {:g}", step > 0 ? "less" : "more", last, first));
  if (count > double(limits::repetitions))
    throw repeat_place.at("to").error(to->at,
                                      fmt::format("gives {:g} repetitions, at most {} are made", count, limits::repetitions));
  std::vector<std::vector<Tree>> all;
  for (double k = 0; k < count; ++k) all.push_back({scalar_variable(names[0], number_text(first + k * step), clause.at)});
  return all;
}

}  // namespace aleator::core::input
