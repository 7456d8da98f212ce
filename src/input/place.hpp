// What a message is about, and in which words.
#pragma once

#include <string>
#include <string_view>

#include "input/yaml_tree.hpp"

namespace aleator::core::input {

// Where in the model a value stands, as messages say it: joint 'hinge': 'motion.ramp.height' must be ...
struct Place {
  std::string owner;  // "joint 'hinge'", "simulation"; empty for single keys at the top
  std::string path;   // "motion.ramp.height"; empty for the owner itself

  Place at(std::string_view key) const { return {owner, path.empty() ? std::string(key) : path + "." + std::string(key)}; }
  // Inside a group at the top of the file, the group is the owner.
  Place inside() const { return owner.empty() ? Place{path, ""} : *this; }

  std::string name() const;                                             // "joint 'hinge': 'motion.ramp.height'"
  InputError error(Position where, std::string_view predicate) const;   // name() + " must be ..."
  InputError remark(Position where, std::string_view sentence) const;   // "joint 'hinge': " + sentence
  InputError wrong(const Tree& tree, std::string_view expected) const;  // "must be <expected>, found <tree>"
};

}  // namespace aleator::core::input
