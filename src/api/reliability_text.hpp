// What methods for rare events found, as `run` prints it: the answer first.
#pragma once

#include <string>

#include "results/reliability.hpp"
#include "results/study.hpp"

namespace aleator::core {

// "3.4e-5", "0.0213"
std::string probability_words(double p);

// Of a standard normal number of design points: of a quantity, or "random process 3".
std::string variable_name(const results::Reliability& r, std::size_t k);

// `details`: with the levels of subset simulation. `columns`: names and units of the values of design points.
std::string reliability_text(const results::Reliability& r, const std::vector<results::InputColumn>& columns, bool details);

}  // namespace aleator::core
