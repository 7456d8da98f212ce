// The bytes of a YAML file as a plain tree with positions. What YAML allows and a model has no use for (several
// documents, tags, keys that are not words, duplicate keys, endless aliases) is refused here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "input/error_list.hpp"

namespace aleator::core::input {

struct Tree {
  enum class Shape { null, scalar, list, mapping };

  Shape shape = Shape::null;
  Position at;
  std::string key;  // children of mappings: the key and its place
  Position key_at;
  std::string text;            // scalars
  bool plain = false;          // a scalar without quotes
  int inside = -1;             // columns from `at` to the first letter of `text`; -1 when the text was written otherwise
  std::vector<Tree> children;  // of lists and mappings, in the order written

  bool is_scalar() const { return shape == Shape::scalar; }
  bool is_list() const { return shape == Shape::list; }
  bool is_mapping() const { return shape == Shape::mapping; }
  bool is_list_of(std::size_t n) const { return is_list() && children.size() == n; }

  const Tree* find(std::string_view name) const {
    for (const Tree& child : children)
      if (child.key == name) return &child;
    return nullptr;
  }
};

// Throws InputError, whatever the bytes. With a list, mistakes that leave a tree go there.
Tree yaml_tree(std::string_view bytes, ErrorList* errors = nullptr);

// What a message says was found: 'text', a list of 2, a mapping.
std::string found(const Tree& tree);

}  // namespace aleator::core::input
