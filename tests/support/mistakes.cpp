#include "support/mistakes.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace aleator::core::test {

using input::Tree;
using Shape = Tree::Shape;

namespace {

Tree scalar(std::string text) {
  Tree t;
  t.shape = Shape::scalar;
  t.text = std::move(text);
  t.plain = true;
  return t;
}

Tree holding(Shape shape, std::vector<Tree> children) {
  Tree t;
  t.shape = shape;
  t.children = std::move(children);
  return t;
}

// The content alone: the key stays where it is.
void put(Tree& to, Tree from) {
  from.key = to.key;
  to = std::move(from);
}

}  // namespace

void Mistakes::collect(Tree& tree, std::vector<Place>& to) {
  for (std::size_t i = 0; i < tree.children.size(); ++i) {
    to.push_back({&tree, i});
    collect(tree.children[i], to);
  }
}

Tree Mistakes::in(Tree tree) {
  constexpr std::size_t how_many[] = {1, 1, 1, 2, 3};
  for (std::size_t n = any(how_many); n > 0; --n) one(tree);
  return tree;
}

void Mistakes::one(Tree& tree) {
  std::vector<Place> places;
  collect(tree, places);
  if (places.empty()) return;
  const Place at = any(places), other = any(places);
  auto& siblings = at.parent->children;
  const auto here = siblings.begin() + std::ptrdiff_t(at.index);
  switch (below(16)) {
    case 0:
    case 1:
      siblings.erase(here);
      break;
    case 2:  // a key given twice, or an item more; anywhere among its siblings
      siblings.insert(siblings.begin() + std::ptrdiff_t(below(siblings.size() + 1)), Tree(*here));
      break;
    case 3:
      misspell(at.parent->is_mapping() ? here->key : here->text);
      break;
    case 4:
      (at.parent->is_mapping() ? here->key : here->text) = any(keys_);
      break;
    case 5:  // two values change places; not one inside the other
      if (at.value().children.empty() && other.value().children.empty()) {
        Tree mine = at.value();
        put(at.value(), other.value());
        put(other.value(), std::move(mine));
      }
      break;
    case 6:  // a name nobody has, or that of something else
      if (here->is_scalar()) here->text = below(2) ? "nobody" : any(keys_);
      break;
    case 7:  // the value of another key
      put(at.value(), Tree(other.value()));
      break;
    case 8:
    case 9:
      other_type(at.value());
      break;
    default:
      other_number(at.value());
  }
}

void Mistakes::misspell(std::string& word) {
  if (word.empty()) return;
  const std::size_t i = below(word.size());
  switch (below(3)) {
    case 0:
      word[i] = char('a' + below(26));
      break;
    case 1:
      word.erase(i, 1);
      break;
    default:
      word.insert(i, 1, word[i]);
  }
}

void Mistakes::other_type(Tree& value) {
  const Tree old = value;
  Tree named = old;
  named.key = any(keys_);
  switch (below(9)) {
    case 0:
      return put(value, scalar("some words"));
    case 1:
      return put(value, Tree());
    case 2:
      return put(value, holding(Shape::list, {}));
    case 3:
      return put(value, holding(Shape::mapping, {}));
    case 4:
      return put(value, holding(Shape::list, {old}));
    case 5:
      return put(value, holding(Shape::list, {old, old, old}));
    case 6:
      return put(value, holding(Shape::mapping, {named}));
    case 7:
      return put(value, scalar(below(2) ? "true" : "false"));
    default:
      value.plain = false;  // in quotes
      if (value.is_mapping() || value.is_list()) put(value, scalar(""));
  }
}

void Mistakes::other_number(Tree& value) {
  static constexpr std::string_view numbers[] = {"nan",
                                                 ".nan",
                                                 "inf",
                                                 "-inf",
                                                 ".inf",
                                                 "-.inf",
                                                 "0",
                                                 "-1",
                                                 "1",
                                                 "2",
                                                 "0.5",
                                                 "1e300",
                                                 "-1e300",
                                                 "1e308",
                                                 "1e-300",
                                                 "1e-320",
                                                 "1e18",
                                                 "-1e18",
                                                 "1e-9",
                                                 "1e9",
                                                 "1000000",
                                                 "1/0",
                                                 "0/0",
                                                 "sqrt(-1)",
                                                 "1e999",
                                                 "t",
                                                 "pi",
                                                 "1e150",
                                                 "1e-150",
                                                 "3",
                                                 "-0.0",
                                                 "1e15",
                                                 "2.5",
                                                 "90",
                                                 "1e-15",
                                                 "1e4",
                                                 "5e-324",
                                                 "2147483648",
                                                 "1000000000000000000",
                                                 "9223372036854775808"};
  const double x = value.is_scalar() ? std::strtod(value.text.c_str(), nullptr) : 0;
  if (x != 0 && below(3) == 0) {
    static constexpr double factors[] = {-1, 10, 0.1, 1e3, 1e-3, 1e6, 1e-6, 1e12, 1e-12, 2, 0.5};
    return put(value, scalar(fmt::format("{:.6g}", x * any(factors))));
  }
  put(value, scalar(std::string(any(numbers))));
}

void collect_keys(const Tree& tree, std::vector<std::string>& to) {
  for (const Tree& child : tree.children) {
    if (tree.is_mapping()) to.push_back(child.key);
    collect_keys(child, to);
  }
}

namespace {

// In quotes where YAML would see more than a word.
std::string written_text(const std::string& text, bool plain) {
  const bool bare = plain && !text.empty() && text.find_first_of(",[]{}:#&*!|>'\"%@`?\n\t\\") == std::string::npos &&
                    text.front() != ' ' && text.back() != ' ' && !(text[0] == '-' && text.size() == 1);
  if (bare) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out + '"';
}

std::string in_one_line(const Tree& tree) {
  if (tree.is_scalar()) return written_text(tree.text, tree.plain);
  if (tree.shape == Shape::null) return "~";
  std::string out = tree.is_list() ? "[" : "{";
  for (const Tree& child : tree.children) {
    if (&child != tree.children.data()) out += ", ";
    if (tree.is_mapping()) out += written_text(child.key, true) + ": ";
    out += in_one_line(child);
  }
  return out + (tree.is_list() ? "]" : "}");
}

}  // namespace

std::string written(const Tree& tree) {
  if (!tree.is_mapping() || tree.children.empty()) return in_one_line(tree) + "\n";
  std::string out;
  for (const Tree& section : tree.children) {
    out += written_text(section.key, true) + ":";
    if (!section.is_mapping() || section.children.empty()) {
      out += " " + in_one_line(section) + "\n";
      continue;
    }
    out += "\n";
    for (const Tree& entry : section.children) out += "  " + written_text(entry.key, true) + ": " + in_one_line(entry) + "\n";
  }
  return out;
}

}  // namespace aleator::core::test
