// The arithmetic this core can do with an instruction set: independent multiply-adds on numbers in registers, measured.
#pragma once

#include "numerics/program.hpp"

namespace aleator::core {

double measured_peak(Isa isa);  // floating-point operations per second

}  // namespace aleator::core
