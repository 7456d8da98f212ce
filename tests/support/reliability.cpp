#include "support/reliability.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

namespace aleator::core::test {
namespace {

using results::Reliability;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t times = 401, bodies = 3;
constexpr double duration = 20;

struct Column {
  const char *name, *unit;
  double mean, std, shift;  // given failure, in standard deviations
};
const Column all_columns[] = {{"isolator.stiffness", "N/m", 4e5, 4e4, -1.9},
                              {"isolator.damping", "N s/m", 2e4, 4e3, -1.4},
                              {"storey.stiffness", "N/m", 2e6, 1e5, 0.1},
                              {"storey.mass", "kg", 5000, 250, 0.8},
                              {"gap", "m", 0.25, 0.01, -0.6}};

double density_of(const Column& c, double x) {
  const double z = (x - c.mean) / c.std;
  return std::exp(-z * z / 2) / (c.std * std::sqrt(2 * std::numbers::pi));
}

// Of a building that is shaken: the slab, and the storey relative to it; failures swing up to a peak at their own time.
double swing(double t, int output, double size, double peak) {
  const double grows = size * std::exp(-std::pow((t - peak) / 4, 2));
  const double w = output == 0 ? 2.6 : 9.1;
  return (output == 0 ? 0.28 : 0.012) * (grows * std::cos(w * (t - peak)) + 0.12 * std::sin(w * 0.83 * t));
}

results::Run shaken(double size, double peak) {
  results::Run run;
  run.channels = {{"base", "m"}, {"drift", "m"}};
  run.bodies = {
      {"slab", {{"box", {8, 6, 0.5}}}, 1}, {"storey", {{"box", {7, 5, 2.8}}}, 1}, {"roof", {{"box", {7.4, 5.4, 0.3}}}, 1}};
  run.gravity = {0, 0, -9.81};
  for (std::size_t k = 0; k < times; ++k) {
    const double t = duration * double(k) / double(times - 1), base = swing(t, 0, size, peak), drift = swing(t, 1, size, peak);
    run.time.push_back(t);
    run.values.insert(run.values.end(), {base, drift});
    const double at[bodies][2] = {{base, 0.25}, {base + 0.5 * drift, 1.9}, {base + drift, 3.45}};
    for (const auto& [x, z] : at) run.poses.insert(run.poses.end(), {x, 0, z, 1, 0, 0, 0});
  }
  return run;
}

void add_failures(Reliability& r, std::size_t count) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  double sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    for (const Column& c : all_columns) r.failures.inputs.push_back(c.mean + c.std * (c.shift + 0.6 * normal(random)));
    r.failures.weights.push_back(std::exp(0.5 * normal(random)));
    sum += r.failures.weights.back();
    r.failures.excess.push_back(0.02 * std::abs(normal(random)));
    r.failures.limit.push_back(k % 5 == 0 ? 1 : 0);
  }
  for (double& w : r.failures.weights) w /= sum;
  for (long k = 0; k < 5; ++k) {
    const results::Run one = shaken(0.92 + 0.04 * double(k), 9 + 1.7 * double(k));
    r.failures.kept.push_back(3 * k);
    r.failures.histories.insert(r.failures.histories.end(), one.values.begin(), one.values.end());
    r.failures.poses.insert(r.failures.poses.end(), one.poses.begin(), one.poses.end());
  }
  for (const Column& c : all_columns)
    r.causes.push_back({c.name, c.unit, c.mean, c.std, c.mean + c.std * c.shift, 0.6 * c.std, c.shift, nan});
}

void add_curve(Reliability& r, const std::string& limit, double from, double to, double decay) {
  Reliability::Curve c{limit, "m", {}, {}, {}, {}};
  for (int i = 0; i <= 60; ++i) {
    const double x = i / 60.0, p = std::exp(-decay * std::pow(x, 1.3)), spread = 1.96 * (0.02 + 0.4 * x * x);
    c.b.push_back(from + (to - from) * x);
    c.probability.push_back(p);
    c.lower.push_back(p * std::exp(-spread));
    c.upper.push_back(std::min(1.0, p * std::exp(spread)));
  }
  r.curves.push_back(std::move(c));
}

Reliability subset() {
  Reliability r;
  r.method = "subset-simulation";
  r.simulations = 4600;
  r.failed = 3;
  r.of = {{"base.above", 0.25, "m", 3.1e-5, 0.21, 2.1e-5, 4.7e-5},
          {"drift.above", 0.012, "m", 4.4e-6, 0.34, 2.3e-6, 8.6e-6},
          {"any", nan, "", 3.4e-5, 0.2, 2.3e-5, 5.1e-5}};
  add_curve(r, "base.above", 0.02, 0.28, 12);
  add_curve(r, "drift.above", 0.001, 0.0135, 14);
  r.levels = {{-std::numeric_limits<double>::infinity(), 0.1, 0.095, 1000, 1, 0, 0},
              {-0.141, 0.1, 0.12, 900, 0.46, 0.58, 0.82},
              {-0.083, 0.1, 0.13, 900, 0.44, 0.61, 0.84},
              {-0.039, 0.1, 0.14, 900, 0.43, 0.63, 0.86},
              {-0.012, 0.34, 0.09, 900, 0.41, 0.66, 0.87}};
  r.sets = {3.1e-5, 4.4e-5, 2.7e-5, 3.5e-5};
  r.agreement = 0.62;
  add_failures(r, 340);
  return r;
}

