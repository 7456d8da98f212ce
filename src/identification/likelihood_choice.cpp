#include "identification/likelihood_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "identification/input_likelihood.hpp"

namespace aleator::core {

using inference::IdentificationStudy;
using Likelihood = IdentificationStudy::Likelihood;

// The integral is exact, and natural where few numbers are random. Who gives components or their energy wants these.
Likelihood chosen_likelihood(const IdentificationStudy& study, const FreeModel& free, const results::Measurements& measured) {
  if (study.likelihood == Likelihood::kernel || study.likelihood == Likelihood::moments) return study.likelihood;
  const std::string why = InputLikelihood::obstacle(free, measured);
  if (study.likelihood == Likelihood::integral && !why.empty())
    throw input::InputError(study.likelihood_at, "likelihood: integral is not possible here: " + why).in_file(study.file);
  return why.empty() && study.components == 0 && std::isnan(study.energy) ? Likelihood::integral : Likelihood::kernel;
}

// Responses of d random variables lie on a surface of d dimensions. Noise gives it a thickness; without it responses have no density in
// more components than d, and kernels, which blur the surface, would make laws of little scatter too likely.
inference::ReductionSettings chosen_components(const IdentificationStudy& study, const FreeModel& free,
                                               const results::Measurements& measured) {
  const bool noisy = std::all_of(measured.noise.begin(), measured.noise.end(), [](double s) { return s > 0; });
  const int possible = noisy ? std::numeric_limits<int>::max() : free.random_variables();
  if (study.components > possible)
    throw input::InputError(study.components_at,
                            fmt::format("'components' must be at most {}, the number of random variables, found {}: without "
                                        "`noise` the responses have no density in more",
                                        possible, study.components))
        .in_file(study.file);
  if (study.components > 0) return {std::numeric_limits<double>::infinity(), int(study.components)};
  if (std::isnan(study.energy)) return {inference::default_energy, std::min(possible, inference::default_components)};
  return {study.energy, std::min<int>(possible, std::max<int>(1, int(study.samples / 2) - 2))};
}

std::vector<std::string> doubts_of_components(const FreeModel& free, const results::Measurements& measured, int components,
                                              double captured) {
  std::vector<std::string> out;
  const int random = free.random_variables();
  if (random < components)
    out.push_back(fmt::format(
        "only {} number{} of the model {} random: a density of {} principal components from kernels is then too wide, and the "
        "identified spread too small{}",
        random, random == 1 ? "" : "s", random == 1 ? "is" : "are", components,
        InputLikelihood::obstacle(free, measured).empty()
            ? "; without `likelihood`, `components` and `energy` the likelihood is that of the whole response, which is exact"
            : ""));
  if (captured < 0.5)
    out.push_back(
        fmt::format("the likelihood rests on {} principal component{} with {:.0f} % of the energy of the responses: what "
                    "the rest says about the parameters is not used (more `components` need more `samples`)",
                    components, components == 1 ? "" : "s", 100 * captured));
  return out;
}

}  // namespace aleator::core
