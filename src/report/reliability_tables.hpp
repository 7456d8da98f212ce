// Tables of what methods for rare events found, as `aleator export` writes them. All throw ReadError where there is none.
#pragma once

#include <string>

#include "results/read.hpp"

namespace aleator::core::report {

std::string probabilities_csv(const results::StudyReader& file);    // a line per limit, and `any`
std::string exceedance_csv(const results::StudyReader& file);       // the curves P(extreme beyond b)
std::string failure_samples_csv(const results::StudyReader& file);  // realizations of the event, with their weights

}  // namespace aleator::core::report
