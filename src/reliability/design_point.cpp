#include "reliability/design_point.hpp"

#include <algorithm>
#include <stdexcept>

#include "reliability/design_walker.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/vectors.hpp"

namespace aleator::core::reliability {
namespace {

constexpr std::size_t cheap = 60;    // coordinates, up to which more than one search per limit is made
constexpr double negligible = 1e-4;  // of the probability of the nearest point: points with less are left out
constexpr int bulges = 2;            // further points that are looked for, per limit
constexpr double same_place = 0.3;   // of the distance from the origin: two ends of searches are one point

bool known(const std::vector<DesignPoint>& points, const DesignPoint& p) {
  for (const DesignPoint& q : points) {
    if (q.limit == p.limit && distance(q.u, p.u) < same_place * std::max(1.0, norm(q.u))) return true;
  }
  return false;
}

double nearest(const std::vector<DesignPoint>& points, std::size_t limit) {
  double beta = 1e9;
  for (const DesignPoint& p : points) {
    if (p.limit == limit) beta = std::min(beta, p.beta);
  }
  return beta;
}

// Keeps it where it is new and matters.
bool keep(std::vector<DesignPoint>& points, const DesignPoint& p) {
  if (p.u.empty() || known(points, p) || normal_tail(p.beta) < negligible * normal_tail(nearest(points, p.limit))) return false;
  points.push_back(p);
  return true;
}

// All walkers side by side, to the end of each.
Procedure walk(std::vector<DesignWalker>& walkers, std::string phase, DesignSearch& out) {
  for (;;) {
    Request request;
    request.phase = phase;
    std::vector<std::size_t> of_each;
    for (const DesignWalker& w : walkers) {
      std::vector<Point> points;
      if (!w.done()) points = w.points();
      of_each.push_back(points.size());
      for (Point& p : points) request.points.push_back(std::move(p));
    }
    if (request.points.empty()) co_return;
    const std::vector<Response> all = co_await ask(std::move(request));
    out.simulations += static_cast<long>(all.size());
    out.failed += std::count_if(all.begin(), all.end(), [](const Response& r) { return !r.ok(); });
    std::ptrdiff_t first = 0;
    for (std::size_t i = 0; i < walkers.size(); ++i) {
      const std::ptrdiff_t n = static_cast<std::ptrdiff_t>(of_each[i]);
      if (n > 0) walkers[i].take({all.begin() + first, all.begin() + first + n});
      first += n;
    }
  }
}

}  // namespace

void require_gradients(const Space& space, const std::string& method, std::size_t most) {
  if (!space.discrete.empty()) {
    throw std::invalid_argument(method + " needs quantities that vary continuously, but coordinate #" +
                                std::to_string(space.discrete[0]) +
                                " takes single values only: use subset-simulation or importance-sampling");
  }
  if (space.streams) {
    throw std::invalid_argument(method +
                                " needs distributions that are functions of normal numbers, but some are drawn by rejection: use "
                                "subset-simulation or importance-sampling");
  }
  if (space.dimension == 0) throw std::invalid_argument(method + " needs random quantities, and there are none");
  if (space.dimension > most) {
    throw std::invalid_argument("the model has " + std::to_string(space.dimension) + " random numbers, and " + method +
                                " takes at most " + std::to_string(most) +
                                ", because it differentiates by each: use subset-simulation");
  }
}

Procedure find_design_points(Space space, DesignSearch& out) {
  const int iterations = 40, more_iterations = 12;
  const std::vector<double> origin(space.dimension, 0.0);
  out.reach = DesignWalker::reach;
  std::vector<DesignWalker> walkers;
  for (std::size_t l = 0; l < space.limits; ++l) walkers.emplace_back(l, origin, std::vector<Bulge>{}, iterations, space.seed);
  co_await walk(walkers, "design point", out);
  for (const DesignWalker& w : walkers) {
    out.ends.push_back(w.end());
    out.at_origin.push_back(w.at_start().value_or(0));
    if (w.end() == DesignSearch::End::found) keep(out.points, w.result());
  }

  // Other points of the same limits: from the mirrored point, and around a bulge on the known ones; what ends at the bulge is released there.
  std::vector<bool> open(space.limits, space.dimension > 1 && space.dimension <= cheap);
  for (int k = 0; k < bulges; ++k) {
    std::vector<DesignWalker> more;
    for (std::size_t l = 0; l < space.limits; ++l) {
      std::vector<Bulge> known_ones;
      for (const DesignPoint& p : out.points) {
        if (p.limit == l && p.beta > 0.5) known_ones.push_back(bulge_on(p));
      }
      if (known_ones.empty()) continue;
      if (open[l]) more.emplace_back(l, origin, known_ones, more_iterations, space.seed);
      if (k == 0) more.emplace_back(l, scaled(known_ones[0].centre, -1), std::vector<Bulge>{}, more_iterations, space.seed);
    }
    if (space.dimension > cheap || more.empty()) break;
    std::vector<bool> again(space.limits, false);
    for (int stage = 0; stage < 2 && !more.empty(); ++stage) {
      co_await walk(more, "other design points", out);
      std::vector<DesignWalker> released;
      for (const DesignWalker& w : more) {
        if (w.end() != DesignSearch::End::found) continue;
        if (w.deformed()) {
          released.emplace_back(w.result().limit, w.result().u, std::vector<Bulge>{}, more_iterations, space.seed);
        } else if (w.result().converged && keep(out.points, w.result())) {
          again[w.result().limit] = true;
        }
      }
      more = std::move(released);
    }
    open = again;
  }
  std::stable_sort(out.points.begin(), out.points.end(), [](const DesignPoint& a, const DesignPoint& b) {
    return a.limit != b.limit ? a.limit < b.limit : a.beta < b.beta;
  });
}

}  // namespace aleator::core::reliability
