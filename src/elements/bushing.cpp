#include "elements/bushing.hpp"

namespace aleator::core {

const Kernel bushing_kernel = make_kernel<Bushing>("bushing");

}  // namespace aleator::core
