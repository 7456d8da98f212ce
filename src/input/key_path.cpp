#include "input/key_path.hpp"

#include <tuple>

#include "input/yaml_tree.hpp"

namespace aleator::core::input {
namespace {

bool before(Position a, Position b) { return std::tie(a.line, a.column) <= std::tie(b.line, b.column); }

// Keys follow each other in the file: the place belongs to the last one that begins before it.
void descend(const Tree& tree, Position where, std::string& path) {
  const Tree* last = nullptr;
  for (const Tree& child : tree.children)
    if (before(tree.is_mapping() ? child.key_at : child.at, where)) last = &child;
  if (!last) return;
  if (tree.is_mapping()) path += (path.empty() ? "" : ".") + last->key;
  descend(*last, where, path);
}

}  // namespace

std::string key_path(std::string_view text, Position where) {
  std::string path;
  if (where.line <= 0) return path;
  try {
    descend(yaml_tree(text), where, path);
  } catch (const InputError&) {  // it is not even YAML
  }
  return path;
}

InputError with_key_paths(const InputError& error, const std::string& file, std::string_view text) {
  std::vector<Mistake> mistakes = error.mistakes();
  ErrorList ignored;
  Tree tree;  // empty where it is not even YAML
  ignored.collect([&] { tree = yaml_tree(text, &ignored); });
  for (Mistake& m : mistakes)
    if (m.file == file && m.line > 0 && m.key.empty()) descend(tree, {m.line, m.column}, m.key);
  return InputError(std::move(mistakes), error.more());
}

}  // namespace aleator::core::input
