#include "dynamics/energy_watch.hpp"

namespace aleator::core {

template <class T>
T liveliness(const Model& model, double size, double duration, const T* velocities) {
  const std::vector<Carrier>& carriers = model.topology.carriers;
  T largest(0);
  for (size_t i = 0; i < 6 * size_t(model.topology.all_carriers().first_state); ++i) {
    const bool place = i % 6 < 3 && carriers[i / 6].is_place;
    largest = max(largest, abs(velocities[i]) * T(duration / (place ? size : 1)));
  }
  return largest;
}

template double liveliness(const Model&, double, double, const double*);
template Traced liveliness(const Model&, double, double, const Traced*);

}  // namespace aleator::core
