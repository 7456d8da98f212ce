// What a study asks for (`study:` of a model), as plain data: aleator::Study.
#pragma once

#include <span>

#include <aleator/study.hpp>

#include "model/model.hpp"

namespace aleator::core {

// Throws InputError.
Study read_study(const Model& model, std::span<const Override> overrides = {});
// The same, also of a draft; what is wrong comes to `errors`.
Study read_study(const Model& model, std::span<const Override> overrides, input::ErrorList& errors);
// What `study:` of a description says, over what is there. Throws InputError.
void change_study(const input::Description& description, Study& study);

// "10 min", "4 GB" or both, separated by a comma, or "none": what is not named stays. Throws std::invalid_argument.
void set_budget(const std::string& text, Study& study);
// "1%", or "x=1%,y=5%" for the outputs x and y alone. Throws std::invalid_argument.
void set_accuracy(const std::string& text, Study& study);

}  // namespace aleator::core
