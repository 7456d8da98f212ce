// What is uncertain, for people: each distribution with its facts, mean and spread, and a small histogram.
#pragma once

#include "api/model_check.hpp"

namespace aleator::app {

void print_laws(const core::CheckedModel& checked);

}  // namespace aleator::app
