// Goes through an entry of a section with the field tables in hand: which key is a point, which the name of a body.
#pragma once

#include <functional>

#include "input/fields.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {

// A mapping, and what may be in it: `kind` and `subject` where it has a tag.
struct Walked {
  Tree& mapping;
  std::span<const Field> fields;
  const Kind* kind = nullptr;
};

struct FieldVisitor {
  // A value and its field, in the mapping where it stands (of the tag: in the mapping that has the tag).
  std::function<void(const Field& field, Tree& value, const Walked& inside)> value = {};
  // A mapping, after all that is in it: keys may be added.
  std::function<void(const Walked&)> mapping = {};
};

// Unknown keys and values of another shape are passed over: the reader tells what is wrong with them.
void walk_fields(const Section& section, Tree& entry, const FieldVisitor& visitor);
void walk_fields(std::span<const Field> fields, Tree& mapping, const FieldVisitor& visitor);

}  // namespace aleator::core::input
