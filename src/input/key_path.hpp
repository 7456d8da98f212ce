// Which entry of a file a place belongs to, for messages as data.
#pragma once

#include <string>
#include <string_view>

#include "input/error.hpp"

namespace aleator::core::input {

// "joints.hinge35.revolute" of a line and column of a YAML text; empty where there is none, or the text is no YAML.
std::string key_path(std::string_view text, Position where);

// The same for each mistake in `file`, whose text it is.
InputError with_key_paths(const InputError& error, const std::string& file, std::string_view text);

}  // namespace aleator::core::input
