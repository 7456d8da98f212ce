// Importance sampling about design points, in many coordinates of limits that are nearly linear alone. Where its weights are heavy, the density is fitted to the failures that were seen (cross-entropy); where there are
// no design points, because quantities take single values or gradients lead nowhere, it begins with cross-entropy.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <stdexcept>

#include "reliability/cross_entropy.hpp"
#include "reliability/elementary_events.hpp"
#include "reliability/first_order.hpp"
#include "reliability/many_numbers.hpp"
#include "reliability/methods.hpp"
#include "reliability/normal_law.hpp"
#include "reliability/weighted_sample.hpp"

namespace aleator::core::reliability {

// Failures of all pilot samples, each weighted by the density it was drawn from.
struct LearnedFailures {
  std::vector<std::vector<double>> points;
  std::vector<double> weights;

  void take(const Harvest& sample) {
    for (const auto& m : sample.members) {
      if (!(excess_of(m.excess, event) > 0)) continue;
      points.push_back(m.point.u);
      weights.push_back(m.weight);
    }
  }
};

namespace {

constexpr std::size_t most_coordinates = 200;

// Coefficient of variation of one realization: what a density is judged by.
constexpr double good = 3;
double unit_cov(const WeightedEstimate& e, std::size_t n) {
  return e.failing >= 10 ? e.cov * std::sqrt(static_cast<double>(n)) : std::numeric_limits<double>::infinity();
}

NormalMixture improved(const NormalMixture& mixture, const LearnedFailures& learned, int round) {
  std::vector<std::vector<double>> centres;
  for (std::size_t c = 1; c < mixture.components.size(); ++c) centres.push_back(mixture.components[c].mean);
  if (centres.size() < 2 && round > 0)
    centres = group_centres(learned.points, learned.weights, 2);  // one normal density does not describe them
  return fitted(learned.points, learned.weights, centres, defensive_share);
}

// Adds the components of another mixture, without its defensive one.
void add_components(NormalMixture& to, const NormalMixture& from) {
  if (to.components.empty()) {
    to = from;
    return;
  }
  for (std::size_t c = 1; c < from.components.size(); ++c) to.components.push_back(from.components[c]);
  double total = 0;
  for (std::size_t c = 1; c < to.components.size(); ++c) total += to.components[c].weight;
  for (std::size_t c = 1; c < to.components.size(); ++c) to.components[c].weight *= (1 - defensive_share) / total;
}

void conclude(const Space& space, const Harvest& harvest, results::Reliability& found) {
  const double n = static_cast<double>(harvest.members.size());
  for (int l = 0; l <= static_cast<int>(space.limits); ++l) {
    const WeightedEstimate e = estimate(harvest, l == static_cast<int>(space.limits) ? event : l);
    found.of.push_back(probability_of(e.probability, e.cov));
    if (e.failing == 0)
      found.of.back().upper = std::min(1.0, 3 / (defensive_share * n));  // no failure of the part that follows the law
    if (e.failing == static_cast<long>(harvest.members.size()))
      found.of.back().lower = std::max(0.0, 1 - 3 / (defensive_share * n));  // nothing else of it
  }
  compare_parts(harvest, 4, found);
  const WeightedEstimate e = estimate(harvest, event);
  if (e.failing == 0) {
    found.doubts.push_back("None of " + std::to_string(harvest.members.size()) +
                           " realizations failed. The limits may be out of reach; subset-simulation tells.");
    return;
  }
  char number[32];
  if (e.effective < 50 || e.largest > 0.2) {
    std::snprintf(number, sizeof number, "%.0f", e.effective);
    std::string text = "The weights of the failing realizations are uneven: " + std::to_string(e.failing) +
                       " of them count as much as " + number + " equal ones, and the heaviest is ";
    std::snprintf(number, sizeof number, "%.0f %%", 100 * e.largest);
    found.doubts.push_back(text + number +
                           " of the probability. A part of the failure region may have been missed. Take more samples, or "
                           "compare with subset-simulation.");
  }
  if (found.agreement < 0.001) {
    std::string parts;
    for (const double p : found.sets) parts += (parts.empty() ? "" : ", ") + in_words(p);
    found.doubts.push_back("The four parts of the sample differ by more than chance allows (" + parts +
                           "; p = " + in_words(found.agreement) +
                           "): few realizations decide. Take more samples, or compare with subset-simulation.");
  }
}

void refuse_parts(const Space& space, const Settings& settings) {
  if (!settings.share.divided()) return;
  throw std::invalid_argument("the model has " + std::to_string(space.dimension) +
                              " random numbers: nearly all of its simulations are one for each of them, which every part would "
                              "repeat. Use threads or mpirun, or subset-simulation, which can be divided");
}

}  // namespace

Procedure importance_sampling(Space space, Settings settings, std::vector<ChannelLimit> linear, results::Reliability& found,
                              Harvest& harvest) {
  const std::uint64_t pilot_purpose = 0x70696c6f74, main_purpose = 0x73616d706c65;
  const bool many = space.dimension > most_coordinates;
  if (many && space.named == 0 && linear.size() == space.limits) {
    refuse_parts(space, settings);
    co_await elementary_events(space, settings, linear, found, harvest);
    co_return;
  }
  if (many) require_gradients(space, "importance-sampling", most_differences);

  // Where failures are: design points; for limits without one, by approaching them.
  const long pilot = std::max(200L, settings.samples / 4);
  NormalMixture mixture;
  std::vector<int> without;
  if (space.discrete.empty() && !space.streams && space.dimension > 0) {
    DesignSearch search;
    co_await find_points(space, many, search, found);
    if (!search.points.empty()) mixture = about_points(search, space.dimension);
    for (std::size_t l = 0; l < space.limits && !many; ++l) {
      if (search.ends[l] != DesignSearch::End::found) without.push_back(static_cast<int>(l));
    }
  } else {
    without.push_back(event);
  }
  for (const int limit : without) {
    Approach approach;
    co_await approach_failure(space, limit, pilot, approach, found);
    if (approach.reached) add_components(mixture, approach.mixture);
  }
  if (mixture.components.empty())
    mixture = about({}, {}, space.dimension, 1.0);  // the law itself: at least frequent failures are seen

  // Pilot samples, until the weights are even enough; the best density is taken. In many coordinates a density that is fitted is mostly chance.
  LearnedFailures learned;
  NormalMixture best = mixture;
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < (many ? 1 : 4) && least > good; ++round) {
    Harvest sample;
    co_await weighted_sample(space, mixture, pilot, pilot_purpose, "pilot sample", sample, found);
    learned.take(sample);
    const double cov = unit_cov(estimate(sample, event), sample.members.size());
    if (cov < least) {
      least = cov;
      best = mixture;
    }
    if (round == 0 && cov <= good) harvest = std::move(sample);  // nothing was chosen by it
    if (learned.points.size() >= 10 && !many) mixture = improved(mixture, learned, round);
  }
  mixture = best;

  long next = std::max(settings.samples - (harvest.members.empty() ? 0 : pilot), settings.samples / 2);
  while (next > 0) {
    co_await weighted_sample(space, mixture, next, main_purpose, "sample", harvest, found, settings.share);
    if (settings.share.single()) co_return;  // what the parts say together is told when they are joined
    const WeightedEstimate e = estimate(harvest, event);
    next = 0;
    if (settings.accuracy > 0 && !(e.cov <= settings.accuracy)) {
      const double n = static_cast<double>(harvest.members.size()), ratio = e.failing > 0 ? e.cov / settings.accuracy : 2;
      next = static_cast<long>(std::clamp((1.1 * ratio * ratio - 1) * n, 100.0, 2 * n));
      next = std::min(next, settings.most - found.simulations);
    }
  }
  conclude(space, harvest, found);
}

}  // namespace aleator::core::reliability
