#include "elements/point_load.hpp"

namespace aleator {

const Kernel point_load_kernel = make_kernel<PointLoad>("point_load");

}  // namespace aleator
