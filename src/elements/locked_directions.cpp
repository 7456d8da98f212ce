#include "elements/locked_directions.hpp"

namespace aleator::core {

const Kernel locked_directions_kernel = make_kernel<LockedDirections>("locked_directions");

}  // namespace aleator::core
