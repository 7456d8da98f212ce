// The simulation could not be done: when, where and what to try. aleator::SimulationError, by its old address.
#pragma once

#include "base/errors.hpp"
