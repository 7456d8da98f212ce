#include "inference/ensemble_sampler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "analysis/quantiles.hpp"
#include "base/cancellation.hpp"
#include "inference/autocorrelation.hpp"

namespace aleator::core::inference {
namespace {

constexpr double whole_difference = 0.1;  // share of differential moves from one maximum to another
constexpr double impossible = -std::numeric_limits<double>::infinity();

double density(const Function& log_density, const Place& x) {
  for (const double v : x)
    if (!(v >= 0 && v <= 1)) return impossible;
  const double value = log_density(x);
  return std::isnan(value) ? impossible : value;
}

double reflected(double v) { return std::abs(std::remainder(v, 2.0)); }  // at 0 and at 1

struct Walker {
  Place x;
  double log_density;
};

class Ensemble {
 public:
  Ensemble(const Function& log_density, std::vector<Place> start, const Uniform& uniform, double differential)
      : log_density_(log_density), uniform_(uniform), differential_(differential) {
    for (Place& x : start) {
      const double value = density(log_density, x);
      walkers_.push_back({std::move(x), value});
    }
    proposal_.resize(walkers_[0].x.size());
  }

  void step() {
    const std::size_t half = walkers_.size() / 2;
    throw_if_cancelled();
    for (std::size_t k = 0; k < walkers_.size(); ++k) {
      const std::size_t others = k < half ? half : 0;  // where the other half begins
      const double log_factor = uniform_() < differential_ ? differential_move(k, others) : stretch_move(k, others);
      const double value = density(log_density_, proposal_);
      if (std::log(uniform_()) >= log_factor + value - walkers_[k].log_density) continue;
      walkers_[k].x = proposal_;
      walkers_[k].log_density = value;
      ++accepted_;
    }
    for (const Walker& w : walkers_) chain_.insert(chain_.end(), w.x.begin(), w.x.end());
    ++steps_;
  }

  long steps() const { return steps_; }
  std::size_t size() const { return walkers_.size(); }
  std::size_t dimension() const { return proposal_.size(); }
  double acceptance() const { return double(accepted_) / double(steps_ * long(walkers_.size())); }
  std::span<const double> draw(std::size_t k) const { return {chain_.data() + k * dimension(), dimension()}; }

  // [steps][walkers] of one coordinate, from a step on.
  std::vector<double> coordinate(std::size_t j, long from) const {
    std::vector<double> values;
    for (std::size_t k = std::size_t(from) * size(); k < std::size_t(steps_) * size(); ++k) values.push_back(draw(k)[j]);
    return values;
  }

 private:
  const Function& log_density_;
  const Uniform& uniform_;
  double differential_;
  std::vector<Walker> walkers_;
  Place proposal_;
  std::vector<double> chain_;  // [steps][walkers][d]
  long steps_ = 0, accepted_ = 0;

  std::size_t choice(std::size_t count) { return std::min(count - 1, std::size_t(uniform_() * double(count))); }

  // Moves fill the proposal; the logarithm of the factor of its probability of being accepted.
  double stretch_move(std::size_t k, std::size_t others) {
    const Place &x = walkers_[k].x, &y = walkers_[others + choice(walkers_.size() / 2)].x;
    const double root = (1 + uniform_()) / std::numbers::sqrt2, z = root * root;
    for (std::size_t j = 0; j < x.size(); ++j) proposal_[j] = y[j] + z * (x[j] - y[j]);
    return double(x.size() - 1) * std::log(z);
  }

