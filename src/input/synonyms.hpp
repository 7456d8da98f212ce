// Words of other programs and books, and what they are called here.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aleator::core::input {

// The one of `known` that is meant by a word from elsewhere: `gaussian` is `normal`; empty if there is none.
std::string_view synonym(std::string_view word, std::span<const std::string> known);

// What a material weighs per volume, in kg/m³, if the word is a common one; 0 otherwise.
double density_of(std::string_view material);

}  // namespace aleator::core::input
