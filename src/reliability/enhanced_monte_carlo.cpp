// Enhanced Monte Carlo (Naess, Leira & Batsevych 2009): an ordinary sample, whose exceedances of levels λ below the limit are extrapolated to it. A level is
// λ = 1 + excess: 1 is the limit, and where the excess is counted in units of the limit, λ is the share of the limit that is reached. The form of the tail does
// not depend on origin and unit of λ. What is fitted is H = −ln(1 − P), the number of excursions expected of a rare event, which is P where P is small: it follows the
// form farther down, and a longer tail is known better.
#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reliability/first_order.hpp"
#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"
#include "reliability/normal_numbers.hpp"
#include "reliability/tail_fit.hpp"
#include "reliability/weighted_sample.hpp"

namespace aleator::core::reliability {

// The probability that λ exceeds 1, with what speaks against it.
struct TailAnswer {
  results::Reliability::Probability probability;
  results::Reliability::Tail tail;
  std::string doubt;
};

namespace {

// Share of the sample beyond the first level that is fitted. Largest values of random functions of time are those of many excursions, whose number follows the form
// far down: there as much as the form describes (χ² of 24 levels with 4 parameters, 0.1 %). Nothing says that for functions of a few quantities: there a tenth.
constexpr double beginnings[] = {0.7, 0.5, 0.3, 0.2, 0.1};
constexpr double bad_fit = 45;
constexpr double shown = 0.2;     // levels that are more probable are not shown: there P is not H
constexpr double compared = 0.1;  // the beginning of a second fit
constexpr double counted = 100;   // failures that need no extrapolation

std::vector<double> sorted_levels(const Harvest& harvest, int limit) {
  std::vector<double> lambda;
  for (const auto& m : harvest.members) lambda.push_back(1 + excess_of(m.excess, limit));
  std::sort(lambda.begin(), lambda.end());
  return lambda;
}

results::Reliability::Tail tail_of(const TailLevels& levels, const TailCurve& fit) {
  results::Reliability::Tail t;
  t.q = fit.q;
  t.a = fit.a;
  t.b = fit.b;
  t.c = fit.c;
  t.from = levels.lambda.front();
  t.to = levels.lambda.back();
  for (std::size_t i = 0; i < levels.lambda.size(); ++i) {
    const double p = levels.counts[i] / levels.n;
    if (p > shown) continue;
    const results::Reliability::Probability bounds = probability_of(p, std::sqrt((1 - p) / levels.counts[i]));
    t.lambda.push_back(levels.lambda[i]);
    t.estimate.push_back(p);
    t.lower.push_back(bounds.lower);
    t.upper.push_back(bounds.upper);
  }
  return t;
}

TailAnswer answer_of(const std::vector<double>& sorted, bool excursions, std::uint64_t seed) {
  TailAnswer answer;
  const double n = static_cast<double>(sorted.size());
  const double failing = static_cast<double>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), 1.0));
  TailLevels levels;
  TailCurve fit;
  double share = 0;
  for (const double from : beginnings) {
    if (!excursions && from > compared) continue;
    levels = tail_levels(sorted, from);
    fit = levels.lambda.empty() ? TailCurve{} : fit_tail(levels);
    share = from;
    if (fit.good && fit.misfit < bad_fit) break;
  }
  if (fit.good) answer.tail = tail_of(levels, fit);
  if (failing >= counted || !fit.good) {
    answer.probability = probability_of(failing / n, failing > 0 ? std::sqrt((1 - failing / n) / failing) : std::nan(""));
    if (failing == 0) answer.probability.upper = 3 / n;
    if (!fit.good && failing < counted) {
      answer.doubt =
          "its largest values have no tail that can be extrapolated: they are all the same, or nearly so. The failures were "
          "counted instead. Use "
          "subset-simulation";
    }
    return answer;
  }
  const double p = fit.at(1);
  TailError error = tail_error(levels, fit, 1, seed);
  // Another beginning of the tail: what it changes beyond chance is an error of the form of the tail.
  const TailLevels shorter = tail_levels(sorted, share > compared ? compared : 0.3 * compared);
  const TailCurve other = shorter.lambda.empty() ? TailCurve{} : fit_tail(shorter);
  const double change = other.good ? std::abs(std::log(std::max(other.at(1), 1e-300) / p)) : 0;
  answer.probability.probability = p;
  answer.probability.cov = error.cov > 0 ? error.cov : std::nan("");
  answer.probability.lower = error.lower;
  answer.probability.upper = error.upper;
  if (change > std::max(0.5, 3 * std::sqrt(std::log1p(error.cov * error.cov)))) {
    answer.doubt = "its tail does not follow one curve: levels beyond which 10 % of the sample are give " + in_words(p) +
                   ", those with 3 % " + in_words(other.at(1)) + ". Take more samples, or use subset-simulation";
  } else if (p < 0.02 / n || error.cov > 1) {
    answer.doubt = "it is extrapolated far: the sample shows probabilities down to " + in_words(levels.counts.back() / n) +
                   ", and the limit has " + in_words(p) + ", which may lie between " + in_words(error.lower) + " and " +
                   in_words(error.upper) + ". Take more samples, or use subset-simulation";
  }
  return answer;
}

}  // namespace

