#include "identification/input_likelihood.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "numerics/chi_squared.hpp"

namespace aleator::core {

using inference::InputIntegral;
using inference::Inputs;
using inference::LogInputDensity;
using Laws = std::vector<std::shared_ptr<const Distribution>>;

namespace {

double log_density(const Laws& laws, const Inputs& x) {
  double sum = 0;
  for (size_t c = 0; c < laws.size(); ++c) sum += std::log(laws[c]->pdf(x[c]));  // the logarithm of 0 is −∞
  return sum;
}

// log of the mean of several densities.
double log_mean_density(const std::vector<Laws>& all, const Inputs& x) {
  double sum = 0;
  for (const Laws& laws : all) {
    double p = 1 / double(all.size());
    for (size_t c = 0; c < laws.size(); ++c) p *= laws[c]->pdf(x[c]);
    sum += p;
  }
  return std::log(sum);
}

}  // namespace

std::string InputLikelihood::obstacle(const FreeModel& free, const results::Measurements& measured) {
  if (!free.why_no_inputs().empty()) return free.why_no_inputs();
  if (free.random_variables() > InputIntegral::most_inputs)
    return fmt::format("{} numbers of the model are random, and the integral is for at most {}", free.random_variables(),
                       InputIntegral::most_inputs);
  for (size_t c = 0; c < measured.channels.size(); ++c)
    if (!(measured.noise[c] > 0)) return fmt::format("`noise` of {} is not given", measured.channels[c]);
  return "";
}

InputLikelihood::InputLikelihood(const FreeModel& free, const results::Measurements& measured,
                                 const std::vector<std::vector<double>>& places, long scouts, std::uint64_t seed)
    : free_(free) {
  std::vector<Laws> all;
  std::vector<Inputs> drawn;
  std::optional<ImpossibleLaw> why;
  for (const std::vector<double>& values : places) try {
      Laws laws = free.laws(values);
      const std::vector<Inputs> own = free.draw_inputs(values, scouts / long(places.size()) + 1, seed);
      all.push_back(std::move(laws));
      drawn.insert(drawn.end(), own.begin(), own.end());
    } catch (const ImpossibleLaw& e) {
      why = e;
    }
  if (all.empty()) throw *why;
  std::vector<bool> positive(all[0].size(), true);
  for (const Laws& laws : all)
    for (size_t c = 0; c < laws.size(); ++c) positive[c] = positive[c] && laws[c]->lower() >= 0;
  for (const Inputs& x : drawn)
    for (size_t c = 0; c < x.size(); ++c) positive[c] = positive[c] && x[c] > 0;
  integral_ = std::make_unique<InputIntegral>(
      inference::NoiseDensity(free.times(), measured),
      [&free](const std::vector<Inputs>& inputs) { return free.responses_to(inputs); }, positive, drawn,
      [all](const Inputs& x) { return log_mean_density(all, x); });
}

double InputLikelihood::operator()(std::span<const double> values) const {
  try {
    const Laws laws = free_.laws(values);
    return integral_->log_likelihood([&](const Inputs& x) { return log_density(laws, x); });
  } catch (const ImpossibleLaw&) {
    return -std::numeric_limits<double>::infinity();
  }
}

double InputLikelihood::error(std::span<const double> values, std::span<const double> other) const {
  const Laws a = free_.laws(values), b = free_.laws(other);
  return integral_->error_of_difference([&](const Inputs& x) { return log_density(a, x); },
                                        [&](const Inputs& x) { return log_density(b, x); });
}

bool InputLikelihood::refine(const std::vector<std::vector<double>>& values) {
  std::vector<LogInputDensity> densities;
  for (const std::vector<double>& v : values) {
    try {
      densities.push_back([laws = free_.laws(v)](const Inputs& x) { return log_density(laws, x); });
    } catch (const ImpossibleLaw&) {
    }
  }
  return integral_->refine(densities);
}

// χ² of all points less the inputs that were fitted to them.
InputLikelihood::Misfit InputLikelihood::misfit() const {
  double sum = 0, freedom = 0;
  for (size_t k = 0; k < integral_->misfits().size(); ++k) {
    sum += integral_->misfits()[k];
    freedom += std::max(0.0, double(integral_->noise().points(int(k))) - double(free_.random_variables()));
  }
  if (!(freedom > 0)) return {};
  return {std::max(chi_squared_tail(sum, freedom), 1e-4), std::sqrt(sum / freedom)};  // as small as permutations can tell
}

// By χ² of their points, by far: of n points it is n ± √2n.
std::string InputLikelihood::unfollowed(const results::Measurements& measured) const {
  std::string some;
  int count = 0;
  const std::vector<double>& misfits = integral_->misfits();
  for (size_t k = 0; k < misfits.size(); ++k) {
    const double points = double(integral_->noise().points(int(k)));
    if (!(misfits[k] > points + 8 * std::sqrt(2 * points))) continue;
    if (++count <= 3)
      some += fmt::format("{}{} ({:.2g} times the noise)", some.empty() ? "" : ", ", measured.specimens[k].name,
                          std::sqrt(misfits[k] / points));
  }
  if (count == 0) return "";
  return fmt::format(
      "{} of {} specimens cannot be followed by the model to within their noise, whatever its random numbers: {}{}", count,
      misfits.size(), some, count > 3 ? ", …" : "");
}

}  // namespace aleator::core
