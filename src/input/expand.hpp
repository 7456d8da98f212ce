// Repeats, templates and their instances, frames and named functions: what a model says once, written out.
#pragma once

#include "input/fields.hpp"
#include "input/sources.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {

// Keys at the top that are gone when all is written out, beside those of the language.
const std::vector<std::string>& reuse_keys();  // repeat, templates, instances, frames, functions

// What `instances:` and `frames:` have, and `repeat:`; for the schema and the reference.
const std::vector<Field>& instance_fields();
const std::vector<Field>& frame_fields();
const std::vector<Field>& repeat_fields();

// Writes everything out. False where something is wrong, which is in the list: the tree is then not to be read.
bool expand_model(Tree& top, const Language& language, Sources& sources, ErrorList& errors);

}  // namespace aleator::core::input
