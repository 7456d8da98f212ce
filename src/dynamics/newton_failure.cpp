#include "dynamics/newton_failure.hpp"

#include <fmt/format.h>

namespace aleator::core {

std::string newton_failure(const Model& model, const double* z, double t, double h) {
  int worst = 0;
  double largest = -1;
  for (size_t c = 0; c < model.topology.carriers.size(); ++c) {
    const double size = norm(Vec3<double>{z[6 * c], z[6 * c + 1], z[6 * c + 2]});
    if (model.topology.carriers[c].is_place && !(size <= largest)) worst = int(c), largest = size;
  }
  return fmt::format(
      "Newton's iteration did not converge in the step from t = {:.9g} s (h = {:.3g} s); it moves body '{}' most. Try a "
      "smaller 'step'",
      t, h, model.topology.carrier_name(worst));
}

}  // namespace aleator::core
