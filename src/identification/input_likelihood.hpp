// The likelihood of whole responses through their noise (inference/input_integral.hpp), of a model whose free parameters are those of the
// distributions of a few numbers.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "identification/free_model.hpp"
#include "inference/input_integral.hpp"

namespace aleator::core {

class InputLikelihood {
 public:
  // Why there is none, for the user; empty: there is one.
  static std::string obstacle(const FreeModel& free, const results::Measurements& measured);

  // Simulates; `places`: values of the free parameters all over their ranges. Throws ImpossibleLaw where distributions exist at none.
  InputLikelihood(const FreeModel& free, const results::Measurements& measured, const std::vector<std::vector<double>>& places,
                  long scouts, std::uint64_t seed);

  double operator()(std::span<const double> values) const;  // −∞ where the distributions do not exist
  // Standard error of the difference between two values of it.
  double error(std::span<const double> values, std::span<const double> other) const;
  // Simulates more for these values of the parameters; false: nothing to be gained.
  bool refine(const std::vector<std::vector<double>>& values);
  long simulations() const { return integral_->simulations(); }
  // What remains of all specimens where the model follows them best: the probability of as much noise, and its size in units of the noise.
  struct Misfit {
    double p = 1, size = 1;
  };
  Misfit misfit() const;
  // Specimens that the model does not follow to within their noise, whatever its random numbers, in words; empty: none.
  std::string unfollowed(const results::Measurements& measured) const;

 private:
  const FreeModel& free_;
  std::unique_ptr<inference::InputIntegral> integral_;
};

}  // namespace aleator::core
