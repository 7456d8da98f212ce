// What is uncertain, for people: each distribution with its facts, mean and spread, and a small histogram.
#pragma once

#include <cstdint>

#include "uncertainty/random_model.hpp"

namespace aleator::app {

void print_laws(const core::Model& model, const core::RandomModel& random, std::uint64_t seed);

}  // namespace aleator::app
