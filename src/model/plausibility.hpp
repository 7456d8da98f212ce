// What is allowed and yet hardly meant: millimetres for metres, degrees for radians, a body that nothing holds.
#pragma once

#include <string>
#include <vector>

#include "model/model.hpp"

namespace aleator::core {

// "model.yaml:3:46: note: body 'rod': …", in the order of the file, a few at most.
std::vector<std::string> plausibility_notes(const Model& model);

}  // namespace aleator::core
