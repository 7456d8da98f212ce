#include "reliability/many_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "reliability/design_walker.hpp"
#include "reliability/first_order.hpp"
#include "reliability/line_root.hpp"
#include "reliability/normal_numbers.hpp"
#include "reliability/vectors.hpp"

namespace aleator::core::reliability {
namespace planes {  // not nameless: what a coroutine keeps must have linkage where files are compiled together

constexpr double difference_step = 0.05;
constexpr std::size_t batch = 256, tests = 40;
constexpr double linear_enough = 0.9;  // correlation of the excess with its linear part, over realizations of the law

struct Gradient {
  std::vector<double> slopes;  // [coordinates]
  double at_origin = 0;
  bool failed = false;
};

double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : 0;
}

void count(const std::vector<Response>& y, DesignSearch& out) {
  out.simulations += static_cast<long>(y.size());
  out.failed += std::count_if(y.begin(), y.end(), [](const Response& r) { return !r.ok(); });
}

Procedure differentiate(Space space, std::vector<Gradient>& gradients, DesignSearch& out) {
  for (Gradient& g : gradients) g.slopes.resize(space.dimension);
  for (std::size_t first = 0; first <= space.dimension; first += batch) {
    Request request;
    request.phase = "response to each random number";
    for (std::size_t i = first; i < std::min(first + batch, space.dimension + 1); ++i) {
      Point p;
      p.u.assign(space.dimension, 0.0);
      if (i > 0) p.u[i - 1] = difference_step;
      request.points.push_back(std::move(p));
    }
    const std::vector<Response> y = co_await ask(std::move(request));
    count(y, out);
    for (std::size_t l = 0; l < gradients.size(); ++l) {
      Gradient& g = gradients[l];
      for (std::size_t k = 0; k < y.size(); ++k) {
        if (!y[k].ok() || !std::isfinite(y[k].excess[l]))
          g.failed = true;
        else if (first + k == 0)
          g.at_origin = y[k].excess[l];
        else
          g.slopes[first + k - 1] = (y[k].excess[l] - g.at_origin) / difference_step;
      }
    }
  }
}

// [limits] how far the excess follows its linear part.
Procedure test_linearity(Space space, const std::vector<Gradient>& gradients, std::vector<double>& correlations,
                         DesignSearch& out) {
  Request request;
  request.phase = "check that limits are nearly linear";
  for (std::size_t k = 0; k < tests; ++k) {
    Point p;
    p.u.resize(space.dimension);
    fill_normals({space.seed, k, 0x706c616e65}, p.u);
    request.points.push_back(std::move(p));
  }
  const std::vector<Point> points = request.points;
  const std::vector<Response> y = co_await ask(std::move(request));
  count(y, out);
  for (std::size_t l = 0; l < gradients.size(); ++l) {
    std::vector<double> linear, simulated;
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (!y[k].ok()) continue;
      linear.push_back(dot(gradients[l].slopes, points[k].u));
      simulated.push_back(y[k].excess[l]);
    }
    correlations.push_back(2 * simulated.size() > tests ? correlation(linear, simulated) : 0);
  }
}

}  // namespace planes

using namespace planes;

Procedure find_planes(Space space, DesignSearch& out) {
  using End = DesignSearch::End;
  out.reach = DesignWalker::reach;
  std::vector<Gradient> gradients(space.limits);
  co_await differentiate(space, gradients, out);
  std::vector<double> correlations;
  co_await test_linearity(space, gradients, correlations, out);

  // Along each gradient to the limit.
  std::vector<DesignPoint> points;
  std::vector<LineRoot> roots;
  for (std::size_t l = 0; l < space.limits; ++l) {
    const Gradient& g = gradients[l];
    const double slope = norm(g.slopes);
    out.at_origin.push_back(g.at_origin);
    out.ends.push_back(g.failed                          ? End::failing
                       : !(slope > 0)                    ? End::flat
                       : correlations[l] < linear_enough ? End::curved
                                                         : End::found);
    if (out.ends.back() != End::found) continue;
    DesignPoint p;
    p.limit = l;
    p.alpha = scaled(g.slopes, 1 / slope);
    p.slope = slope;
    points.push_back(std::move(p));
    roots.emplace_back(std::clamp(-g.at_origin / slope, -out.reach, out.reach), slope, out.reach);
  }
  for (;;) {
    Request request;
    request.phase = "design point";
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < roots.size(); ++i) {
      if (roots[i].done()) continue;
      open.push_back(i);
      request.points.push_back({scaled(points[i].alpha, roots[i].next()), 0});
    }
    if (open.empty()) break;
    const std::vector<Response> y = co_await ask(std::move(request));
    count(y, out);
    for (std::size_t k = 0; k < open.size(); ++k)
      roots[open[k]].take(y[k].ok() ? std::optional<double>(y[k].excess[points[open[k]].limit]) : std::nullopt);
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    DesignPoint& p = points[i];
    if (!roots[i].root()) {
      out.ends[p.limit] = roots[i].lost() ? End::failing : End::far;
      continue;
    }
    p.beta = *roots[i].root();
    p.u = scaled(p.alpha, p.beta);
    out.points.push_back(std::move(p));
  }
}

Procedure find_points(Space space, bool many, DesignSearch& out, results::Reliability& found) {
  if (many) {
    co_await find_planes(space, out);
    require_points(out);
    doubts_of_search(out, found);
  } else {
    co_await find_design_points(space, out);
  }
  found.simulations += out.simulations;
  found.failed += out.failed;
  report_points(out, found);
}

}  // namespace aleator::core::reliability
