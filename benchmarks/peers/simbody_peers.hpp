// Simbody (Debian's package) in the cases its joints allow, one realization at a time: a system is built for each, as a user would who
// draws another body each time. The numbers of a realization are drawn by us beforehand, outside the measured time.
#pragma once

#include <string>

#include "cases.hpp"

namespace aleator::bench {

// For five-body, andrews-random and chain-N. The integrator is one of Simbody's: RungeKuttaMerson, RungeKuttaFeldberg, RungeKutta3,
// RungeKutta2, Verlet, Adams, BDF (of CPodes).
Contender simbody_contender(const Case& c, const std::string& integrator, double accuracy);

}  // namespace aleator::bench
