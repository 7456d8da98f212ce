#include "results/read_variability.hpp"

#include <cmath>

namespace aleator::core::results {

namespace {
const std::string variability_group = "/variability";
}

bool has_variability(const StudyReader& file) { return file.has(variability_group); }

Variability read_variability(const StudyReader& file) {
  if (!has_variability(file))
    throw ReadError(file.path(), "it has no variability response; compute it with run --method variability");
  Variability v;
  v.field = file.text_attribute(variability_group, "field");
  v.correlation = file.text_attribute(variability_group, "correlation");
  v.sigma = file.number_attribute(variability_group, "sigma");
  v.level = file.number_attribute(variability_group, "level");
  v.phases = file.count_attribute(variability_group, "phases");
  v.weights = file.numbers_attribute(variability_group, "weights");
  v.wave_numbers = file.numbers(variability_group + "/wave_number");
  for (std::size_t k = 0; k < v.wave_numbers.size(); ++k)
    if (!std::isfinite(v.wave_numbers[k]) || (k == 0 ? v.wave_numbers[k] != 0 : !(v.wave_numbers[k] > v.wave_numbers[k - 1])))
      throw ReadError(file.path(), variability_group + "/wave_number does not rise from 0");
  if (v.wave_numbers.empty()) throw ReadError(file.path(), variability_group + "/wave_number is empty");
  for (const std::string& output : file.outputs()) {
    const std::string of = variability_group + "/" + output;
    v.of.push_back({file.numbers(of + "/dvrf"), file.numbers(of + "/dmrf"), file.numbers(of + "/bound")});
  }
  return v;
}

}  // namespace aleator::core::results
