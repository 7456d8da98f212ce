#include "uncertainty/wave.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "elements/ancf_axis.hpp"
#include "uncertainty/distribution_module.hpp"

namespace aleator::core {
namespace {

// Mean and coefficient of variation of g(value) over the distribution at a point: the midpoint rule in the probability. The outermost
// points lie 3.7 standard deviations from the mean of a normal distribution, whose 1/E would have no mean at all.
template <class F>
BeamField::Wave moments_at_point(const FieldLaw& law, double mean, F&& g) {
  constexpr int points = 4096;
  double sum = 0, squares = 0;
  for (int i = 0; i < points; ++i) {
    const double x = g(law.value(mean, distribution_module().normal_quantile((i + 0.5) / points)) / mean);
    sum += x / points;
    squares += x * x / points;
  }
  return {sum, std::sqrt(std::max(0.0, squares - sum * sum)) / sum};
}

}  // namespace

std::string wave_number_of(const std::string& field) { return field + ".wave_number"; }
std::string phase_of(const std::string& field) { return field + ".phase"; }

BeamField::Wave wave_of(const BeamField& f) {
  if (f.beams.size() != 1)
    throw std::invalid_argument(
        fmt::format("the field '{}' runs along {} beams; a wave of it runs along one (omit 'also')", f.name, f.beams.size()));
  const std::vector<double>& along = f.beams[0].mean;
  const double mean = along[0];
  const bool uniform = std::all_of(along.begin(), along.end(), [&](double x) { return x == mean; });
  if (!uniform && !f.law.relative)
    throw std::invalid_argument(fmt::format(
        "the nominal value of '{}' varies along the beam, and so does its coefficient of variation; give 'cov' instead "
        "of 'std'",
        f.name));
  BeamField::Wave w;
  if (f.law.kind == FieldLaw::Kind::lognormal) {
    const double cov = f.law.relative ? f.law.spread : f.law.spread / mean;
    w = {f.property == "E" ? 1 + cov * cov : 1, cov};  // 1/E is lognormal, too, with the same coefficient of variation
  } else if (f.property == "E") {
    const double least = f.law.value(mean, -3.7);
    if (!(least > 0))
      throw std::invalid_argument(fmt::format(
          "'{}' may be negative by its distribution, and 1/E has no mean then; use 'law: lognormal', or a smaller spread",
          f.name));
    w = moments_at_point(f.law, mean, [](double x) { return 1 / x; });
  } else {
    w = moments_at_point(f.law, mean, [](double x) { return x; });
  }
  if (!(w.sigma > 0)) throw std::invalid_argument(fmt::format("the field '{}' does not scatter", f.name));
  if (std::numbers::sqrt2 * w.sigma >= 1)
    throw std::invalid_argument(fmt::format(
        "the field '{}' has a coefficient of variation of {:.3g}; a wave of it would be negative in places: it must be "
        "below 0.707 (and the theory is one of small scatter, 0.2 or so)",
        f.name, w.sigma));
  return w;
}

void make_wave(BeamField& f, BeamField::Term wave_number, BeamField::Term phase) {
  f.wave = wave_of(f);
  f.terms = {wave_number, phase};
}

std::vector<double> wave_values(const BeamField& f, const BeamField::Beam& beam, std::span<const double> mean, double wave_number,
                                double phase) {
  std::vector<double> out(mean.size());
  for (size_t i = 0; i < out.size(); ++i) {
    const double wave =
        f.wave->level * (1 + std::numbers::sqrt2 * f.wave->sigma * std::cos(wave_number * beam.places[i] + phase));
    out[i] = f.property == "E" ? mean[i] / wave : mean[i] * wave;
  }
  return out;
}

double resolved_wave_number(const BeamField& f) {
  const BeamField::Beam& beam = f.beams[0];
  return std::numbers::pi * double(beam.places.size() / ancf::points) / beam.length;
}

}  // namespace aleator::core
