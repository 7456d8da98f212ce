#include "elements/bushing.hpp"

namespace aleator {

const Kernel bushing_kernel = make_kernel<Bushing>("bushing");

}  // namespace aleator
