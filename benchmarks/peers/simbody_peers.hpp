// Simbody (Debian's package) in the cases its joints allow, one realization at a time: a system is built for each, as a user would who
// draws another body each time. The numbers of a realization are drawn by us beforehand, outside the measured time.
#pragma once

#include <string>

#include "cases.hpp"

namespace aleator::core::bench {

// For five-body, andrews-random and chain-N. The integrator is one of Simbody's: RungeKuttaMerson, RungeKuttaFeldberg, RungeKutta3,
// RungeKutta2, Verlet. It chooses its steps by the accuracy, or they are equal when a step is given.
Contender simbody_contender(const Case& c, const std::string& integrator, double accuracy, double step);

}  // namespace aleator::core::bench
