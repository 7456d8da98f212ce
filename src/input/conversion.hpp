// Keys at the top of a model that name a file of another program (`urdf: robot.urdf`), which becomes entries of its sections.
#pragma once

#include <string_view>
#include <vector>

#include "input/fields.hpp"
#include "input/sources.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {

struct Conversion {
  std::string_view key, doc;
  std::vector<Field> options;  // where the value is a mapping: for schema and reference
  // Adds what the file has to the tree of the model. Throws InputError.
  void (*convert)(const Tree& value, const Language& language, Sources& sources, Tree& top, ErrorList& errors);
};

// Of models. Defined where the formats are known (src/import/in_models.cpp), which includes this module.
const std::vector<Conversion>& conversions();

}  // namespace aleator::core::input
