#include "optimisation/search.hpp"

#include <algorithm>
#include <cmath>

#include "optimisation/normal.hpp"

namespace aleator::core::optimisation {
namespace {

constexpr double same_place = 1e-5;  // largest difference of coordinates

}  // namespace

Search::Search(const Problem& problem, const SearchSettings& settings, Evaluate evaluate)
    : problem_(problem), settings_(settings), evaluate_(std::move(evaluate)), corrections_(size_t(problem.statistics)) {}

// The search aims a little inside, or a design that misses by round-off would not count.
Aim Search::aim() const { return {settings_.errors + 0.05 * bold_, 0.2 * settings_.tolerance * bold_, {}}; }

std::vector<Place> Search::places() const {
  std::vector<Place> out;
  for (const Observed& d : designs_) out.push_back(d.at);
  return out;
}

void Search::correct(std::vector<Correction> corrections) {
  corrections_ = std::move(corrections);
  converged_ = false;
  fit();
}

void Search::look_at(const Place& place) { designs_.push_back(evaluate_(place)); }

void Search::fit() {
  auto next = std::make_unique<StandIn>(problem_, designs_, corrections_, stand_in_.get());
  stand_in_ = std::move(next);
}

// On a line its ends, its middle and its quarters.
std::vector<Place> Search::first_places(long most) const {
  if (problem_.dimensions == 1) return {{0.0}, {1.0}, {0.5}, {0.25}, {0.75}};
  std::vector<Place> out;
  const inference::EvenPlaces even(problem_.dimensions);
  const long count = std::clamp<long>(3L * problem_.dimensions + 4, 4, std::max(4L, 2 * most / 3));
  for (long k = 0; k < count; ++k) out.push_back(even(k));
  return out;
}

double Search::distance(const Place& place) const {
  double least = INFINITY;
  for (const Observed& d : designs_) {
    double most = 0;
    for (size_t k = 0; k < place.size(); ++k) most = std::max(most, std::abs(d.at[k] - place[k]));
    least = std::min(least, most);
  }
  return least;
}

double Search::cost(const Observed& d) const { return problem_.cost(d.at, corrected(d, corrections_).z); }

double Search::missed(const Observed& d) const {
  if (!d.ok) return INFINITY;
  const StandIn::At at = corrected(d, corrections_);
  double worst = -INFINITY;
  for (size_t i = 0; i < problem_.constraints.size(); ++i) {
    const Predicted g = StandIn::of(problem_.constraints[i], d.at, at);
    worst = std::max(worst, (g.value + settings_.errors * g.error) / (stand_in_ ? stand_in_->spread(i) : 1));
  }
  return std::isnan(worst) ? INFINITY : worst;
}

long Search::best() const {
  long best = -1;
  double least_missed = INFINITY, least_cost = INFINITY;
  for (size_t i = 0; i < designs_.size(); ++i) {
    if (!designs_[i].ok) continue;
    const double missing = std::max(0.0, missed(designs_[i])), c = cost(designs_[i]);
    if (best >= 0 && !(missing < least_missed || (missing == least_missed && c < least_cost))) continue;
    best = long(i), least_missed = missing, least_cost = c;
  }
  return best;
}

bool Search::meets() const {
  const long b = best();
  return b >= 0 && missed(designs_[size_t(b)]) <= 0;
}

// What a gain is compared with: the cost itself, unless that is small by chance, or hardly changes.
double Search::cost_scale() const {
  const double spread = stand_in_->cost_spread();
  const long b = best();
  return b < 0 ? spread : std::max(0.05 * spread, std::min(spread, std::abs(cost(designs_[size_t(b)]))));
}

bool Search::is_worth_it(const Solved& s) const {
  if (distance(s.at) < same_place) return false;
  if (!meets()) return distance(s.at) > settings_.tolerance;
  return s.meets() && s.cost < cost(designs_[size_t(best())]) - settings_.tolerance * cost_scale();
}

// Expected feasible improvement (Schonlau 1997): E{max(0, best − cost)} × P{all constraints are met}; without a design that meets them, that
// probability alone.
Search::Promise Search::most_promising() const {
  const bool have = meets();
  const double least = have ? cost(designs_[size_t(best())]) : 0;
  Promise out;
  for (const Place& x : candidates(problem_.dimensions)) {
    if (distance(x) < 1e-3) continue;
    const StandIn::At at = stand_in_->at(x, true);
    double gain = at.simulates > 0.5 ? 1 : 0.1;
    if (have) {
      const Predicted c = StandIn::of(problem_.cost, x, at);
      const double drop = least - c.value, t = c.deviation > 0 ? drop / c.deviation : 0;
      gain *= c.deviation > 0 ? drop * normal_probability(t) + c.deviation * normal_density(t) : std::max(0.0, drop);
    }
    for (size_t i = 0; i < problem_.constraints.size() && gain > 0; ++i) {
      const Predicted g = StandIn::of(problem_.constraints[i], x, at);
      const double h = g.value + settings_.errors * g.error;
      gain *= g.deviation > 0 ? normal_probability(-h / g.deviation) : (h <= 0 ? 1 : 0);
    }
    if (gain > out.gain) out = {x, gain};
  }
  return out;
}

void Search::run(long most) {
  if (designs_.empty())
    for (const Place& x : first_places(most))
      if (long(designs_.size()) < most) look_at(x);
  fit();
  converged_ = false;
  // Counted shares have steps, along which it would creep.
  const auto look_at_best = [this](const Solved& s) {
    look_at(s.at);
    const bool deceived = s.meets() && missed(designs_.back()) > 0;
    bold_ = deceived ? std::min(2 * bold_, 64.0) : std::max(1.0, bold_ / 2);
  };
  for (int step = 0; long(designs_.size()) < most; ++step) {
    if (best() < 0) return;  // nothing can be simulated
    const Solved s = solve(problem_, *stand_in_, aim(), places());
    const bool worth = is_worth_it(s);
    // Every third design explores, whatever the stand-in believes.
    if (worth && step % 3 != 2) {
      look_at_best(s);
    } else {
      const Promise p = most_promising();
      const double enough = meets() ? settings_.tolerance * cost_scale() : 0.01;
      if (p.gain > enough)
        look_at(p.at);
      else if (worth)
        look_at_best(s);
      else {
        converged_ = true;
        return;
      }
    }
    fit();
  }
}

}  // namespace aleator::core::optimisation
