#include "input/field_walk.hpp"

#include <algorithm>

namespace aleator::core::input {
namespace {

class Walk {
 public:
  explicit Walk(const FieldVisitor& visitor) : visitor_(visitor) {}

  void tagged(std::span<const Kind> kinds, std::span<const Field> untagged, Tree& tree) const {
    if (!tree.is_mapping()) return;
    const Kind* kind = tag_of(kinds, tree);
    const Walked inside{tree, kind ? std::span<const Field>(kind->fields) : untagged, kind};
    for (Tree& child : tree.children)
      if (kind && child.key == kind->key) field(kind->subject, child, inside);
    children(inside, kind ? kind->key : "");
  }

  void mapping(std::span<const Field> fields, Tree& tree) const {
    if (tree.is_mapping()) children({tree, fields}, "");
  }

 private:
  // Of several, the one that has the others among its keys.
  static const Kind* tag_of(std::span<const Kind> kinds, const Tree& tree) {
    const Kind* first = nullptr;
    for (const Kind& kind : kinds) {
      if (!tree.find(kind.key)) continue;
      const bool owns = std::all_of(kinds.begin(), kinds.end(), [&](const Kind& other) {
        return &other == &kind || !tree.find(other.key) ||
               std::any_of(kind.fields.begin(), kind.fields.end(), [&](const Field& f) { return f.key == other.key; });
      });
      if (owns) return &kind;
      if (!first) first = &kind;
    }
    return first;
  }

  void children(const Walked& inside, std::string_view tag) const {
    for (Tree& child : inside.mapping.children) {
      if (child.key == tag) continue;
      const auto it =
          std::find_if(inside.fields.begin(), inside.fields.end(), [&](const Field& f) { return f.key == child.key; });
      if (it != inside.fields.end()) field(*it, child, inside);
    }
    if (visitor_.mapping) visitor_.mapping(inside);
  }

  void field(const Field& f, Tree& value, const Walked& inside) const {
    const auto is_direction = [](const Tree& c) {
      return std::find(std::begin(directions), std::end(directions), c.key) != std::end(directions);
    };
    if (f.per_direction && value.is_mapping() && std::any_of(value.children.begin(), value.children.end(), is_direction)) {
      for (Tree& child : value.children) direct(f, child, inside);
      return;
    }
    direct(f, value, inside);
  }

  void direct(const Field& f, Tree& value, const Walked& inside) const {
    if (visitor_.value) visitor_.value(f, value, inside);
    using enum FieldType;
    if (f.type == group) mapping(f.fields, value);
    if (f.type == choice) tagged(f.kinds, {}, value);
    if (f.type == function) tagged(function_kinds(), {}, value);
    if (f.type == choices || f.type == functions)
      for (Tree& child : value.children) tagged(f.type == choices ? std::span<const Kind>(f.kinds) : function_kinds(), {}, child);
    if (f.type == named_groups)
      for (Tree& child : value.children) mapping(f.fields, child);
  }

  const FieldVisitor& visitor_;
};

}  // namespace

void walk_fields(const Section& section, Tree& entry, const FieldVisitor& visitor) {
  Walk(visitor).tagged(section.kinds, section.fields, entry);
}

void walk_fields(std::span<const Field> fields, Tree& mapping, const FieldVisitor& visitor) {
  Walk(visitor).mapping(fields, mapping);
}

}  // namespace aleator::core::input
