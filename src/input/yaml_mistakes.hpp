// What somebody did wrong who wrote text that is not YAML: a tab, a missing colon, a wrong indentation, a bracket that is not
// closed. The parser's own words are about its grammar, and help nobody.
#pragma once

#include <string>
#include <string_view>

#include "input/error.hpp"

namespace aleator::core::input {

struct YamlMistake {
  InputError error;
  // The text as it is probably meant, with which reading can go on; empty where that is not certain enough. Lines stay where they are.
  std::string repaired;
};

// `at`: where the parser stopped (column in bytes); `complaint`: its words.
YamlMistake yaml_mistake(std::string_view text, Position at, std::string_view complaint);

// What is wrong with `mass 2`, `mass:2` and `mass = 2`, and how it is written.
std::string without_colon(std::string_view content);

// Whether a quote begins at `start` that is never closed: yaml-cpp takes it to the end of the file.
bool is_open_quote(std::string_view text, std::size_t start);

}  // namespace aleator::core::input
