#include "elements/beam_kernel.hpp"

namespace aleator::core {

const Kernel planar_beam_kernel = BeamKernel<PlanarBeam>::kernel("planar beam");

}  // namespace aleator::core
