#include "elements/beam_kernel.hpp"

namespace aleator::core {

const Kernel spatial_beam_kernel = BeamKernel<SpatialBeam>::kernel("spatial beam");

}  // namespace aleator::core
