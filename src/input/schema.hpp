// The model language for other programs and for people, from the same field tables the reader checks against.
#pragma once

#include <string>

#include "input/fields.hpp"

namespace aleator::core::input {

// JSON Schema (draft 2020-12), for editors that complete and check while one types. It accepts what the reader accepts,
// except for what needs the rest of the model: names, expressions, and what the plane of a planar model changes.
std::string json_schema(const Language& language);

// The reference of the language: every section, kind and key with type, unit, default and meaning.
std::string markdown_reference(const Language& language);

}  // namespace aleator::core::input
