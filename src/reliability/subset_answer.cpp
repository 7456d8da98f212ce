#include "reliability/subset_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "numerics/chi_squared.hpp"
#include "numerics/incomplete_beta.hpp"
#include "numerics/student.hpp"
#include "reliability/normal_numbers.hpp"

namespace aleator::core::reliability {
namespace {

using SubsetProbability = results::Reliability::Probability;

constexpr double doubtful_agreement = 0.01;
constexpr long few_ancestors = 5;
constexpr double low_acceptance = 0.1;
constexpr double slowed = 0.4, hastened = 10;  // paces of regular problems stay between 0.65 and 1.2 of those before
// Levels depend on each other, since chains begin with members of the level before: by so much is the scatter of sets larger than the levels say.
constexpr double level_dependence = 1.25;

double sum_of_families(const std::vector<double>& of) { return std::accumulate(of.begin(), of.end(), 0.0); }

// Few families that carry all are worth one less, as degrees of freedom are.
double honest_cov(double cov) {
  const double square = std::min(0.9, cov * cov);
  return std::sqrt(square / (1 - square));
}

// 95 % bounds of a log-normal law; the relative error is itself known from some 1/cov² families only.
void bound_lognormal(SubsetProbability& p) {
  const double freedom = std::max(2.0, 1 / (p.cov * p.cov) - 1);
  const double width = student_quantile(0.975, freedom) * std::sqrt(std::log1p(p.cov * p.cov));
  p.lower = p.probability * std::exp(-width);
  p.upper = std::min(1.0, p.probability * std::exp(width));
}

// How fast levels come nearer to the limit: excess per unit of the reliability index, from level to level.
std::vector<double> paces(const std::vector<results::Reliability::Level>& levels) {
  std::vector<double> of;
  SubsetProbability reach;
  reach.probability = levels.front().probability;
  for (std::size_t l = 1; l < levels.size(); ++l) {
    const double from = reach.beta();
    reach.probability *= levels[l].probability;
    const double next = l + 1 < levels.size() ? levels[l + 1].excess : 0, advance = reach.beta() - from;
    if (advance > 0.25) of.push_back((next - levels[l].excess) / advance);  // of less it is mostly noise
  }
  return of;
}

// The least and the largest ratio of a pace to one before it.
std::pair<double, double> changes_of_pace(const std::vector<double>& paces) {
  double least = 1, largest = 1;
  for (std::size_t i = 0; i < paces.size(); ++i)
    for (std::size_t k = i + 1; k < paces.size(); ++k) {
      least = std::min(least, paces[k] / paces[i]);
      largest = std::max(largest, paces[k] / paces[i]);
    }
  return {least, largest};
}

std::string list_of_sets(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size() && i < 8; ++i) text += fmt::format("{}{:.2g}", i ? ", " : "", values[i]);
  return values.size() > 8 ? text + ", …" : text;
}

}  // namespace

void SubsetAnswer::add(const SubsetRound& r) {
  Round round{r.families(), r.sets(), r.simulations(), r.failed(),       r.last(), {}, r.reached(), r.reach_cov(), 0,
              r.levels(),   r.end(),  r.plateau(),     r.plateau_share()};
  for (std::size_t e = 0; e <= space_.limits; ++e) round.contributions.push_back(r.contributions(e));
  for (const auto& level : round.levels) round.level_cov = std::hypot(round.level_cov, level.cov);
  rounds_.push_back(std::move(round));
}

long SubsetAnswer::total(long Round::*what) const {
  long n = 0;
  for (const Round& r : rounds_) n += r.*what;
  return n;
}

double SubsetAnswer::share(std::size_t round) const {
  return static_cast<double>(rounds_[round].families) / static_cast<double>(total(&Round::families));
}

bool SubsetAnswer::sampled_only() const {
  return std::ranges::all_of(rounds_, [](const Round& r) { return r.levels.size() == 1 && r.end == SubsetRound::End::reached; });
}

SubsetProbability SubsetAnswer::probability(std::size_t event) const {
  SubsetProbability p;
  double variance = 0;
  for (std::size_t r = 0; r < rounds_.size(); ++r) {
    const std::vector<double>& of = rounds_[r].contributions[event];
    const double part = share(r) * sum_of_families(of), cov = chain_cov(of);
    const double error = part * (rounds_[r].levels.size() > 1 ? honest_cov(cov) : cov);
    p.probability += part;
    variance += error * error;
  }
  if (p.probability == 0) return of_none();
  p.cov = std::sqrt(variance) / p.probability;
  if (sampled_only()) {
    const auto n = static_cast<double>(total(&Round::families));
    const double count = std::round(p.probability * n);
    const CountInterval interval = clopper_pearson(count, n);
    p.probability = count / n;
    p.cov = std::sqrt((n - count) / (count * n));
    p.lower = interval.lower;
    p.upper = interval.upper;
  } else {
    bound_lognormal(p);
  }
  return p;
}

