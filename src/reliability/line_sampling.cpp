// Line sampling (Koutsourelakis, Pradlwarter & Schuëller 2004): P = E{Φ(−c)}, c the distance at which a line along an important direction enters failure,
// over lines that are otherwise drawn from the law. Each limit has its own lines, along its own direction. A realization beyond the root of each line
// tells in how many limits' failure it lies, which makes the probability of the union, and is a sample of failures.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "reliability/cross_entropy.hpp"
#include "reliability/first_order.hpp"
#include "reliability/harvest.hpp"
#include "reliability/line_root.hpp"
#include "reliability/many_numbers.hpp"
#include "reliability/methods.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/normal_numbers.hpp"
#include "reliability/vectors.hpp"
#include "reliability/weighted_sample.hpp"

namespace aleator::core::reliability {
namespace lines {  // not nameless: what a coroutine keeps must have linkage where files are compiled together

constexpr double beyond_guess = 3.5;  // standard deviations: a line that fails only there hardly counts
constexpr double per_line = 4.5;      // simulations, about
constexpr std::size_t most_gradients = 200;

struct Direction {
  int limit = 0;
  std::vector<double> alpha;
  double beta = 0, slope = 0;
  double share = 0;  // of the lines
};

struct Line {
  std::size_t direction = 0;
  Point base;  // without its part along the direction
  std::vector<double> alpha;
  LineRoot root{0, 0, 0};
  double probability = 0;  // Φ(−c), 0 where it does not fail
  Point inside;            // a realization beyond the root
  std::vector<double> excess;
  bool fails_inside = false;
  double among = 1;  // limits that fail there

  Point at(double c) const { return {sum(base.u, c, alpha), base.stream}; }
};

// Mean and variance of the mean of what lines of one limit give.
struct LineMean {
  double sum = 0, squares = 0, n = 0;
  void add(double x) {
    sum += x;
    squares += x * x;
    n += 1;
  }
  double mean() const { return n > 0 ? sum / n : 0; }
  double variance() const { return n > 1 ? std::max(0.0, squares / n - mean() * mean()) / (n - 1) : 0; }
};

struct Seen {
  long lines = 0, never = 0, again = 0, inside = 0, mirrored = 0, mirrors = 0;
};

Line draw_line(const Space& space, const Direction& d, std::size_t index, std::uint64_t number) {
  const Source source{space.seed, number, 0x6c696e6573};
  Line line;
  line.direction = index;
  line.alpha = d.alpha;
  line.base.u.resize(space.dimension);
  fill_normals(source, line.base.u);
  line.base.stream = random_word(source, 0);
  const double along = dot(d.alpha, line.base.u);
  line.base.u = sum(std::move(line.base.u), -along, d.alpha);
  line.root = LineRoot(d.beta, d.slope, d.beta + beyond_guess);
  return line;
}

// Towards the mean of the failures that lines found. Their means in other directions are mostly chance where coordinates are many: these are shrunk.
void turn(Direction& d, const std::vector<Line>& all, std::size_t index) {
  double total = 0, squares = 0;
  std::vector<double> mean(d.alpha.size(), 0.0);
  for (const Line& line : all) {
    if (line.direction != index || !line.fails_inside) continue;
    total += line.probability;
    squares += line.probability * line.probability;
    mean = sum(std::move(mean), line.probability, line.inside.u);
  }
  if (!(total > 0)) return;
  const double effective = total * total / squares;
  mean = scaled(std::move(mean), 1 / total);
  const double along = dot(mean, d.alpha);
  std::vector<double> across = sum(mean, -along, d.alpha);
  const double length = dot(across, across), chance = static_cast<double>(d.alpha.size() - 1) / effective;
  if (along <= 0 || effective < 5 || length <= 0) return;
  d.alpha = sum(scaled(d.alpha, along), std::max(0.0, 1 - 2 * chance / length), across);
  d.alpha = scaled(d.alpha, 1 / norm(d.alpha));
}

void say(const Seen& seen, const LineMean& all, double probability, double cov, results::Reliability& found) {
  char text[300];
  const auto percent = [](long part, long whole) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max(1L, whole));
  };
  if (seen.again > 0.05 * static_cast<double>(seen.inside)) {
    std::snprintf(text, sizeof text,
                  "On %.0f %% of the lines failure ends again farther out: ", percent(seen.again, seen.inside));
    found.doubts.push_back(
        text +
        std::string(
            "the limit is passed in several intervals, of which the search may miss some. Compare with subset-simulation."));
  }
  if (seen.mirrored > 0) {
    std::snprintf(text, sizeof text, "%.0f %% of the lines that were looked at fail on their other side, too: ",
                  percent(seen.mirrored, seen.mirrors));
    found.doubts.push_back(
        text + std::string("the probability is too small by that part. Use subset-simulation or importance-sampling."));
  }
  if (seen.never > 0.5 * static_cast<double>(seen.lines)) {
    std::snprintf(text, sizeof text, "%.0f %% of the lines do not fail: ", percent(seen.never, seen.lines));
    found.doubts.push_back(text + std::string("their direction says little about failure. Use subset-simulation."));
  }
  const double effective = all.squares > 0 ? all.sum * all.sum / all.squares : 0;
  if (probability > 0 && (effective < 15 || cov > 0.5)) {
    std::snprintf(text, sizeof text, "Few lines decide: %ld of them say as much as %.0f equal ones. ", seen.lines, effective);
    found.doubts.push_back(text + std::string("Take more samples, or use subset-simulation."));
  }
}

}  // namespace lines

