#include "dynamics/turn_limit.hpp"

#include <fmt/format.h>

#include <cmath>

#include "dynamics/named_place.hpp"

namespace aleator::core {

std::string turn_failure(const Assembly<double>& a, double turn2, double t, double h) {
  int fastest = 0;
  double most = -1;
  for (int c = 0; c < a.carriers().rigid; ++c)
    if (const double w = norm(a.frames()[c].w); w > most) most = w, fastest = c;
  const double turn = std::sqrt(turn2), h_max = h * most_turn / turn;
  const double unit = std::pow(10, std::floor(std::log10(h_max)) - 1);
  const Model& m = a.model();
  return fmt::format(
      "{} turns by {:.3g} rad in the step to t = {:.9g} s (h = {:.3g} s): steps do not tell such a turn from another one. Try a "
      "'step' of {:.2g} s or "
      "less, or 'integrator: auto', which reduces steps where that is necessary",
      most > 0 ? named_body(m, m.topology.carrier_name(fastest)) : "a measured angle", turn, t, h,
      std::floor(h_max / unit) * unit);
}

}  // namespace aleator::core
