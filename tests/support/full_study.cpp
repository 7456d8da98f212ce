#include "support/full_study.hpp"

#include <cmath>

#include "results/identification.hpp"
#include "results/reliability.hpp"

namespace aleator::core::test {
namespace {

using Parameters = std::vector<double>;
constexpr std::size_t times = 3, rows = 5;

results::Run motion() {
  results::Run run;
  run.time = {0, 0.5, 1};
  run.channels = {{"x", "m"}, {"y", "m/s^2"}};
  run.values = {0, 1, 0.5, 2, 1, 3};
  run.bodies = {{"arm", {{"box", {1, 2, 3}}, {"prism", {1, 0, 0, 1, 0, 0, 1}}, {"mesh-points", {0, 0, 1}}}, 1},
                {"beam", {{"rectangle-section", {0.1, 0.2}}}, 2}};
  run.connections = {{"hinge", "revolute", "joint", {-1, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 1}},
                     {"load", "load", "force", {1}, {0, 0, 0}, {}}};
  for (std::size_t t = 0; t < times; ++t)
    for (int frame = 0; frame < 3; ++frame) run.poses.insert(run.poses.end(), {double(t), double(frame), 0, 1, 0, 0, 0});
  return run;
}

results::StudyStatistics statistics() {
  results::StudyStatistics s;
  s.realizations = long(rows) - 1;
  const Parameters x = {0.1, 0.6, 1.1}, e = {0.01, 0.02, 0.03}, low = {0, 0.4, 0.9}, high = {0.2, 0.8, 1.3};
  const Parameters std = {0.01, 0.1, 0.2};
  for (int c = 0; c < 2; ++c) s.channels.push_back({x, x, std, low, high, low, high, e, e, e, e, {0.1, 0.2, 0.3}});
  s.limits = {{0, 1.0, true, {0, 0.1, 0.5}, {0, 0.1, 0.2}, {0.5, 0.2}}};
  s.scalars = {{.name = "peak",
                .unit = "m",
                .kind = "maximum",
                .channel = "x",
                .nominal = 1,
                .mean = {1, 0.1},
                .std = {0.2, 0.1},
                .lower = {0.9, 0.1},
                .upper = {1.2, 0.1},
                .minimum = 0.8,
                .maximum = 1.3,
                .count = 4,
                .values = {1, 1.1, 1.2, 0.9, std::nan("")}}};
  s.spectra = {{.channel = 1,
                .from = 0.1,
                .segment = 0.5,
                .segments = 3,
                .frequency = {2, 4},
                .nominal = {0.1, 0.2},
                .mean = {1, 2},
                .error = {0.1, 0.2},
                .lower = {0.8, 1.6},
                .upper = {1.2, 2.4}}};
  s.convergence = {{1, 2, 4}, {{1, 1.1, 1.05}, {2, 2.1, 2.05}}};
  const results::SobolIndices::OfGroup share{x, x, e, e, {0.4, 0.1}, {0.6, 0.1}};
  s.shares = {{"k", "m"}, 5, {{share, share}, {share, share}}};
  return s;
}

results::Chaos chaos() {
  results::Chaos c;
  const Parameters legendre = {std::sqrt(3.0), 0, 0, 2.2, 0, -1.1};
  c.variables = {{"k", "legendre", "value", 100, 20, legendre, "uniform 80 to 120", "Uniform", {"a", "b"}, {80, 120}, 80, 120},
                 {"m", "legendre", "uniform", 0, 1, legendre, "", "", {}, {}, 0, 0}};
  c.how = "quadrature, 9 points";
  c.degrees = {0, 0, 1, 0, 0, 1, 2, 0};
  c.coefficients.assign(4 * times * 2, 0.25);
  c.points = 9;
  c.loo = {0.1, std::nan("")};
  c.decay = {{0.9, 0.1}, {0.8, 0.2}};
  return c;
}

results::Identification identification() {
  results::Identification x;
  x.method = "bayesian";
  x.likelihood = "kernel";
  for (const char* name : {"a.mass.cov", "k.std"})
    x.parameters.push_back({.name = name,
                            .unit = "kg",
                            .from = 0,
                            .to = 1,
                            .written = 0.4,
                            .estimate = 0.5,
                            .lower = 0.3,
                            .upper = 0.7,
                            .profile_at = {0.2, 0.5, 0.8},
                            .profile = {-3, 0, -3},
                            .mean = 0.5,
                            .std = 0.1});
  x.correlation = {1, 0.2, 0.2, 1};
  x.pairs = {{0, 1, {0.4, 0.6}, {0.4, 0.6}, {-1, -2, -2, -1}}};
  x.energy = {0.9, 0.1};
  x.components = 1;
  x.captured = 0.9;
  x.draws = {0.5, 0.4, 0.6, 0.5, 0.4, 0.3};
  x.measured = {{"x"}, {0.1}, {{"one", {0, 0.5, 1}, {0, 0.5, 1}}, {"two", {0, 1}, {0.1, std::nan("")}}}};
  x.times = {0, 0.5, 1};
  x.bands = {{{0, 0.5, 1}, {-0.1, 0.4, 0.9}, {0.1, 0.6, 1.1}}};
  x.coverage = {{0.9, 0.8, 1}};
  x.fit_p = 0.5;
  x.explained = true;
  x.verdict = "the model explains the data";
  x.sweeps = {{{0, 1}, {{1, 2}}, {{0.1, 0.2}}, {{3, 4}}}};
  return x;
}

results::Reliability reliability() {
  results::Reliability x;
  const double none = std::nan("");
  x.method = "subset-simulation";
  x.simulations = 3700;
  x.failed = 2;
  x.of = {{"x.above", 1.5, "m", 3e-4, 0.2, 2e-4, 4.5e-4}, {"any", none, "", 3e-4, 0.2, 2e-4, 4.5e-4}};
  x.curves = {{"x.above", "m", {1, 1.5, 2}, {1e-2, 3e-4, 1e-6}, {8e-3, 2e-4, 1e-7}, {1.2e-2, 4.5e-4, 1e-5}}};
  x.levels = {{-std::numeric_limits<double>::infinity(), 0.1, 0.09, 1000, 1, 0, 0}, {-0.2, 0.003, 0.2, 900, 0.4, 0.6, 0.8}};
  x.sets = {2e-4, 4e-4};
  x.agreement = 0.3;
  x.variables = {"k", "m"};
  x.design_points = {{"x.above", 3.4, {3, 1.6, 0}, {118, 1.3}, {0.78, 0.22, 0}, {-0.01}, 3.2e-4, 3.1e-4, true}};
  x.tails = {{0.1, 3, 0.2, 1.5, {0.5, 0.8}, {1e-2, 1e-3}, {9e-3, 8e-4}, {1.1e-2, 1.2e-3}, 0.4, 0.9}, {}};
  x.failures.inputs = {118, 1.3, 115, 1.5, 119, 1.2};
  x.failures.weights = {0.5, 0.25, 0.25};
  x.failures.excess = {0.01, 0.2, 0.1};
  x.failures.limit = {0, 0, 0};
  x.failures.kept = {0, 2};
  for (int i = 0; i < 2 * int(times) * 2; ++i) x.failures.histories.push_back(0.1 * i);
  const results::Run nominal = motion();
  for (int i = 0; i < 2; ++i) x.failures.poses.insert(x.failures.poses.end(), nominal.poses.begin(), nominal.poses.end());
  x.failures.normals = {0.1, 0.2, 0.3, -0.1, -0.2, -0.3};
  x.causes = {{"k", "N/m", 100, 11.5, 117.5, 1.5, 1.52, 0.78}, {"m", "kg", 1.2, 0.2, 1.325, 0.1, 0.6, none}};
  x.doubts = {"The sets of chains differ by more than chance allows."};
  return x;
}

}  // namespace

FullStudy::FullStudy() {
  results::StudyResult& r = result;
  r.nominal = motion();
  r.columns = {{"k", "N/m", "uniform"}, {"m", "kg", "gamma"}};
  r.fields = {{"beam.E", "gamma", "exponential", "EOLE", 2, {0.5, 0.1}, {0, 1}, {0.1, 0.2}}};
  r.laws.columns = {{"k", "N/m", "uniform", "k", {80, 120}, {0.025, 0.025}, 100, 11.5, 100, true}};
  r.laws.quantities = {{"k", "scalar", "uniform 80 to 120", "N/m", "k", "", {"mean"}, {"100"}}};
  r.method = "monte-carlo";
  r.identity = "0123456789abcdef";
  r.planned = r.done = long(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    const bool failed = k == 4;
    r.inputs.insert(r.inputs.end(), {80 + 8 * double(k * k % 5), 1 + 0.1 * double(k)});
    r.ok.push_back(failed ? 0 : 1);
    for (std::size_t i = 0; i < 2 * times; ++i)
      responses.push_back(failed ? std::nan("") : double(i) + 0.1 * double(k * (i + 1)));
  }
  r.failures = {{4, "the step became too small", 0.5, {88, 1.4}}};
  r.responses = responses;
  r.motion_of = {0, 1};
  for (int i = 0; i < 2; ++i) r.motion.insert(r.motion.end(), r.nominal.poses.begin(), r.nominal.poses.end());
  r.statistics = statistics();
  r.chaos = chaos();
  r.evidence = {"as it was asked for"};
  const results::Correlations::Measure m{{0.1, 0.2, 0.3}, 0.2};
  r.correlations = {{"k", "m"}, {"", ""}, 4, 0.5, 0.5, 0.6, {{{m, m, m}, {m, m, m}}, {{m, m, m}, {m, m, m}}}};
  const results::Screening::OfVariable v{4, {1, 2, 3}, {1, 2, 3}, {0.1, 0.1, 0.1}, {0.1, 0.2, 0.3}, {0.5, 0.1}, 0.2};
  r.screening = {{"k", "m"}, 4, {{v, v}, {v, v}}};
  const results::Variability::OfChannel response{{1, 2, 3, 0.5, 1, 1.5}, {10, 20, 30, 10, 20, 30}, {0.1, 0.15, 0.18}};
  r.variability = {"beam.E", "exponential over 1 m", 0.1, 1.01, 16, {0, 5}, {0.75, 0.25}, {response, response}};
  r.reliability = std::make_shared<const results::Reliability>(reliability());
  r.identification = std::make_shared<const results::Identification>(identification());
  provenance = results::provenance_here();
  provenance.title = "All there is";
  provenance.model_text = "plane: xy\n";
  provenance.model_file = "full.yaml";
  provenance.settings = {{"seconds", "1.5"}, {"integrator", "runge-kutta"}};
}

}  // namespace aleator::core::test
