#include "optimisation/solve.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/cancellation.hpp"

namespace aleator::core::optimisation {
namespace {

constexpr int refined = 4;  // starts

// The constraint `index` over its spread; that the model can be simulated comes last.
double constraint_at(const Problem& p, const StandIn& s, const Aim& aim, size_t index, std::span<const double> place,
                     const StandIn::At& at) {
  if (index == p.constraints.size()) return 0.5 - at.simulates;
  const Predicted g = StandIn::of(p.constraints[index], place, at);
  const double shift = aim.shift.empty() ? 0 : aim.shift[index];
  const double h = (g.value + shift + aim.errors * g.error) / s.spread(index) + aim.slack;
  return std::isfinite(h) ? h : 1e6;
}

// For NLopt, which is C: the problem, and which of its constraints; −1: the cost.
struct Asked {
  const Problem& problem;
  const StandIn& stand_in;
  const Aim& aim;
  double cost_scale;
  int index;
};

double ask(unsigned n, const double* x, double* /*gradient*/, void* data) {
  const Asked& q = *static_cast<const Asked*>(data);
  const std::span<const double> place(x, n);
  const StandIn::At at = q.stand_in.at(place, false);
  if (q.index >= 0) return constraint_at(q.problem, q.stand_in, q.aim, size_t(q.index), place, at);
  const double cost = q.problem.cost(place, at.z) / q.cost_scale;
  return std::isfinite(cost) ? cost : 1e6;
}

Solved judged(const Problem& p, const StandIn& s, const Aim& aim, Place place) {
  const StandIn::At at = s.at(place, false);
  Solved out{std::move(place), 0, 0};
  out.cost = p.cost(out.at, at.z);
  out.worst = worst_of(p, s, aim, out.at, at);
  if (!std::isfinite(out.cost)) out.cost = INFINITY, out.worst = std::max(out.worst, 1e6);
  return out;
}

bool better(const Solved& a, const Solved& b) {
  if (a.meets() != b.meets()) return a.meets();
  return a.meets() ? a.cost < b.cost : a.worst < b.worst;
}

Solved refine(const Problem& p, const StandIn& s, const Aim& aim, const Solved& start) {
  using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, void (*)(nlopt_opt)>;
  const double scale = s.cost_spread() > 0 ? s.cost_spread() : 1;
  std::vector<Asked> asked;
  for (int i = -1; i <= int(p.constraints.size()); ++i) asked.push_back({p, s, aim, scale, i});
  Place best = start.at;
  for (const double step : {0.1, 0.005}) {
    const Optimiser optimiser(nlopt_create(NLOPT_LN_COBYLA, unsigned(p.dimensions)), nlopt_destroy);
    nlopt_set_lower_bounds1(optimiser.get(), 0);
    nlopt_set_upper_bounds1(optimiser.get(), 1);
    nlopt_set_initial_step1(optimiser.get(), step);
    nlopt_set_xtol_abs1(optimiser.get(), 1e-7);
    nlopt_set_maxeval(optimiser.get(), 300 + 100 * p.dimensions);
    nlopt_set_min_objective(optimiser.get(), ask, asked.data());
    for (size_t i = 1; i < asked.size(); ++i) nlopt_add_inequality_constraint(optimiser.get(), ask, &asked[i], 1e-8);
    Place x = best;
    double value = 0;
    nlopt_optimize(optimiser.get(), x.data(), &value);  // being limited by round-off is no failure
    for (double& k : x) k = std::clamp(k, 0.0, 1.0);
    if (better(judged(p, s, aim, x), judged(p, s, aim, best))) best = x;
  }
  return judged(p, s, aim, best);
}

}  // namespace

double worst_of(const Problem& p, const StandIn& s, const Aim& aim, std::span<const double> place, const StandIn::At& at) {
  double worst = -INFINITY;
  for (size_t i = 0; i <= p.constraints.size(); ++i) worst = std::max(worst, constraint_at(p, s, aim, i, place, at));
  return worst;
}

std::vector<Place> candidates(int dimensions) {
  const inference::EvenPlaces even(dimensions);
  std::vector<Place> out;
  const long count = std::min(400L * dimensions, 1500L);
  for (long k = 0; k < count; ++k) {
    Place x = even(k);
    if (k % 2 == 1)
      for (double& xi : x) xi = std::clamp(0.5 + 1.4 * (xi - 0.5), 0.0, 1.0);
    out.push_back(std::move(x));
  }
  for (int corner = 0; corner < (1 << dimensions); ++corner) {
    Place x;
    for (int k = 0; k < dimensions; ++k) x.push_back((corner >> k) & 1);
    out.push_back(std::move(x));
  }
  return out;
}

Solved solve(const Problem& p, const StandIn& s, const Aim& aim, const std::vector<Place>& starts) {
  std::vector<Solved> all;
  for (const Place& x : candidates(p.dimensions)) all.push_back(judged(p, s, aim, x));
  for (const Place& x : starts) all.push_back(judged(p, s, aim, x));
  throw_if_cancelled();
  // One that misses a constraint by little may lead to the best of those that meet it: hence a price instead of a rank.
  const double scale = s.cost_spread() > 0 ? s.cost_spread() : 1;
  const auto merit = [&](const Solved& a) { return a.cost / scale + 30 * std::max(0.0, a.worst); };
  std::stable_sort(all.begin(), all.end(), [&](const Solved& a, const Solved& b) { return merit(a) < merit(b); });
  Solved best = *std::min_element(all.begin(), all.end(), better);
  std::vector<Place> from;
  for (const Solved& a : all) {
    const auto near = [&](const Place& b) {
      double most = 0;
      for (size_t k = 0; k < b.size(); ++k) most = std::max(most, std::abs(a.at[k] - b[k]));
      return most < 0.1;
    };
    if (std::any_of(from.begin(), from.end(), near)) continue;
    from.push_back(a.at);
    const Solved found = refine(p, s, aim, a);
    if (better(found, best)) best = found;
    if (int(from.size()) == refined) break;
  }
  return best;
}

}  // namespace aleator::core::optimisation
