// What an identification found, for the terminal.
#pragma once

#include "results/identification.hpp"

namespace aleator::app {

void print_found(const core::results::Identification& found);

}  // namespace aleator::app
