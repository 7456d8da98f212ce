#include "identification/posterior.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aleator::core {

using results::FreeParameter;

// Of the values: places may be their logarithms.
static void take_moments(const FreeModel& free, int parameter, const std::vector<inference::Place>& draws, FreeParameter& p) {
  const double n = double(draws.size());
  double mean = 0, square = 0;
  for (const inference::Place& x : draws) mean += free.value(parameter, x[size_t(parameter)]) / n;
  for (const inference::Place& x : draws) square += std::pow(free.value(parameter, x[size_t(parameter)]) - mean, 2) / n;
  p.mean = mean;
  p.std = std::sqrt(square);
}

inference::EnsembleSample draw_posterior(IdentifyTask& task, const inference::LogLikelihood& hill,
                                         const std::vector<inference::Profile>& profiles) {
  const FreeModel& free = task.free;
  const inference::Function of_values = [&](std::span<const double> place) {
    double out = hill.f(place);
    for (int i = 0; i < free.dimensions(); ++i)
      out += inference::log_density(task.study.free[size_t(i)].prior, free.value(i, place[size_t(i)]));
    return out;
  };
  const inference::Function density = [&](std::span<const double> place) {
    double out = of_values(place);
    for (int i = 0; i < free.dimensions(); ++i) out += free.log_slope(i, place[size_t(i)]);
    return out;
  };
  const inference::Maximum mode = inference::maximise_locally(of_values, inference::Box::unit(free.dimensions()), hill.at);
  task.estimate = free.values(mode.at);

  std::vector<double> scale;
  for (const inference::Profile& p : profiles) scale.push_back(std::max(1e-3, (p.upper - p.lower) / 8));
  inference::SamplerSettings settings;
  settings.level = task.study.confidence;
  for (const FreeParameter& p : free.parameters()) settings.names.push_back(p.name);
  const inference::Uniform uniform = uniforms(task.study.seed, "identification.posterior");
  inference::EnsembleSample sample = inference::sample_ensemble(
      density, inference::walkers_around(mode.at, scale, inference::default_walkers(free.dimensions()), density, uniform),
      uniform, settings);

  results::Identification& found = task.found;
  if (const double below = hill.largest - hill.f(mode.at); below > found.region_drop)
    found.warnings.push_back(fmt::format(
        "the prior contradicts the data: at the mode of the posterior the log-likelihood is {:.1f} below its largest, "
        "where it is known roughly only",
        below));
  for (int i = 0; i < free.dimensions(); ++i) {
    FreeParameter& p = found.parameters[size_t(i)];
    const inference::SampledParameter& s = sample.parameters[size_t(i)];
    p.estimate = task.estimate[size_t(i)];
    take_moments(free, i, sample.draws, p);
    p.credible_lower = free.value(i, s.lower);
    p.credible_upper = free.value(i, s.upper);
    p.r_hat = s.r_hat;
    p.effective_draws = s.effective;
  }
  found.acceptance = sample.acceptance;
  for (const inference::Place& draw : sample.draws)
    for (const double x : free.values(draw)) found.draws.push_back(x);
  found.warnings.insert(found.warnings.end(), sample.warnings.begin(), sample.warnings.end());
  return sample;
}

}  // namespace aleator::core
