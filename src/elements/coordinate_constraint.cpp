#include "elements/coordinate_constraint.hpp"

namespace aleator::core {

const Kernel coordinate_constraint_kernel = make_kernel<CoordinateConstraint>("coordinate_constraint");

}  // namespace aleator::core
