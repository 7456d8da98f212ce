#include "elements/hysteretic_force.hpp"

namespace aleator::core {

const Kernel hysteretic_force_kernel = make_kernel<HystereticForce>("hysteretic_force");

}  // namespace aleator::core
