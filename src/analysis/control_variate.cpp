#include "analysis/control_variate.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace aleator::core::analysis {

double Disagreement::error(double n) const { return std::sqrt(std::max(0.0, chance - shift * shift) / n); }

double mean_distance(std::span<const double> model, std::span<const double> expansion) {
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < model.size(); ++i)
    if (const double d = std::abs(model[i] - expansion[i]); std::isfinite(d)) sum += d, ++n;
  return n > 0 ? sum / n : 0;
}

Disagreement disagreement(std::span<const double> model, std::span<const double> expansion, double level, double density) {
  const double n = double(model.size());
  Disagreement d;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const double difference = double(model[i] <= level) - double(expansion[i] <= level);
    d.shift += difference / n;
    d.chance += std::abs(difference) / n;
  }
  d.chance = std::clamp(density * mean_distance(model, expansion), d.chance, 1.0);
  return d;
}

results::Estimate corrected_probability(const results::Estimate& g, const Disagreement& below, double n) {
  return {std::clamp(g.value - below.shift, 0.0, 1.0), std::hypot(g.error, below.error(n))};
}

namespace {

// T(G) + mean ψ(f) − ψ(g); what has no value counts 0.
template <class F>
results::Estimate corrected(const results::Estimate& g, std::span<const double> model, std::span<const double> expansion,
                            const F& psi) {
  const double n = double(model.size());
  const auto of = [&](double x) { return std::isfinite(x) ? psi(x) : 0.0; };
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < model.size(); ++i) mean += (of(model[i]) - of(expansion[i])) / n;
  for (std::size_t i = 0; i < model.size(); ++i) square += std::pow(of(model[i]) - of(expansion[i]) - mean, 2);
  return {g.value + mean, n > 1 ? std::hypot(g.error, std::sqrt(square / (n * (n - 1)))) : nan};
}

}  // namespace

results::Estimate corrected_mean(const results::Estimate& g, std::span<const double> model, std::span<const double> expansion,
                                 double share) {
  return corrected(g, model, expansion, [&](double x) { return (x - g.value) / share; });
}

results::Estimate corrected_std(const results::Estimate& g, double mean, std::span<const double> model,
                                std::span<const double> expansion, double share) {
  if (!(g.value > 0)) return g;
  results::Estimate s = corrected(
      g, model, expansion, [&](double x) { return ((x - mean) * (x - mean) - g.value * g.value) / (2 * g.value * share); });
  s.value = std::max(0.0, s.value);
  return s;
}

}  // namespace aleator::core::analysis
