// `include:` other files, whose sections become sections of the model.
#pragma once

#include "input/fields.hpp"
#include "input/sources.hpp"
#include "input/yaml_tree.hpp"

namespace aleator::core::input {

// What becomes of a single key (`gravity:`, `simulation:`) that both trees have.
enum class SingleKeys { into_wins, must_agree };

// Adds the sections of `from` to those of `into`; positions stay as they are. Entries of a section come before those that are
// there already. An entry that both have is a mistake, told with both places; `file` is that of the model. Keys that are not
// known are left to the reader.
void merge_sections(Tree& into, Tree from, const Language& language, SingleKeys single, const std::string& file,
                    ErrorList& errors);

// Gives all of a tree that was read from another file (or is the result of a conversion) its origin.
void set_origin(Tree& tree, const Origin* origin);

// The tree with all files that it includes, directly and indirectly, and without `include:`. Each file is taken once.
void include_files(Tree& top, const Language& language, Sources& sources, ErrorList& errors);

}  // namespace aleator::core::input
