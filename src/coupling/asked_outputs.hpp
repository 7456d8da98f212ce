// What other programs ask of a response, as numbers: a scalar of the model, or an output at a time.
#pragma once

#include <string>
#include <vector>

#include <aleator/uncertainty.hpp>

namespace aleator::core::coupling {

// One number of a response.
struct AskedOutput {
  std::string name;  // as it was asked for
  bool scalar = false;
  std::size_t index = 0;       // of the scalar, or of the output
  std::size_t time_index = 0;  // of the output

  double value(const aleator::Responses& y, std::size_t sample) const;
  double derivative(const aleator::Jacobian& j, std::size_t sample, std::size_t input) const;
};

// "peak" is a scalar, "accel_z@0.4" an output at a time, "accel_z" at the last one. Throws std::invalid_argument with what is known.
AskedOutput asked_output(const aleator::Ensemble& forward, const std::string& name);
// An output at a time of the model's.
AskedOutput asked_output_at(const aleator::Ensemble& forward, const std::string& name, double time);
bool is_scalar(const aleator::Ensemble& forward, const std::string& name);

// Those of these names; without any, the scalars of the model or, where it has none, its outputs at the last time. Throws
// std::invalid_argument, also when it has neither.
std::vector<AskedOutput> asked_outputs(const aleator::Ensemble& forward, const std::vector<std::string>& names);

}  // namespace aleator::core::coupling
