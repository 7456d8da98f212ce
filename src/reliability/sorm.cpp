// Second order reliability: the limit state at its design point is a paraboloid, whose probability is an integral in one variable (Tvedt 1990).
#include <algorithm>
#include <cmath>

#include "reliability/curvature.hpp"
#include "reliability/first_order.hpp"
#include "reliability/methods.hpp"
#include "reliability/normal_law.hpp"

namespace aleator::core::reliability {
namespace {

// Formulas that differ tell that the expansion is not good there.
void doubt_of_formulas(const DesignPoint& p, const std::vector<double>& curvatures, double exact, results::Reliability& found) {
  const double a = breitung(p.beta, curvatures), b = hohenbichler_rackwitz(p.beta, curvatures);
  const bool agree = std::isfinite(a) && std::isfinite(b) && std::max({a, b, exact}) < 1.5 * std::min({a, b, exact});
  if (agree || p.beta < 1) return;
  const auto number = [](double x) { return std::isfinite(x) ? in_words(x) : std::string("none"); };
  found.doubts.push_back("Second-order formulas disagree at the design point of limit #" + std::to_string(p.limit) + ": Tvedt " +
                         number(exact) + ", Breitung " + number(a) + ", Hohenbichler and Rackwitz " + number(b) +
                         ". The limit state is strongly curved there. Compare with importance-sampling or subset-simulation.");
}

}  // namespace

Procedure sorm(Space space, Settings /*settings*/, results::Reliability& found, Harvest& harvest) {
  const long check = 200;
  require_gradients(space, "sorm", 60);
  DesignSearch search;
  co_await find_design_points(space, search);
  found.simulations = search.simulations;
  found.failed = search.failed;
  require_points(search);
  report_points(search, found);
  doubts_of_search(search, found);

  // Curvatures of all design points, in one batch.
  Request request;
  request.phase = "curvature";
  std::vector<std::size_t> first;
  for (const DesignPoint& p : search.points) {
    first.push_back(request.points.size());
    for (Point& q : curvature_points(p)) request.points.push_back(std::move(q));
  }
  first.push_back(request.points.size());
  const std::vector<Response> y = co_await ask(std::move(request));
  found.simulations += static_cast<long>(y.size());
  found.failed += std::count_if(y.begin(), y.end(), [](const Response& r) { return !r.ok(); });

  // Of each limit and of the event: first order, corrected by the sum of what curvature changes.
  std::vector<double> before(space.limits + 1, 0.0), after(space.limits + 1, 0.0);
  for (std::size_t i = 0; i < search.points.size(); ++i) {
    const DesignPoint& p = search.points[i];
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(first[i]),
               end = y.begin() + static_cast<std::ptrdiff_t>(first[i + 1]);
    const std::vector<double> curvatures = curvatures_of(p, {begin, end});
    const double second = tvedt(p.beta, curvatures);
    found.design_points[i].curvatures = curvatures;
    found.design_points[i].sorm = second;
    doubt_of_formulas(p, curvatures, second, found);
    for (const std::size_t l : {p.limit, space.limits}) {
      before[l] += normal_tail(p.beta);
      after[l] += second;
    }
  }
  std::vector<double> probabilities = first_order(search, space.limits, space.seed);
  for (std::size_t l = 0; l < probabilities.size(); ++l) {
    if (before[l] > 0) probabilities[l] = std::min(1.0, probabilities[l] * after[l] / before[l]);
  }

  co_await weighted_sample(space, about_points(search, space.dimension), check, 0x636865636b, "check of the design point",
                           harvest, found);
  judge(probabilities, harvest, "second-order", found);
}

}  // namespace aleator::core::reliability