// No realization passed this limit: it is rarer than the last level, by what as many independent states say as its families are worth.
SubsetProbability SubsetAnswer::of_none() const {
  SubsetProbability p;
  p.cov = 1;
  p.upper = 0;
  for (std::size_t r = 0; r < rounds_.size(); ++r) {
    const Round& round = rounds_[r];
    const bool sample = round.levels.size() == 1;
    const double worth = sample ? static_cast<double>(round.families) : 1 / std::max(1e-6, round.reach_cov * round.reach_cov);
    const double width = sample ? 0 : 1.96 * std::sqrt(std::log1p(round.reach_cov * round.reach_cov));
    p.upper += share(r) * std::min(1.0, round.reached * std::exp(width)) * clopper_pearson(0, std::max(1.0, worth)).upper;
  }
  return p;
}

std::vector<double> SubsetAnswer::of_sets() const {
  std::vector<double> sets;
  for (const Round& r : rounds_) {
    std::vector<double> of(static_cast<std::size_t>(r.sets));
    for (std::size_t i = 0; i < r.contributions.back().size(); ++i)
      of[i % of.size()] += r.contributions.back()[i] * static_cast<double>(r.sets);
    sets.insert(sets.end(), of.begin(), of.end());
  }
  return sets;
}

double SubsetAnswer::agreement(const std::vector<double>& sets) const {
  const Round& r = rounds_.front();
  const double squares = static_cast<double>(r.sets) * r.level_cov * r.level_cov;
  const double of_a_set = std::sqrt(r.levels.size() > 1 ? std::expm1(level_dependence * level_dependence * squares) : squares);
  return agreement_of(sets, of_a_set);
}

long SubsetAnswer::ancestors() const {
  long n = 0;
  for (const Round& r : rounds_) n += std::ranges::count_if(r.contributions.back(), [](double w) { return w > 0; });
  return n;
}

long SubsetAnswer::more_sets() const {
  const SubsetProbability any = probability(space_.limits);
  if (settings_.accuracy <= 0 || any.probability == 0 || any.cov <= settings_.accuracy) return 0;
  const long sets = total(&Round::sets), simulations = total(&Round::simulations);
  const double each = static_cast<double>(simulations) / static_cast<double>(sets);
  const double wanted = static_cast<double>(sets) * (std::pow(any.cov / settings_.accuracy, 2) - 1);
  const double possible = (static_cast<double>(settings_.most - simulations)) / each * 0.9;  // levels may become more
  return static_cast<long>(std::max(0.0, std::min(std::ceil(wanted), std::floor(possible))));
}

void SubsetAnswer::conclude(results::Reliability& found) const {
  for (std::size_t e = 0; e <= space_.limits; ++e) found.of.push_back(probability(e));
  found.simulations = total(&Round::simulations);
  found.failed = total(&Round::failed);
  found.levels = rounds_.back().levels;
  found.sets = of_sets();
  found.agreement = agreement(found.sets);
  SubsetProbability& any = found.of.back();
  if (found.agreement < doubtful_agreement && any.probability > 0 && found.sets.size() > 1) {
    const double between = chain_cov(found.sets);
    if (between > any.cov) {
      any.cov = between;
      bound_lognormal(any);
    }
  }
  doubt(found);
}

void SubsetAnswer::doubt(results::Reliability& found) const {
  auto& doubts = found.doubts;
  doubt_end(found);
  const SubsetProbability& any = found.of.back();
  const bool levels = !sampled_only();
  if (found.failed > 0)
    doubts.push_back(
        fmt::format("{} of {} simulations failed. They count as not passing a limit: if simulations fail because the motion "
                    "becomes extreme, the "
                    "probability is larger than said. See why they fail, and take a smaller step or another model there.",
                    found.failed, found.simulations));
  if (found.agreement < doubtful_agreement)
    doubts.push_back(
        fmt::format("The independent sets of chains differ by more than chance allows ({}; p = {:.2g}): some found a part of the "
                    "failure region that "
                    "others missed. The probability may be too small or too large by far. Take more samples per level, and look "
                    "at the failing realizations.",
                    list_of_sets(found.sets), found.agreement));
  if (levels && any.probability > 0 && ancestors() < few_ancestors)
    doubts.push_back(
        fmt::format("All failing realizations descend from {} of the {} of the first level: the error is hardly known, and other "
                    "ways to fail may have been "
                    "missed. Take more samples per level.",
                    ancestors(), total(&Round::families)));
  if (any.probability > 0) doubt_pace(found);
  for (std::size_t l = 1; l < found.levels.size(); ++l)
    if (found.levels[l].accepted < low_acceptance) {
      doubts.push_back(
          fmt::format("In level {} chains hardly move: {:.0f} % of the proposals are accepted. Realizations of this and later "
                      "levels are much alike. Take more "
                      "samples per level.",
                      l + 1, 100 * found.levels[l].accepted));
      break;
    }
  if (settings_.accuracy > 0 && any.probability > 0 && any.cov > settings_.accuracy)
    doubts.push_back(fmt::format("The accuracy of {:.0f} % is not reached with {} simulations at most; it is {:.0f} %.",
                                 100 * settings_.accuracy, settings_.most, 100 * any.cov));
}

