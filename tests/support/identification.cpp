#include "support/identification.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace aleator::core::results {
namespace {

constexpr double end = 3;  // s
const char* const names[] = {"rb5.mass.cov", "rb5.center_of_mass.scale", "rb5.inertia.lambda_u", "rb4.mass.cov",
                             "rb3.mass.cov", "rb5.inertia.lambda_l",     "link.E.cov",           "link.E.length"};
constexpr double sizes[] = {0.2, 0.35, 1.6, 0.1, 0.15, 0.8, 0.05, 0.4};

// The response of a specimen whose germ is (x, y).
double response(int channel, double t, double x, double y) {
  const double pi = std::numbers::pi;
  if (channel == 0)
    return (9 + 1.5 * x) * std::exp(-0.3 * t) * std::sin(2 * pi * 1.3 * t * (1 + 0.02 * y)) * (1 - std::exp(-4 * t));
  return 0.4 * t + 0.08 * x * std::sin(2 * pi * 0.4 * t) + 0.05 * y * t;
}

// Log-likelihoods are quadratic in u, which is skewed: z = (w − estimate) / scale, u = (1 − exp(−z/4)) 4.
constexpr double skew = 0.25;
double u_of(double z) { return (1 - std::exp(-skew * z)) / skew; }
double z_of(double u) { return -std::log(std::max(0.02, 1 - skew * u)) / skew; }
double correlation(std::size_t i, std::size_t j) { return i == j ? 1 : (i + j) % 2 ? -0.65 / double(i + j) : 0.3; }

FreeParameter parameter(std::size_t k, const MadeUp& what) {
  FreeParameter p;
  p.name = names[k];
  p.unit = k == 7 ? "m" : "-";
  const double scale = 0.14 * sizes[k];
  p.from = 0.4 * sizes[k];
  p.to = 2.2 * sizes[k];
  p.written = 0.75 * sizes[k];
  if (what.method == "sweep") return p;
  p.estimate = sizes[k];
  const double reach = std::sqrt(2 * confidence_drop(0.95, 1));
  p.lower = std::max(p.from, p.estimate + scale * z_of(-reach));
  p.upper = std::min(p.to, p.estimate + scale * z_of(reach));
  if (what.method == "least-squares") {
    p.std = scale;
    return p;
  }
  const bool flat = k == 2;  // the data do not bound it above
  if (flat) p.open_above = true, p.upper = p.to;
  for (int i = 0; i <= 60; ++i) {
    const double w = p.from + (p.to - p.from) * i / 60, u = u_of((w - p.estimate) / scale);
    p.profile_at.push_back(w);
    p.profile.push_back(-0.5 * u * u * (flat && u > 0 ? 0.12 : 1));
  }
  if (what.method != "bayesian") return p;
  p.mean = p.estimate + 0.2 * scale;
  p.std = 1.1 * scale;
  p.credible_lower = p.lower + 0.1 * scale;
  p.credible_upper = p.upper;
  p.r_hat = 1.002 + 0.001 * double(k);
  p.effective_draws = 1800 - 200 * double(k);
  return p;
}

void add_likelihood(Identification& x) {
  const std::size_t d = x.parameters.size();
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j) x.correlation.push_back(correlation(i, j));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = i + 1; j < d; ++j) {
      PairProfile p{int(i), int(j), {}, {}, {}};
      const double r = correlation(i, j);
      const auto at = [&](std::size_t k, int n) {
        return x.parameters[k].from + (x.parameters[k].to - x.parameters[k].from) * n / 30;
      };
      for (int n = 0; n <= 30; ++n) p.first_at.push_back(at(i, n)), p.second_at.push_back(at(j, n));
      for (const double a : p.first_at)
        for (const double b : p.second_at) {
          const double u = u_of((a - sizes[i]) / (0.14 * sizes[i])), v = u_of((b - sizes[j]) / (0.14 * sizes[j]));
          p.values.push_back(-0.5 * (u * u - 2 * r * u * v + v * v) / (1 - r * r));
        }
      x.pairs.push_back(std::move(p));
    }
  x.log_likelihood = -812.34;
  x.region_drop = 3.9;
  x.evaluations = 312;
  x.samples = 2000;
  x.surrogate_error = 0.031;
  for (int i = 0; i < 20; ++i) x.energy.push_back(0.6 * std::pow(0.4, i));
  x.components = 5;
  for (int i = 0; i < x.components; ++i) x.captured += x.energy[std::size_t(i)];
}

void add_draws(Identification& x, std::mt19937& random) {
  std::normal_distribution<double> normal;
  for (int n = 0; n < 2000; ++n) {
    const double common = normal(random);
    for (std::size_t k = 0; k < x.parameters.size(); ++k) {
      const double u = 0.6 * (k % 2 ? -common : common) + 0.8 * normal(random);
      x.draws.push_back(std::clamp(sizes[k] * (1 + 0.14 * z_of(u)), x.parameters[k].from, x.parameters[k].to));
    }
  }
  x.acceptance = 0.42;
}

void add_measurements(Identification& x, const MadeUp& what, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  const double off = what.explained ? 0 : 2.5;
  x.measured.channels = {"accel_z", "angle"};
  x.measured.noise = {0.15, 0};
  for (int k = 0; k < what.specimens; ++k) {
    Specimen s;
    s.name = "specimen-" + std::to_string(k + 1);
    const int times = what.irregular ? 12 + k % 20 : what.times;
    for (int i = 0; i < times; ++i) s.times.push_back(what.irregular ? end * uniform(random) : end * i / (times - 1));
    std::sort(s.times.begin(), s.times.end());
    const double a = normal(random) + off, b = normal(random);
    for (int i = 0; i < times; ++i)
      for (int c = 0; c < 2; ++c) {
        const double t = s.times[std::size_t(i)];
        const bool gap = (k % 7 == 3 && c == 0 && t > 1.2 && t < 1.6) || (what.irregular && i % 9 == 4);
        s.values.push_back(gap ? std::nan("") : response(c, t, a, b) + x.measured.noise[std::size_t(c)] * normal(random));
      }
    x.measured.specimens.push_back(std::move(s));
  }
}

