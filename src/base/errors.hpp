// What may go wrong, as users of the library see it: aleator::WriteError, ReadError, SimulationError, InputError. The namespace of
// the library's own code is inside aleator, so that these names serve it as they are.
#pragma once

#include <aleator/model.hpp>
