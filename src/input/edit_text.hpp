// A model file with one entry changed, by a program.
#pragma once

#include <span>
#include <string>

namespace aleator::core::input {

// The text with `value`, as YAML writes it, at the path of keys {"uncertain", "rb5", "mass"}; mappings on the way are made where they
// are missing, and an empty value removes the entry with mappings that it leaves empty. Only the section at the top that contains it is
// written anew, at the end and without its comments. Throws InputError.
std::string with_entry(const std::string& text, std::span<const std::string> path, const std::string& value);

struct Tree;
// A tree of sections as a file: an entry to a line.
std::string text_of_sections(const Tree& top);

}  // namespace aleator::core::input
