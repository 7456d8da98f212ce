// How well the steps of a program suit a processor with few registers.
#pragma once

#include "numerics/program.hpp"

namespace aleator::core {

// Values that go to memory, and come back from it, because registers do not suffice, when the one that is needed last goes first.
// What is in slots anyway counts nothing.
long memory_transfers(const Program& program, int registers);

}  // namespace aleator::core