// A response that levels off, or that hardly differs at first, leads all sets the same way: they agree, and may all be wrong (Au & Wang 2014; Breitung 2019).
void SubsetAnswer::doubt_pace(results::Reliability& found) const {
  const auto [least, largest] = changes_of_pace(paces(found.levels));
  const char* remedy = "Compare with importance-sampling or form, or take many more samples per level.";
  if (least < slowed)
    found.doubts.push_back(
        fmt::format("Levels came nearer to the limit {:.0f} times more slowly than at first: on the way that the chains took the "
                    "response levels "
                    "off. A shorter way to failure that did not stand out at first may have been missed; then all sets miss it "
                    "alike, and the "
                    "probability is too small. {}",
                    1 / least, remedy));
  else if (largest > hastened)
    found.doubts.push_back(
        fmt::format("Near the limit the response changes {:.0f} times as fast as in the first levels, where small differences "
                    "chose the way. A "
                    "way to failure that did not stand out there may have been missed; then all sets miss it alike. {}",
                    largest, remedy));
}

// Why the last level is the last one, where it is not because the limit is reached.
void SubsetAnswer::doubt_end(results::Reliability& found) const {
  const Round& r = rounds_.back();
  if (r.end == SubsetRound::End::reached) return;
  const SubsetProbability& any = found.of.back();
  const std::string none =
      any.probability > 0 ? "" : fmt::format("No realization failed: the probability is below {:.2g}. ", any.upper);
  if (r.end == SubsetRound::End::plateau)
    found.doubts.push_back(
        fmt::format("{}{:.0f} % of the realizations of level {} are equally far from the limit ({:.4g}) and none is nearer: "
                    "nothing tells where failure is. Use an output "
                    "that varies as the limit is approached, or method: monte-carlo.",
                    none, 100 * r.plateau_share, r.levels.size(), r.plateau));
  else if (r.end == SubsetRound::End::too_rare)
    found.doubts.push_back(
        fmt::format("{}Probabilities below {:.1g} are not looked for; the nearest realizations keep {:.4g} from the limit. Is it "
                    "the limit that was meant?",
                    none, settings_.smallest, -r.levels.back().excess));
  else
    found.doubts.push_back(
        fmt::format("{}The {} simulations allowed were used up in level {}. Allow more, or take fewer samples per level.", none,
                    settings_.most, r.levels.size()));
}

double agreement_of(const std::vector<double>& estimates, double cov) {
  const std::size_t n = estimates.size();
  const double mean = sum_of_families(estimates) / static_cast<double>(n);
  if (n < 2 || !(mean > 0) || !(cov > 0)) return 1;
  // Differences of logarithms see sets that are far too small as well as such that are far too large.
  const auto spread = [&](const std::vector<double>& of) {
    const double centre = sum_of_families(of) / static_cast<double>(n);
    double logs = 0, squares = 0;
    for (const double x : of) {
      const double l = std::log(std::max(x / centre, 0.02));
      logs += l;
      squares += l * l;
    }
    return squares - logs * logs / static_cast<double>(n);
  };
  // A gamma law: as skew as counts of clusters are.
  constexpr std::size_t cells = 512, trials = 4000;
  std::array<double, cells> law;
  const double freedom = 2 / (cov * cov);
  for (std::size_t i = 0; i < cells; ++i)
    law[i] = chi_squared_quantile((static_cast<double>(i) + 0.5) / cells, freedom) / freedom;
  const double seen = spread(estimates);
  long more = 0;
  std::vector<double> drawn(n);
  for (std::size_t t = 0; t < trials; ++t) {
    for (std::size_t s = 0; s < n; ++s) drawn[s] = law[random_word({0, t, 3}, s) % cells];
    more += spread(drawn) >= seen;
  }
  return static_cast<double>(more + 1) / static_cast<double>(trials + 1);
}

}  // namespace aleator::core::reliability