Procedure enhanced_monte_carlo(Space space, Settings settings, results::Reliability& found, Harvest& harvest) {
  const long together = 2000, least = 500;
  const double most_numbers = 2e7;  // that are kept of realizations far from failure
  if (settings.samples < least) {
    throw std::invalid_argument("enhanced-monte-carlo fits the tail of a sample and needs at least " + std::to_string(least) +
                                " samples, better 10000");
  }
  const bool keep_all = static_cast<double>(settings.samples) * static_cast<double>(space.dimension) <= most_numbers;
  const Share& share = settings.share;
  const long start = share.begin(settings.samples);
  long target = share.end(settings.samples) - start;
  for (;;) {
    while (found.simulations < target) {
      Request request;
      request.phase = "sample";
      request.of_the_law = true;
      const long n = std::min(together, target - found.simulations), first = start + found.simulations;
      request.of_parts = share.counts(settings.samples, first, first + n);
      for (long k = first; k < first + n; ++k) {
        const Source source{space.seed, static_cast<std::uint64_t>(k), 0x656d63};
        Point p;
        p.u.resize(space.dimension);
        fill_normals(source, p.u);
        p.stream = random_word(source, 0);
        request.points.push_back(std::move(p));
      }
      std::vector<Point> points = request.points;
      const std::vector<Response> y = co_await ask(std::move(request));
      found.simulations += n;
      std::vector<double> events;
      for (const Response& r : y) {
        if (r.ok()) events.push_back(largest_excess(r));
      }
      std::sort(events.begin(), events.end());
      const double high = keep_all || events.empty() ? -1e300 : std::min(0.0, events[events.size() * 95 / 100]);
      for (std::size_t i = 0; i < y.size(); ++i) {
        if (!y[i].ok()) {
          ++found.failed;
          continue;
        }
        if (largest_excess(y[i]) < high) points[i].u.clear();  // of thousands of numbers only those that come near to failure
        harvest.members.push_back({std::move(points[i]), y[i].excess, 0});
      }
    }
    if (share.single()) co_return;  // what the parts say together is told when they are joined
    if (harvest.members.size() < static_cast<std::size_t>(least) / 2)
      throw std::invalid_argument("most simulations failed: there is no sample to extrapolate");
    found.of.clear();
    found.tails.clear();
    found.doubts.clear();
    for (int l = 0; l <= static_cast<int>(space.limits); ++l) {
      const bool last = l == static_cast<int>(space.limits);
      TailAnswer answer = answer_of(sorted_levels(harvest, last ? event : l), space.dimension > space.named, space.seed);
      found.of.push_back(answer.probability);
      found.tails.push_back(answer.tail);
      if (answer.doubt.empty() || (space.limits == 1 && !last)) continue;
      found.doubts.push_back("The probability of " + (last ? std::string("the event") : "limit #" + std::to_string(l)) +
                             " is doubtful: " + answer.doubt + ".");
    }
    // The error falls about as the root of the sample.
    const double cov = found.of.back().cov;
    if (!(settings.accuracy > 0) || cov <= settings.accuracy || found.simulations >= settings.most) break;
    const double growth =
        std::isfinite(cov) ? std::clamp(1.1 * (cov / settings.accuracy) * (cov / settings.accuracy), 1.1, 4.0) : 2.0;
    target = std::min(settings.most, static_cast<long>(growth * static_cast<double>(found.simulations)));
  }
  for (auto& m : harvest.members) m.weight = 1 / static_cast<double>(harvest.members.size());
}

}  // namespace aleator::core::reliability
