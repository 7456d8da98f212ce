#include "elements/beam_kernel.hpp"

namespace aleator::core {

const Kernel planar_cable_kernel = BeamKernel<AncfCable<2>>::kernel("planar cable");

}  // namespace aleator::core
