#include "elements/beam_kernel.hpp"

namespace aleator::core {

const Kernel spatial_cable_kernel = BeamKernel<AncfCable<3>>::kernel("spatial cable");

}  // namespace aleator::core
