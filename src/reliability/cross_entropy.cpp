#include "reliability/cross_entropy.hpp"

#include <algorithm>
#include <cmath>

#include "reliability/first_order.hpp"
#include "reliability/weighted_sample.hpp"

namespace aleator::core::reliability {

Procedure approach_failure(Space space, int limit, long per_level, Approach& out, results::Reliability& found) {
  const int levels = 12, groups = 3;
  const double share = 0.1;
  out.mixture = about({}, {}, space.dimension, 1.0);
  double last = -1e300;
  int idle = 0;
  for (int level = 0; level < levels && idle < 3; ++level) {
    Harvest sample;
    co_await weighted_sample(space, out.mixture, per_level, 0x617070726f, "approach to failure", sample, found);
    if (sample.members.size() < 20) co_return;
    std::vector<double> sorted;
    for (const auto& m : sample.members) sorted.push_back(excess_of(m.excess, limit));
    std::sort(sorted.begin(), sorted.end());
    const double quantile = sorted[static_cast<std::size_t>((1 - share) * static_cast<double>(sorted.size() - 1))];
    const double bound = std::min(quantile, 0.0);
    idle = quantile > last ? 0 : idle + 1;
    last = std::max(last, quantile);
    std::vector<std::vector<double>> points;
    std::vector<double> weights;
    for (const auto& m : sample.members) {
      if (!(excess_of(m.excess, limit) > bound)) continue;
      points.push_back(m.point.u);
      weights.push_back(m.weight);
    }
    if (points.empty()) co_return;  // all the same
    out.mixture = fitted(points, weights, group_centres(points, weights, groups), defensive_share);
    if (quantile > 0) {
      out.reached = true;
      co_return;
    }
  }
}

}  // namespace aleator::core::reliability