using namespace lines;

Procedure line_sampling(Space space, Settings settings, results::Reliability& found, Harvest& harvest) {
  if (space.dimension == 0)
    throw std::invalid_argument(
        "line-sampling needs quantities that are functions of normal numbers, and there are none: use subset-simulation");
  std::vector<Direction> directions;

  const bool many = space.dimension > most_gradients;
  if (many) require_gradients(space, "line-sampling", most_differences);

  // Directions: of the nearest design point of each limit; where it has none, by approaching failure. In many coordinates that finds nothing: there limits must
  // be nearly linear.
  std::vector<int> without;
  if (many || (space.discrete.empty() && !space.streams)) {
    DesignSearch search;
    co_await find_points(space, many, search, found);
    for (std::size_t l = 0; l < space.limits; ++l) {
      const auto p = std::find_if(search.points.begin(), search.points.end(), [&](const DesignPoint& q) { return q.limit == l; });
      if (p == search.points.end()) {
        if (!many) without.push_back(static_cast<int>(l));
        continue;
      }
      // Not converged, u is a better direction than the gradient.
      const bool use_u = !p->converged && p->beta > 0.5;
      directions.push_back(
          {static_cast<int>(l), use_u ? scaled(p->u, 1 / norm(p->u)) : p->alpha, p->beta, p->slope, normal_tail(p->beta)});
    }
  } else {
    for (std::size_t l = 0; l < space.limits; ++l) without.push_back(static_cast<int>(l));
  }
  for (const int l : without) {
    Approach approach;
    co_await approach_failure(space, l, 300, approach, found);
    if (!approach.reached) continue;
    // The nearest component.
    std::vector<double> nearest;
    for (std::size_t c = 1; c < approach.mixture.components.size(); ++c) {
      const std::vector<double>& m = approach.mixture.components[c].mean;
      if (nearest.empty() || norm(m) < norm(nearest)) nearest = m;
    }
    const double length = norm(nearest);
    if (length > 0) directions.push_back({l, scaled(nearest, 1 / length), length, 0, normal_tail(length)});
  }
  if (directions.empty()) {
    throw std::invalid_argument(
        "no failure was found, so that there is no direction for lines: check the limits, or use subset-simulation, which tells "
        "how far they are");
  }

  // Lines in rounds, after each of which the directions turn towards the failures.
  double shares = 0, most_share = 0;
  for (const Direction& d : directions) most_share = std::max(most_share, d.share);
  for (Direction& d : directions) {
    d.share = std::max(d.share, 0.2 * most_share);
    shares += d.share;
  }
  const double budget = std::max(40.0, static_cast<double>(settings.samples) / per_line);
  std::vector<LineMean> of_limit(space.limits), of_union(space.limits);
  LineMean together;
  std::vector<Line> all;
  Seen seen;
  std::uint64_t number = 0;
  double round_lines = 0.2 * budget;
  for (int round = 0; round_lines > 0; ++round) {
    std::vector<Line> fresh;
    for (std::size_t i = 0; i < directions.size(); ++i) {
      const long n = std::max(5L, std::lround(round_lines * directions[i].share / shares));
      for (long k = 0; k < n; ++k) fresh.push_back(draw_line(space, directions[i], i, number++));
    }
    // Roots of all lines, side by side.
    for (;;) {
      Request request;
      request.phase = "lines";
      std::vector<std::size_t> open;
      for (std::size_t k = 0; k < fresh.size(); ++k) {
        if (fresh[k].root.done()) continue;
        open.push_back(k);
        request.points.push_back(fresh[k].at(fresh[k].root.next()));
      }
      if (open.empty()) break;
      const std::vector<Response> y = co_await ask(std::move(request));
      found.simulations += static_cast<long>(y.size());
      for (std::size_t i = 0; i < open.size(); ++i) {
        Line& line = fresh[open[i]];
        if (!y[i].ok()) ++found.failed;
        line.root.take(y[i].ok() ? std::optional<double>(y[i].excess[static_cast<std::size_t>(directions[line.direction].limit)])
                                 : std::nullopt);
      }
    }
    // A realization beyond each root; of some lines, the other side.
    Request request;
    request.phase = "failures on lines";
    std::vector<std::size_t> inside, mirrored;
    for (std::size_t k = 0; k < fresh.size(); ++k) {
      Line& line = fresh[k];
      if (!line.root.root()) continue;
      const double c = *line.root.root();
      line.probability = normal_tail(c);
      line.inside = line.at(beyond(c, uniform_number({space.seed, number, 0x696e73696465}, k)));
      inside.push_back(k);
      request.points.push_back(line.inside);
    }
    for (const std::size_t k : inside) {
      const double c = *fresh[k].root.root();
      if (k % 10 != 0 || c < 1) continue;
      mirrored.push_back(k);
      request.points.push_back(fresh[k].at(-c));
    }
    if (!request.points.empty()) {
      const std::vector<Response> y = co_await ask(std::move(request));
      found.simulations += static_cast<long>(y.size());
      for (std::size_t i = 0; i < inside.size(); ++i) {
        Line& line = fresh[inside[i]];
        if (!y[i].ok()) {
          ++found.failed;
          continue;
        }
        line.excess = y[i].excess;
        line.fails_inside = y[i].excess[static_cast<std::size_t>(directions[line.direction].limit)] > 0;
        line.among = 0;
        for (const double e : y[i].excess) line.among += e > 0 ? 1 : 0;
        ++seen.inside;
        seen.again += line.fails_inside ? 0 : 1;
      }
      for (std::size_t i = 0; i < mirrored.size(); ++i) {
        const Response& r = y[inside.size() + i];
        if (!r.ok()) continue;
        ++seen.mirrors;
        seen.mirrored += r.excess[static_cast<std::size_t>(directions[fresh[mirrored[i]].direction].limit)] > 0 ? 1 : 0;
      }
    }
    for (Line& line : fresh) {
      if (line.root.lost() || (line.root.root() && line.excess.empty())) continue;  // a simulation failed: no line
      const std::size_t l = static_cast<std::size_t>(directions[line.direction].limit);
      const double p = line.fails_inside ? line.probability : 0;
      ++seen.lines;
      seen.never += line.root.root() ? 0 : 1;
      of_limit[l].add(p);
      of_union[l].add(p > 0 ? p / line.among : 0);
      together.add(p);
      all.push_back(std::move(line));
    }
    // The union, and whether that is enough.
    double probability = 0, variance = 0;
    for (const LineMean& m : of_union) {
      probability += m.mean();
      variance += m.variance();
    }
    const double cov = probability > 0 ? std::sqrt(variance) / probability : std::nan("");
    if (round < 2) {
      for (std::size_t i = 0; i < directions.size(); ++i) turn(directions[i], all, i);
      round_lines = 0.4 * budget;
      continue;
    }
    round_lines = 0;
    if (settings.accuracy > 0 && !(cov <= settings.accuracy) && found.simulations < settings.most) {
      const double ratio = std::isfinite(cov) ? cov / settings.accuracy : 2;
      round_lines =
          std::clamp((1.1 * ratio * ratio - 1) * static_cast<double>(seen.lines), 20.0, 2.0 * static_cast<double>(seen.lines));
      round_lines = std::min(round_lines, static_cast<double>(settings.most - found.simulations) / per_line);
    }
    if (round_lines > 0) continue;
    for (const LineMean& m : of_limit)
      found.of.push_back(probability_of(m.mean(), m.mean() > 0 ? std::sqrt(m.variance()) / m.mean() : std::nan("")));
    found.of.push_back(probability_of(probability, cov));
    say(seen, together, probability, cov, found);
  }

  for (const Line& line : all) {
    if (!line.fails_inside) continue;
    const std::size_t l = static_cast<std::size_t>(directions[line.direction].limit);
    harvest.members.push_back({line.inside, line.excess, line.probability / line.among / of_union[l].n});
  }
  // Quarters of the lines.
  std::vector<double> errors;
  for (std::size_t part = 0; part < 4; ++part) {
    std::vector<LineMean> quarter(space.limits);
    for (std::size_t k = part; k < all.size(); k += 4) {
      const Line& line = all[k];
      quarter[static_cast<std::size_t>(directions[line.direction].limit)].add(line.fails_inside ? line.probability / line.among
                                                                                                : 0);
    }
    double p = 0;
    for (const LineMean& m : quarter) p += m.mean();
    found.sets.push_back(p);
    errors.push_back(2 * found.of.back().cov * found.of.back().probability);
  }
  found.agreement = agreement_of(found.sets, errors);
  for (std::size_t l = 0; l < space.limits; ++l) {
    if (of_limit[l].n == 0) {
      found.doubts.push_back("No failure by limit #" + std::to_string(l) +
                             " was found; its probability is taken as 0. Compare with subset-simulation.");
    }
  }
}

}  // namespace aleator::core::reliability
