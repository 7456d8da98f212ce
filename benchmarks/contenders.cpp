// Who takes part in which case.
#include <fmt/format.h>

#include <map>

#include "cases.hpp"
#include "dynamics/compiled_simulation.hpp"
#include "dynamics/ida.hpp"
#include "dynamics/simulate.hpp"
#include "ensemble/ensemble.hpp"
#include "numerics/peak.hpp"
#ifdef ALEATOR_HAVE_SIMBODY
#include "peers/simbody_peers.hpp"
#endif

namespace aleator::core::bench {

namespace {

Response response_of(SimulatedRow&& r) { return {r.ok, std::move(r.why), std::move(r.values)}; }

// Our own scalar code, a realization at a time, from the sample to the outputs.
Contender uncompiled(const Case& c, const Configuration& configuration) {
  const auto model = std::make_shared<const Model>(c.with(configuration));
  return {[&c, model](long first, long count, std::vector<Response>& out) {
            for (long i = 0; i < count; ++i) {
              const Drawn d = draw(*model, *c.random, c.plan, c.seed, first + i);
              const Trajectory t = simulate_model(*model, *d.numbers, {.compile = false});
              out[i] = {true, "", {t.values.begin(), t.values.end()}};
            }
          },
          configuration.words()};
}

// Of some realizations, by the profile of a run that is not timed.
Work work_of(const Ensemble& ensemble) {
  EnsembleProfile profile;
  ensemble.run({.threads = 1, .end_row = 8L * ensemble.lanes(), .profile = &profile}, [](SimulatedRow&&) {});
  const LaneProfile& lanes = profile.lanes;
  const double packs = double(lanes.packs), bytes = sizeof(double);
  Work work{0, bytes * lanes.read / packs, bytes * lanes.written / packs, measured_peak(ensemble.isa())};
  for (const double n : lanes.operations) work.operations += n / packs;
  return work;
}

// Our own engine as a study runs it, in the lanes of an instruction set. Programs are made before the time is taken: once per study.
Contender in_lanes(const Case& c, const Configuration& configuration, Isa isa, int threads) {
  struct Study {
    Model model;
    std::map<long, std::unique_ptr<const Ensemble>> of_rows;
  };
  const auto study = std::make_shared<Study>(Study{c.with(configuration), {}});
  return {[&c, study, isa, threads](long first, long count, std::vector<Response>& out) {
            auto& ensemble = study->of_rows[first + count];
            if (!ensemble) {
              Plan plan = c.plan;
              plan.samples = first + count;
              ensemble = std::make_unique<const Ensemble>(study->model, *c.random, plan, c.seed, isa);
            }
            ensemble->run({.threads = threads, .first_row = first},
                          [&](SimulatedRow&& r) { out[r.row - first] = response_of(std::move(r)); });
          },
          configuration.words(), [study] { return work_of(*study->of_rows.rbegin()->second); }};
}

// One realization at a time by programs of a single lane, as identification by least squares uses them. They are made before the time is
// taken, from as many samples as a study shows.
Contender one_at_a_time(const Case& c, const Configuration& configuration) {
  struct Compiled {
    Model model;
    std::unique_ptr<const CompiledSimulation> simulate;
  };
  const auto compiled = std::make_shared<Compiled>(Compiled{c.with(configuration), nullptr});
  std::vector<Parameters> shown;
  for (long row = 0; row < 16; ++row) shown.push_back(*draw(compiled->model, *c.random, c.plan, c.seed, row).numbers);
  compiled->simulate = std::make_unique<const CompiledSimulation>(compiled->model, shown, compiled->model.settings);
  return {[&c, compiled](long first, long count, std::vector<Response>& out) {
            for (long i = 0; i < count; ++i) {
              const Drawn d = draw(compiled->model, *c.random, c.plan, c.seed, first + i);
              const Trajectory t = (*compiled->simulate)(*d.numbers);
              out[i] = {true, "", {t.values.begin(), t.values.end()}};
            }
          },
          configuration.words()};
}

// Newton's tolerance in lanes: corrections are measured as forces there, and a thousandth of the largest is ample.
constexpr double lane_tolerance = 1e-3;

Entry lanes_of(Isa isa, const std::string& integrator, double step, double reaction_bound = 0, int threads = 1) {
  const std::string name = fmt::format("Aleator, {}, {}{}", aleator::core::name(isa), integrator,
                                       threads > 1 ? fmt::format(", {} threads", threads) : "");
  return {name, step, reaction_bound,
          [=](const Case& c, double h) {
            return in_lanes(c, {integrator, h, c.flexible ? lane_tolerance : 0}, isa, threads);
          },
          threads};
}

Entry alone(const std::string& integrator, double step, double reaction_bound = 0) {
  return {"Aleator, one at a time", step, reaction_bound, [=](const Case& c, double h) {
            return one_at_a_time(c, {integrator, h, c.flexible ? lane_tolerance : 0});
          }};
}

Entry uncompiled(const std::string& integrator, double step, double reaction_bound = 0) {
  return {"Aleator, uncompiled", step, reaction_bound, [=](const Case& c, double h) {
            return uncompiled(c, {integrator, h, c.flexible ? c.model.settings.tolerance : 0});
          }};
}

// SUNDIALS, driven through our residual.
Entry ida(double tolerance) {
  return {"SUNDIALS IDA", tolerance, 0, [](const Case& c, double t) { return uncompiled(c, {"ida", 0, t}); }, 1, 2};
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
  for (const Isa isa : {Isa::avx512, Isa::avx2, Isa::v2}) {
    if (!available(isa)) continue;
    add("five-body", {lanes_of(isa, "dormand-prince", 6e-4), lanes_of(isa, "adams-bashforth", 1.6e-4)});
    add("andrews-random", {lanes_of(isa, "dormand-prince", 3.9e-4)});
    add("chain-100", {lanes_of(isa, "dormand-prince", 1e-2)});
    add("slider-crank", {lanes_of(isa, "generalized-alpha", 9.5e-5, 0.015), lanes_of(isa, "radau", 9.5e-4, 0.003)});
    add("beam-100", {lanes_of(isa, "generalized-alpha", 6e-3, 0.015), lanes_of(isa, "radau", 1.18e-2, 0.003)});
  }
  add("five-body", {alone("dormand-prince", 6e-4)});
  add("andrews-random", {alone("dormand-prince", 3.9e-4)});
  add("chain-100", {alone("runge-kutta", 7.7e-3)});
  add("slider-crank", {alone("generalized-alpha", 9.5e-5, 0.015), alone("radau", 9.5e-4, 0.003)});
  add("beam-100", {alone("generalized-alpha", 6e-3, 0.015)});
  add("five-body", {lanes_of(best_isa(), "dormand-prince", 6e-4, 0, 2)});
  add("slider-crank", {lanes_of(best_isa(), "generalized-alpha", 9.5e-5, 0.015, 2)});
  add("five-body", {uncompiled("runge-kutta", 4e-4)});
  add("andrews-random", {uncompiled("runge-kutta", 3.9e-4)});
  add("chain-100", {uncompiled("runge-kutta", 7.7e-3)});
  add("slider-crank", {uncompiled("generalized-alpha", 9.5e-5, 0.015)});
  add("beam-100", {uncompiled("generalized-alpha", 6.4e-3, 0.015)});
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

}  // namespace aleator::core::bench
