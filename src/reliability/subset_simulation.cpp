// Subset simulation (Au & Beck 2001) with conditional sampling in the space of standard normal numbers (Papaioannou, Betz, Zwirglmaier & Straub 2015):
//
//   P(F) = P(F₁) P(F₂|F₁) … P(F|Fₖ),   Fⱼ = {excess > bⱼ},   u' = ρ u + √(1 − ρ²) ξ,  kept if it is in Fⱼ.
//
// The proposal leaves the standard normal law as it is in any dimension. All chains of all sets go on together: one request for each of their steps.
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

}  // namespace

Procedure subset_simulation(Space space, Settings settings, results::Reliability& found, Harvest& harvest) {
  check_subset(space, settings);
  found.method = "subset-simulation";
  SubsetAnswer answer(space, settings);
  std::vector<SubsetRound> rounds;
  long used = 0;
  for (long sets = settings.sets; sets > 0; sets = answer.more_sets()) {
    rounds.emplace_back(space, settings, sets, used);
    SubsetRound& round = rounds.back();
    Request sample = round.sample();
    const std::vector<Response> first = co_await ask(std::move(sample));
    round.take_sample(first);
    while (round.next_level()) {
      while (round.in_level()) {
        Request step = round.step();
        const std::vector<Response> next = co_await ask(std::move(step));
        round.take_step(next);
      }
    }
    answer.add(round);
    used += round.simulations();
  }
  for (std::size_t r = 0; r < rounds.size(); ++r) rounds[r].give(harvest, answer.share(r));
  answer.conclude(found);
}

}  // namespace aleator::core::reliability
