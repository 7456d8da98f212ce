#include "inference/maximise.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <exception>
#include <memory>

namespace aleator::core::inference {
namespace {

using Optimiser = std::unique_ptr<std::remove_pointer_t<nlopt_opt>, void (*)(nlopt_opt)>;

// What NLopt, which is C, hands back to us with every call.
struct Search {
  const Function& f;
  nlopt_opt optimiser;
  Maximum best;
  double worst = 0;
  std::exception_ptr thrown;
};

double evaluate(unsigned n, const double* x, double* /*gradient*/, void* data) {
  auto& search = *static_cast<Search*>(data);
  double value = NAN;
  try {
    value = search.f({x, n});
  } catch (...) {  // must not pass through C
    search.thrown = std::current_exception();
    nlopt_force_stop(search.optimiser);
    return 0;
  }
  ++search.best.evaluations;
  const bool first = search.best.at.empty();
  // No value: below all that were seen, by as much as they spread, so that interpolating methods stay sane.
  if (!std::isfinite(value)) return first ? -1e6 : search.worst - std::max(1.0, search.best.value - search.worst);
  search.worst = first ? value : std::min(search.worst, value);
  if (first || value > search.best.value) {
    search.best.value = value;
    search.best.at.assign(x, x + n);
  }
  return value;
}

Optimiser make(const Box& box) {
  Optimiser optimiser(nlopt_create(NLOPT_LN_BOBYQA, unsigned(box.dimensions())), nlopt_destroy);
  nlopt_set_lower_bounds(optimiser.get(), box.from.data());
  nlopt_set_upper_bounds(optimiser.get(), box.to.data());
  return optimiser;
}

Maximum run(const Optimiser& optimiser, const Function& f, std::vector<double> x) {
  Search search{f, optimiser.get(), {}, 0, {}};
  nlopt_set_max_objective(optimiser.get(), evaluate, &search);
  double value = 0;
  // What it returns does not matter: being limited by round-off is no failure, and the best place seen is ours.
  nlopt_optimize(optimiser.get(), x.data(), &value);
  if (search.thrown) std::rethrow_exception(search.thrown);
  return std::move(search.best);
}

// BOBYQA needs two dimensions at least: a line gets an idle one beside it.
Maximum maximise_on_line(const Function& f, const Box& box, double start, const LocalSearch& search) {
  const Function beside = [&](std::span<const double> x) { return f(x.first(1)); };
  const Box plane{{box.from[0], 0}, {box.to[0], 1}};
  Maximum found = maximise_locally(beside, plane, std::vector<double>{start, 0.5}, search);
  if (!found.at.empty()) found.at.pop_back();
  return found;
}

}  // namespace

Maximum maximise_locally(const Function& f, const Box& box, std::span<const double> start, const LocalSearch& search) {
  assert(int(start.size()) == box.dimensions());
  if (box.dimensions() == 1) return maximise_on_line(f, box, start[0], search);
  std::vector<double> x(start.begin(), start.end()), steps(x.size()), precision(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    x[i] = std::clamp(x[i], box.from[i], box.to[i]);
    steps[i] = search.step * (box.to[i] - box.from[i]);
    precision[i] = search.precision * (box.to[i] - box.from[i]);
  }
  // NLopt ends at the first small gain, which may be but a small step. So begin anew, until that gains nothing either.
  Maximum best;
  while (true) {
    const Optimiser optimiser = make(box);
    nlopt_set_initial_step(optimiser.get(), steps.data());
    nlopt_set_xtol_abs(optimiser.get(), precision.data());
    nlopt_set_ftol_abs(optimiser.get(), search.tolerance);
    nlopt_set_maxeval(optimiser.get(), search.evaluations - int(best.evaluations));
    const Maximum found = run(optimiser, f, x);
    const bool better = !found.at.empty() && (best.at.empty() || found.value > best.value);
    const bool again = better && !best.at.empty() && found.value > best.value + search.tolerance;
    const bool first = best.evaluations == 0;
    best.evaluations += found.evaluations;
    if (better) {
      best.at = x = found.at;
      best.value = found.value;
    }
    if (best.at.empty() || !(again || first) || best.evaluations >= search.evaluations) return best;
    for (double& step : steps) step /= 2;
  }
}

}  // namespace aleator::core::inference
