// First order reliability: P = Φ(−β), of several design points the union of the half spaces beyond them.
#include <cstdint>

#include "reliability/design_point.hpp"
#include "reliability/first_order.hpp"
#include "reliability/methods.hpp"

namespace aleator::core::reliability {

Procedure form(Space space, Settings /*settings*/, results::Reliability& found, Harvest& harvest) {
  const long check = 200;
  require_gradients(space, "form", 200);
  DesignSearch search;
  co_await find_design_points(space, search);
  found.simulations = search.simulations;
  found.failed = search.failed;
  require_points(search);
  report_points(search, found);
  doubts_of_search(search, found);

  // Is the limit state as flat as assumed?
  co_await weighted_sample(space, about_points(search, space.dimension), check, 0x636865636b, "check of the design point",
                           harvest, found);
  const std::vector<double> probabilities = first_order(search, space.limits, space.seed);
  judge(probabilities, harvest, "first-order", found);
}

}  // namespace aleator::core::reliability
