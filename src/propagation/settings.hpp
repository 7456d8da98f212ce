// What a study asks for (`study:` of a model), as plain data: aleator::Study.
#pragma once

#include <span>

#include <aleator/study.hpp>

#include "model/model.hpp"

namespace aleator::core {

// Throws InputError.
Study read_study(const Model& model, std::span<const Override> overrides = {});

}  // namespace aleator::core
