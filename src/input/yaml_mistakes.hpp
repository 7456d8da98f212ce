// What somebody did wrong who wrote text that is not YAML: a tab, a missing colon, a wrong indentation, a bracket that is not
// closed. The parser's own words are about its grammar, and help nobody.
#pragma once

#include <string>
#include <string_view>

#include "input/error.hpp"

namespace aleator::core::input {

// `at`: where the parser stopped (column in bytes); `complaint`: its words.
InputError yaml_mistake(std::string_view text, Position at, std::string_view complaint);

// What is wrong with `mass 2`, `mass:2` and `mass = 2`, and how it is written.
std::string without_colon(std::string_view content);

// Whether a quote begins at `start` that is never closed: yaml-cpp takes it to the end of the file.
bool is_open_quote(std::string_view text, std::size_t start);

}  // namespace aleator::core::input
