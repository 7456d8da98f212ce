// Files that are something else than what they are read as.
#pragma once

#include <string>
#include <string_view>

namespace aleator::core::input {

// "a robot description (URDF, an XML file)" of bytes that are no YAML, as far as they can be told; empty otherwise.
std::string foreign_kind(std::string_view bytes);

}  // namespace aleator::core::input