Reliability first_order() {
  Reliability r;
  r.method = "form";
  r.simulations = 96;
  r.of = {{"base.above", 0.25, "m", 2.6e-5, nan, nan, nan}, {"any", nan, "", 2.6e-5, nan, nan, nan}};
  for (const Column& c : all_columns) r.variables.push_back(c.name);
  Reliability::DesignPoint d;
  d.limit = "base.above";
  d.beta = 4.05;
  d.importance = {0.58, 0.27, 0.002, 0.098, 0.05};
  for (std::size_t i = 0; i < 5; ++i) {
    const Column& c = all_columns[i];
    d.u.push_back((c.shift < 0 ? -1 : 1) * d.beta * std::sqrt(d.importance[i]));
    d.inputs.push_back(c.mean + c.std * d.u.back());
    r.causes.push_back({c.name, c.unit, c.mean, c.std, nan, nan, nan, d.importance[i]});
  }
  d.curvatures = {-0.02, 0.01, 0.03, 0.08};
  d.form = 2.6e-5, d.sorm = 2.1e-5;
  r.design_points = {d};
  r.doubts = {
      "A sample of 64 realizations about the design point does not agree with the plane: 20 % of those that should fail do not. "
      "The limit state is "
      "curved; compare with subset-simulation."};
  return r;
}

Reliability enhanced() {
  Reliability r = subset();
  r.method = "enhanced-monte-carlo";
  r.simulations = 20000;
  r.levels.clear();
  r.sets = {2.9e-5, 4.0e-5};
  r.agreement = 0.4;
  for (std::size_t k = 0; k < r.of.size(); ++k) {
    Reliability::Tail t{0.6, 13 + 2 * double(k), 0.18, 1.3, {}, {}, {}, {}, 0.3, 0.72};
    for (int i = 0; i <= 30; ++i) {
      const double lambda = 0.2 + 0.6 * i / 30, p = t.q * std::exp(-t.a * std::pow(std::max(0.0, lambda - t.b), t.c)),
                   cov = 1 / std::sqrt(20000 * p);
      t.lambda.push_back(lambda);
      t.estimate.push_back(p * (1 + 0.5 * cov * std::sin(7.0 * i)));
      t.lower.push_back(p * std::exp(-1.96 * cov));
      t.upper.push_back(std::min(1.0, p * std::exp(1.96 * cov)));
    }
    r.tails.push_back(std::move(t));
  }
  return r;
}

Reliability of_kind(const std::string& kind) {
  if (kind == "form") return first_order();
  if (kind == "enhanced-monte-carlo") return enhanced();
  Reliability r = subset();
  if (kind == "doubtful") {
    r.sets = {3.1e-5, 2.9e-7, 2.7e-5, 4.1e-7};
    r.agreement = 0.0007;
    r.doubts = {
        "The four sets of chains differ by more than chance allows (3.1e-5, 2.9e-7, 2.7e-5, 4.1e-7; p = 0.0007): a part of the "
        "failure region may have "
        "been missed. Take more samples per level, or compare with importance-sampling."};
  }
  if (kind == "none") {
    for (auto& p : r.of) p.probability = 0, p.cov = nan, p.lower = 0, p.upper = 1e-12;
    r.curves.clear(), r.sets.clear(), r.failures = {}, r.causes.clear();
    r.doubts = {"No realization passes a limit down to a probability of 1e-12. Check the limits, or lower them."};
  }
  return r;
}

}  // namespace

results::StudyResult made_up_reliability(const std::string& kind) {
  results::StudyResult r;
  r.nominal = shaken(0.25, 8);
  const auto found = std::make_shared<const Reliability>(of_kind(kind));
  r.method = found->method;
  r.planned = r.done = found->simulations;
  r.ok.assign(std::size_t(r.done), 1);
  r.rows_follow_law = false;
  for (const Column& c : all_columns) {
    r.columns.push_back({c.name, c.unit, "normal"});
    results::ColumnLaw law{c.name, c.unit, "normal", c.name, {}, {}, c.mean, c.std, c.mean, true};
    for (int i = -40; i <= 40; ++i) {
      law.x.push_back(c.mean + 0.1 * i * c.std);
      law.density.push_back(density_of(c, law.x.back()));
    }
    r.laws.columns.push_back(std::move(law));
    r.laws.quantities.push_back({c.name, "scalar", "normal", c.unit, c.name, "", {}, {}});
  }
  r.statistics.realizations = 0;
  const std::vector<double> none(times, nan);
  for (int c = 0; c < 2; ++c) {
    results::ChannelStatistics s;
    for (std::size_t t = 0; t < times; ++t) s.nominal.push_back(r.nominal.values[2 * t + std::size_t(c)]);
    for (auto* x : {&s.mean, &s.std, &s.lower, &s.upper, &s.minimum, &s.maximum, &s.mean_error, &s.std_error, &s.lower_error,
                    &s.upper_error})
      *x = none;
    r.statistics.channels.push_back(std::move(s));
  }
  r.reliability = found;
  return r;
}

}  // namespace aleator::core::test
