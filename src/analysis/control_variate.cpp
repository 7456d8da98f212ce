#include "analysis/control_variate.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/replicates.hpp"
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

// An expansion may be wrong at few of the realizations that judge it, which then know the scatter of the differences badly: its
// estimate has the relative variance (κ − 1)/n with their kurtosis κ, as that of 2n/(κ − 1) + 1 normal ones: n of normal differences, about
// twice as many as there are differences where most are 0. The error is enlarged by Student's t of so many degrees of freedom.
double few_differences(double n, double square, double fourth) {
  const double kurtosis = square > 0 ? n * fourth / (square * square) : 3;
  return student_factor(std::clamp(2 * n / std::max(kurtosis - 1, 1e-6), 1.0, n - 1));
}

// T(G) + mean ψ(f) − ψ(g); what has no value counts 0.
template <class F>
results::Estimate corrected(const results::Estimate& g, std::span<const double> model, std::span<const double> expansion,
                            const F& psi) {
  const double n = double(model.size());
  const auto of = [&](double x) { return std::isfinite(x) ? psi(x) : 0.0; };
  double mean = 0, square = 0, fourth = 0;
  for (std::size_t i = 0; i < model.size(); ++i) mean += (of(model[i]) - of(expansion[i])) / n;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const double d2 = std::pow(of(model[i]) - of(expansion[i]) - mean, 2);
    square += d2, fourth += d2 * d2;
  }
  if (!(n > 1)) return {g.value + mean, nan};
  return {g.value + mean, std::hypot(g.error, few_differences(n, square, fourth) * std::sqrt(square / (n * (n - 1))))};
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