  double differential_move(std::size_t k, std::size_t others) {
    const std::size_t half = walkers_.size() / 2, a = choice(half), b = (a + 1 + choice(half - 1)) % half;
    const Place &x = walkers_[k].x, &y = walkers_[others + a].x, &z = walkers_[others + b].x;
    const double length = uniform_() < whole_difference ? 1 : 2.38 / std::sqrt(2 * double(x.size()));
    for (std::size_t j = 0; j < x.size(); ++j) proposal_[j] = x[j] + length * (y[j] - z[j]);
    return 0;
  }
};

SampledParameter summary(std::vector<double> values, int walkers, double level) {
  SampledParameter p{};
  const double n = double(values.size());
  p.tau = autocorrelation_time(values, walkers);
  p.effective = p.tau > 0 ? n / p.tau : 0;
  p.r_hat = split_r_hat(values, walkers);
  for (const double v : values) p.mean += v / n;
  for (const double v : values) p.std += (v - p.mean) * (v - p.mean) / (n - 1);
  p.std = std::sqrt(p.std);
  std::sort(values.begin(), values.end());
  p.lower = analysis::quantile(values, (1 - level) / 2).value;
  p.upper = analysis::quantile(values, (1 + level) / 2).value;
  return p;
}

bool long_enough(const Ensemble& ensemble, long left_out, long effective) {
  const double kept = double(ensemble.steps() - left_out);
  for (std::size_t j = 0; j < ensemble.dimension(); ++j) {
    const double tau = autocorrelation_time(ensemble.coordinate(j, left_out), int(ensemble.size()));
    if (!(tau > 0 && kept >= 50 * tau && kept * double(ensemble.size()) >= double(effective) * tau)) return false;
  }
  return true;
}

void write_warnings(const std::vector<std::string>& names, EnsembleSample& sample) {
  for (std::size_t j = 0; j < sample.parameters.size(); ++j) {
    const SampledParameter& p = sample.parameters[j];
    const std::string name = j < names.size() ? names[j] : fmt::format("parameter {}", j + 1);
    if (!(p.r_hat <= 1.05))
      sample.warnings.push_back(
          fmt::format("Posterior of {}: parts of the sample disagree (R̂ = {:.2f} > 1.05); there may be several "
                      "maxima, or the sampler has to run longer.",
                      name, p.r_hat));
    if (std::isinf(p.tau))
      sample.warnings.push_back(
          fmt::format("Posterior of {}: after {} steps the sampler moves too slowly to estimate the effective sample size; "
                      "do not rely on its mean and interval.",
                      name, sample.steps));
    else if (!(p.effective >= 200))
      sample.warnings.push_back(
          fmt::format("Posterior of {}: the effective sample size is only {:.0f} (fewer than 200); its mean and "
                      "interval are inaccurate.",
                      name, p.effective));
  }
  if (sample.acceptance < 0.1 || sample.acceptance > 0.7)
    sample.warnings.push_back(
        fmt::format("Posterior: {:.0f} % of the moves of the sampler were accepted, where 10 to 70 % are usual: the "
                    "density is {}.",
                    100 * sample.acceptance, sample.acceptance < 0.1 ? "very rough or curved" : "flat where the walkers are"));
}

void check(const std::vector<Place>& walkers, const Function& log_density) {
  if (walkers.size() < 6 || walkers.size() % 2 != 0 || walkers.size() < 2 * walkers[0].size())
    throw std::runtime_error(
        fmt::format("sampler: {} walkers; an even number of at least 6 and twice the parameters is needed", walkers.size()));
  for (const Place& x : walkers)
    if (density(log_density, x) == impossible) throw std::runtime_error("sampler: a walker starts where the density is zero");
}

}  // namespace

int default_walkers(int dimension) { return std::max(16, 6 * dimension); }

std::vector<Place> walkers_around(std::span<const double> centre, std::span<const double> scale, int walkers,
                                  const Function& log_density, const Uniform& uniform) {
  constexpr int most_trials = 60;
  std::vector<Place> points;
  while (long(points.size()) < walkers) {
    Place x(centre.size());
    double shrink = 1;
    for (int trial = 0;; ++trial, shrink /= 2) {
      for (std::size_t j = 0; j < x.size(); ++j) x[j] = reflected(centre[j] + shrink * scale[j] * normal(uniform));
      if (density(log_density, x) != impossible) break;
      if (trial == most_trials)
        throw std::runtime_error("sampler: the density is zero at the point about which walkers should start");
    }
    points.push_back(std::move(x));
  }
  return points;
}

EnsembleSample sample_ensemble(const Function& log_density, std::vector<Place> walkers, const Uniform& uniform,
                               const SamplerSettings& settings) {
  check(walkers, log_density);
  Ensemble ensemble(log_density, std::move(walkers), uniform, settings.differential);
  EnsembleSample sample;
  for (long until = 400; !sample.long_enough && ensemble.steps() < settings.most_steps; until += until / 2) {
    while (ensemble.steps() < std::min(until, settings.most_steps)) ensemble.step();
    sample.left_out = ensemble.steps() / 4;
    sample.long_enough = long_enough(ensemble, sample.left_out, settings.effective);
  }
  sample.steps = ensemble.steps();
  sample.acceptance = ensemble.acceptance();
  for (std::size_t j = 0; j < ensemble.dimension(); ++j)
    sample.parameters.push_back(summary(ensemble.coordinate(j, sample.left_out), int(ensemble.size()), settings.level));
  // all walkers of every so many steps, from the end
  const long kept = sample.steps - sample.left_out;
  const long stride = std::max(1L, std::lround(double(kept) * double(ensemble.size()) / double(settings.draws)));
  for (long step = sample.left_out + (kept - 1) % stride; step < sample.steps; step += stride)
    for (std::size_t k = 0; k < ensemble.size(); ++k) {
      const auto x = ensemble.draw(std::size_t(step) * ensemble.size() + k);
      sample.draws.emplace_back(x.begin(), x.end());
    }
  write_warnings(settings.names, sample);
  return sample;
}

}  // namespace aleator::core::inference
