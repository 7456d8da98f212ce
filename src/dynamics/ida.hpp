// SUNDIALS IDA on the index-1 form, adaptive in step and order: an independent reference.
#pragma once

#include "dynamics/stepper.hpp"

namespace aleator {

// Throws SimulationError when the program was built without SUNDIALS.
std::unique_ptr<Stepper<double>> make_ida(Assembly<double>& assembly, double tolerance);
bool have_ida();

}  // namespace aleator
