// What elements of URDF may have: misspelt attributes, misspelt elements and second ones of a kind are mistakes; the rest is noted.
#pragma once

#include <vector>

#include "import/mechanism.hpp"

namespace aleator::core::importing::urdf {

// Each throws all mistakes that it finds.
void check_attributes(const Element& e, std::vector<Note>& notes);
void check_element(const Element& e, std::vector<Note>& notes);  // its attributes, and which elements are in it
void check_tree(const Element& e, std::vector<Note>& notes);     // and the same of these

// For an element that nobody reads: throws where it looks like one of the known ones, or must be expanded first, and notes it otherwise.
void leave_out(const Element& e, const std::vector<std::string>& known, std::vector<Note>& notes);

// " (did you mean 'lower'?)" for a name that is nearly one of the known ones; otherwise empty.
std::string near_miss(const std::string& name, const std::vector<std::string>& known);

}  // namespace aleator::core::importing::urdf
