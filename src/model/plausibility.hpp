// What is allowed and yet hardly meant: millimetres for metres, degrees for radians, a body that nothing holds.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model/model.hpp"

namespace aleator::core {

// "model.yaml:3:46: note: body 'rod': …", in the order of the file, a few at most.
std::vector<std::string> plausibility_notes(const Model& model);

// Everything that is to be told of a model before it is used: what was decided or left out of files of other programs (at most `imported`
// lines), and what is hardly meant.
std::vector<std::string> notes_about(const Model& model, size_t imported = 5);

}  // namespace aleator::core
