#include "optimisation/trade_off.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core::optimisation {

// The cost moves along the curve by what the constraint is not known by: its bars are the costs where it is larger or smaller by that.
std::vector<results::FoundDesign::TradeOff> trade_off(const TradeOffRequest& q, std::vector<Place>& places) {
  const StandIn& stand_in = q.search.stand_in();
  double least = INFINITY;  // of g over the designs that were looked at
  for (const Observed& d : q.search.designs())
    if (d.ok) least = std::min(least, q.problem.constraints[q.constraint](d.at, corrected(d, q.search.corrections()).z));
  std::vector<results::FoundDesign::TradeOff> out;
  std::vector<Place> starts = q.search.places();
  for (size_t k = 0; k < q.targets.size(); ++k) {
    results::FoundDesign::TradeOff point;
    point.target = q.targets[k];
    point.beyond = least + q.shifts[k] > 0;
    Aim aim;  // what is likely, without the margin that the chosen design has for its errors
    aim.shift.assign(q.problem.constraints.size(), 0.0);
    const auto solved = [&](double more) {
      aim.shift[q.constraint] = q.shifts[k] + more;
      return solve(q.problem, stand_in, aim, starts);
    };
    const Solved s = solved(0);
    point.possible = s.meets();
    if (point.possible) {
      const StandIn::At at = stand_in.at(s.at, true);
      const Predicted g = StandIn::of(q.problem.constraints[q.constraint], s.at, at), c = StandIn::of(q.problem.cost, s.at, at);
      const double sigma = std::hypot(g.error, g.deviation), own = std::hypot(c.error, c.deviation);
      const Solved more = solved(sigma), less = solved(-sigma);
      point.cost = c.value;
      point.upper = more.meets() ? c.value + std::hypot(std::max(0.0, more.cost - s.cost), own) : INFINITY;
      point.lower = c.value - std::hypot(std::max(0.0, s.cost - less.cost), own);
      starts.push_back(s.at);
    }
    places.push_back(s.at);
    out.push_back(std::move(point));
  }
  return out;
}

}  // namespace aleator::core::optimisation
