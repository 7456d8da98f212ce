// What the module with OpenTURNS offers to the rest. Only src/uncertainty/distribution.cpp loads it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "uncertainty/distribution.hpp"

namespace aleator::core {

class DistributionModule {
 public:
  virtual ~DistributionModule() = default;
  virtual std::vector<std::string> names() const = 0;                             // of all laws of one number
  virtual std::vector<std::string> parameters(const std::string& law) const = 0;  // of a known law
  // The name and the parameters must be known ones. Throws std::invalid_argument for values OpenTURNS refuses.
  virtual std::unique_ptr<const Distribution> make(const Law& law) const = 0;
  virtual double normal_quantile(double p) const = 0;  // of the standard normal law; any thread
  virtual double normal_cdf(double x) const = 0;       // likewise

  // Points of the low-discrepancy sequence "sobol" or "halton", [count][dimension] in ]0, 1[, from the index `first` on. They
  // are the same in whatever pieces they are asked for. The origin is left out: index 0 is (1/2, 1/2, …) of Sobol (in
  // the order of Antonov and Saleev; points 2^k − 1 … 2^(k+1) − 2 fill one elementary interval each) and (1/2, 1/3, 1/5, …)
  // of Halton (not scrambled). Throws std::invalid_argument for other names and too many dimensions.
  virtual std::vector<double> low_discrepancy(const std::string& name, int dimension, long first, long count) const = 0;
  virtual int most_dimensions(const std::string& name) const = 0;
};

// Loaded at the first call; throws SimulationError when it is not there.
const DistributionModule& distribution_module();

// The module's only entry, returning a DistributionModule that is never destroyed. The number in its name changes with
// anything in this header or in distribution.hpp, so that a stale module is refused.
inline constexpr char distribution_module_entry[] = "aleator_distribution_module_5";

}  // namespace aleator::core
