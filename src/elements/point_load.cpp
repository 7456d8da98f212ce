#include "elements/point_load.hpp"

namespace aleator::core {

const Kernel point_load_kernel = make_kernel<PointLoad>("point_load");

}  // namespace aleator::core
