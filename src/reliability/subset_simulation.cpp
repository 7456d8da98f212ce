// Subset simulation (Au & Beck 2001) with conditional sampling in the space of standard normal numbers (Papaioannou, Betz, Zwirglmaier & Straub 2015):
//
//   P(F) = P(F₁) P(F₂|F₁) … P(F|Fₖ),   Fⱼ = {excess > bⱼ},   u' = ρ u + √(1 − ρ²) ξ,  kept if it is in Fⱼ.
//
// The proposal leaves the standard normal law as it is in any dimension. All chains of all sets go on together: one request for each of their steps.
// A divided study is as many rounds as it has parts, each with its share of the sets; their estimates are averaged.
#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "reliability/harvest.hpp"
#include "reliability/methods.hpp"
#include "reliability/subset_answer.hpp"
#include "reliability/subset_chains.hpp"

namespace aleator::core::reliability {
namespace {

void check_subset(const Space& space, const Settings& settings) {
  if (space.limits == 0)
    throw std::invalid_argument("subset simulation needs a limit: there is none whose passing would be failure");
  if (settings.samples < 1 || settings.sets < 1)
    throw std::invalid_argument("subset simulation needs samples, and at least one set of chains");
  if (!(settings.level_probability > 0 && settings.level_probability <= 0.5))
    throw std::invalid_argument("the probability of a level must be above 0 and at most 0.5");
}

// A part of a divided study is a round of its own: with thresholds of its own, and numbers that no other round reaches.
constexpr long numbers_of_a_part = 1L << 40;

std::vector<SubsetRound> first_rounds(const Space& space, const Settings& settings) {
  const Share& share = settings.share;
  std::vector<SubsetRound> rounds;
  for (long k = share.single() ? share.number : 0; k < (share.single() ? share.number + 1 : share.of); ++k) {
    const Share own{k, share.of};
    rounds.emplace_back(space, settings, own.end(settings.sets) - own.begin(settings.sets), k * numbers_of_a_part, 0);
  }
  return rounds;
}

}  // namespace

namespace subset {  // not nameless: what a coroutine keeps must have linkage where files are compiled together

// The ordinary samples of all of them at once.
Procedure take_samples(std::span<SubsetRound> rounds, bool divided) {
  Request all;
  for (SubsetRound& round : rounds) {
    Request own = round.sample();
    if (divided) all.of_parts.push_back(round.families());
    for (Point& p : own.points) all.points.push_back(std::move(p));
    all.phase = own.phase;
    all.of_the_law = own.of_the_law;
  }
  const std::vector<Response> y = co_await ask(std::move(all));
  auto next = y.begin();
  for (SubsetRound& round : rounds) {
    round.take_sample({next, next + round.families()});
    next += round.families();
  }
}

// `of_parts`: [parts] zeros, `part` the place of this round among them; empty where the study is not divided.
Procedure take_levels(SubsetRound& round, std::vector<long> of_parts, std::size_t part) {
  while (round.next_level()) {
    while (round.in_level()) {
      Request step = round.step();
      step.of_parts = of_parts;
      if (!of_parts.empty()) step.of_parts[part] = static_cast<long>(step.points.size());
      const std::vector<Response> y = co_await ask(std::move(step));
      round.take_step(y);
    }
  }
}

}  // namespace subset

Procedure subset_simulation(Space space, Settings settings, results::Reliability& found, Harvest& harvest) {
  check_subset(space, settings);
  found.method = "subset-simulation";
  const bool divided = settings.share.divided();
  if (divided) settings.sets = std::max(settings.sets, static_cast<int>(settings.share.of));  // at least one for each part
  SubsetAnswer answer(space, settings);
  std::vector<SubsetRound> rounds = first_rounds(space, settings);
  co_await subset::take_samples(rounds, divided);
  const std::vector<long> none(divided ? rounds.size() : 0, 0);
  long used = 0;
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    co_await subset::take_levels(rounds[r], none, r);
    answer.add(rounds[r]);
    used += rounds[r].simulations();
  }
  if (settings.share.single()) co_return;  // what the parts say together is told when they are joined
  for (long sets = answer.more_sets(); sets > 0; sets = answer.more_sets()) {
    rounds.emplace_back(space, settings, sets, used, used);
    co_await subset::take_samples({&rounds.back(), 1}, false);
    co_await subset::take_levels(rounds.back(), {}, 0);
    answer.add(rounds.back());
    used += rounds.back().simulations();
  }
  for (std::size_t r = 0; r < rounds.size(); ++r) rounds[r].give(harvest, answer.share(r));
  answer.conclude(found);
}

}  // namespace aleator::core::reliability