void add_bands(Identification& x, const MadeUp& what) {
  for (int i = 0; i <= 300; ++i) x.times.push_back(end * i / 300);
  for (int c = 0; c < 2; ++c) {
    PredictedBand band;
    for (const double t : x.times) {
      const double m = response(c, t, 0, 0);
      band.mean.push_back(m);
      if (what.method == "least-squares") continue;
      const double spread =
          1.645 * std::hypot(response(c, t, 1, 0) - m, response(c, t, 0, 1) - m, x.measured.noise[std::size_t(c)]);
      band.lower.push_back(m - spread);
      band.upper.push_back(m + spread);
    }
    x.bands.push_back(std::move(band));
    if (what.method != "least-squares")
      x.coverage.push_back(what.explained ? Coverage{0.912, 0.85, 0.95} : Coverage{0.31, 0.85, 0.95});
  }
}

void add_sweeps(Identification& x) {
  for (std::size_t k = 0; k < x.parameters.size(); ++k) {
    Sweep s;
    for (int i = 0; i < 9; ++i) s.at.push_back(x.parameters[k].from + (x.parameters[k].to - x.parameters[k].from) * i / 8);
    for (int c = 0; c < 2; ++c) {
      std::vector<double> spread, error, width;
      for (const double w : s.at) {
        spread.push_back((c == 0 ? 2 : 0.05) * (k == 1 ? 0.4 : w / sizes[k]));
        error.push_back(0.04 * spread.back());
        width.push_back(3.3 * spread.back());
      }
      s.spread.push_back(spread), s.spread_error.push_back(error), s.width.push_back(width);
    }
    x.sweeps.push_back(std::move(s));
  }
  x.samples = 500;
  x.evaluations = long(9 * x.parameters.size());
}

}  // namespace

Identification made_up_identification(const MadeUp& what) {
  std::mt19937 random(7);
  Identification x;
  x.method = what.method;
  const bool likelihood = what.method == "maximum-likelihood" || what.method == "bayesian";
  for (int k = 0; k < what.parameters; ++k) x.parameters.push_back(parameter(std::size_t(k), what));
  if (likelihood) x.likelihood = "kernel", add_likelihood(x);
  if (what.method == "bayesian") add_draws(x, random);
  x.explained = what.explained && what.method != "sweep";
  if (what.method == "sweep") {
    x.measured.channels = {"accel_z", "angle"};
    x.measured.noise = {0, 0};
    add_sweeps(x);
    x.verdict = "The spread of accel_z grows with rb5.mass.cov; rb5.center_of_mass.scale hardly matters.";
    return x;
  }
  add_measurements(x, what, random);
  add_bands(x, what);
  x.fit_p = what.explained ? 0.43 : 0.0004;
  x.verdict = what.explained ? "The model explains the data: specimens of the model itself would fit no better in 43 % of cases."
                             : "The model does not explain the data, at any admissible values of the parameters.";
  if (!what.explained) x.warnings.push_back("accel_z looks as if it were given in g: divided by 9.81 it would fit.");
  if (likelihood && what.parameters > 2)
    x.warnings.push_back("The data do not bound rb5.inertia.lambda_u from above: it is at least 1.25.");
  return x;
}

MadeUpStudy::MadeUpStudy(std::shared_ptr<const Identification> identification) {
  constexpr std::size_t rows = 200, times = 301;
  StudyResult& r = result;
  r.identification = std::move(identification);
  r.nominal.channels = {{"accel_z", "m/s^2"}, {"angle", "rad"}};
  for (std::size_t t = 0; t < times; ++t) r.nominal.time.push_back(end * double(t) / (times - 1));
  for (const double t : r.nominal.time)
    for (int c = 0; c < 2; ++c) r.nominal.values.push_back(response(c, t, 0, 0));
  r.columns = {{"rb5.mass", "kg", "gamma, mean 2, cov 0.2"}, {"rb4.mass", "kg", "gamma, mean 1, cov 0.1"}};
  r.method = "monte-carlo";
  r.planned = r.done = long(rows);
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (std::size_t k = 0; k < rows; ++k) {
    r.inputs.push_back(normal(random));
    r.inputs.push_back(normal(random));
    r.ok.push_back(1);
    for (const double t : r.nominal.time)
      for (int c = 0; c < 2; ++c) responses.push_back(response(c, t, r.inputs[2 * k], r.inputs[2 * k + 1]));
  }
  r.responses = responses;
  r.statistics.realizations = long(rows);
  for (int c = 0; c < 2; ++c) {
    ChannelStatistics s;
    for (const double t : r.nominal.time) {
      const double m = response(c, t, 0, 0), spread = std::hypot(response(c, t, 1, 0) - m, response(c, t, 0, 1) - m);
      s.nominal.push_back(m), s.mean.push_back(m), s.std.push_back(spread);
      s.lower.push_back(m - 1.645 * spread), s.upper.push_back(m + 1.645 * spread);
      s.minimum.push_back(m - 3 * spread), s.maximum.push_back(m + 3 * spread);
      const double error = spread / std::sqrt(double(rows));
      s.mean_error.push_back(error), s.std_error.push_back(0.7 * error), s.lower_error.push_back(2 * error),
          s.upper_error.push_back(2 * error);
    }
    r.statistics.channels.push_back(std::move(s));
  }
}

}  // namespace aleator::core::results
