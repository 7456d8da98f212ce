#include "elements/beam_kernel.hpp"

namespace aleator::core {

template <class E>
BeamRecordings beam_recordings() {
  return {BeamKernel<E>::template functions<Traced>(), BeamKernel<E>::template functions<Dual>()};
}

template BeamRecordings beam_recordings<PlanarBeam>();
template BeamRecordings beam_recordings<SpatialBeam>();
template BeamRecordings beam_recordings<AncfCable<2>>();
template BeamRecordings beam_recordings<AncfCable<3>>();

}  // namespace aleator::core
