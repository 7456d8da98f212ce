// Who takes part in which case.
#include <fmt/format.h>

#include "cases.hpp"
#include "dynamics/ida.hpp"
#include "ensemble/ensemble.hpp"
#ifdef ALEATOR_HAVE_SIMBODY
#include "peers/simbody_peers.hpp"
#endif

namespace aleator::bench {

namespace {

Response response_of(Realized&& r) { return {r.ok, std::move(r.why), std::move(r.values)}; }

// Our own engine, a realization at a time, from the sample to the outputs.
Contender one_at_a_time(const Case& c, const Configuration& configuration) {
  const auto model = std::make_shared<const Model>(c.with(configuration));
  return {[&c, model](long first, long count, std::vector<Response>& out) {
            for (long i = 0; i < count; ++i)
              out[i] = response_of(realize_row(*model, *c.random, c.plan, c.seed, first + i, false));
          },
          configuration.words()};
}

// Our own engine as a study runs it.
Contender ensemble(const Case& c, const Configuration& configuration, int threads) {
  const auto model = std::make_shared<const Model>(c.with(configuration));
  return {[&c, model, threads](long first, long count, std::vector<Response>& out) {
            Plan plan = c.plan;
            plan.samples = first + count;
            run_ensemble(*model, *c.random, plan, c.seed, {.threads = threads, .first_row = first},
                         [&](Realized&& r) { out[r.row - first] = response_of(std::move(r)); });
          },
          configuration.words()};
}

Entry study(int threads, const std::string& integrator, double step, double reaction_bound = 0) {
  return {fmt::format("Aleator, study on {} threads", threads), step, reaction_bound,
          [=](const Case& c, double h) {
            return ensemble(c, {integrator, h, c.flexible ? c.model.settings.tolerance : 0}, threads);
          },
          threads};
}

Entry ours(const std::string& integrator, double step, double reaction_bound = 0) {
  return {"Aleator, one at a time", step, reaction_bound, [=](const Case& c, double h) {
            return one_at_a_time(c, {integrator, h, c.flexible ? c.model.settings.tolerance : 0});
          }};
}

// SUNDIALS, driven through our residual.
Entry ida(double tolerance) {
  return {"SUNDIALS IDA", tolerance, 0, [](const Case& c, double t) { return one_at_a_time(c, {"ida", 0, t}); }, 1, 2};
}

#ifdef ALEATOR_HAVE_SIMBODY
Entry simbody(const std::string& integrator, double accuracy) {
  return {"Simbody", accuracy, 0, [=](const Case& c, double a) { return simbody_contender(c, integrator, a, 0); }, 1, 2};
}
Entry simbody_equal_steps(const std::string& integrator, double step) {
  return {"Simbody", step, 0, [=](const Case& c, double h) { return simbody_contender(c, integrator, 0, h); }};
}
#endif

}  // namespace

std::vector<Entry> contenders_of(const Case& c) {
  std::vector<Entry> list;
  const auto add = [&](const std::string& name, std::vector<Entry> entries) {
    if (name == c.name) list.insert(list.end(), entries.begin(), entries.end());
  };
  // Bounds of reactions: 1.5 % for generalized-alpha, 0.3 % for the others.
  add("five-body", {ours("runge-kutta", 4e-4), study(2, "runge-kutta", 4e-4)});
  add("andrews-random", {ours("runge-kutta", 3.9e-4)});
  add("chain-100", {ours("runge-kutta", 7.7e-3)});
  add("slider-crank", {ours("generalized-alpha", 9.5e-5, 0.015)});
  add("beam-100", {ours("generalized-alpha", 6.4e-3, 0.015)});
  if (have_ida()) {
    add("five-body", {ida(3e-5)});
    add("andrews-random", {ida(1e-5)});
  }
#ifdef ALEATOR_HAVE_SIMBODY
  add("five-body", {simbody_equal_steps("RungeKuttaMerson", 5.5e-4)});
  add("andrews-random", {simbody_equal_steps("RungeKuttaMerson", 3.5e-4)});
  add("chain-100", {simbody("RungeKuttaMerson", 1.6e-4)});
#endif
  return list;
}

std::vector<Entry> candidates_of(const Case& c) {
  std::vector<Entry> list = contenders_of(c);
#ifdef ALEATOR_HAVE_SIMBODY
  if (!c.flexible)
    for (const std::string integrator : {"RungeKuttaMerson", "RungeKuttaFeldberg", "RungeKutta3", "RungeKutta2", "Verlet"}) {
      list.push_back(simbody(integrator, c.name == "chain-100" ? 1e-3 : 1e-5));
      list.push_back(simbody_equal_steps(integrator, 0.5 * list.front().knob));
    }
#endif
  return list;
}

}  // namespace aleator::bench
