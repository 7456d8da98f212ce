#include "elements/coordinate_force.hpp"

namespace aleator::core {

const Kernel coordinate_force_kernel = make_kernel<CoordinateForce>("coordinate_force");

}  // namespace aleator::core
