// The inputs at which a model follows each measured specimen best: minima of
//   ½ |r(z)|² + ½ w |z − a|²,   w = 1/4 and a = 0 unless a start says otherwise,
// in the coordinates of InputScale, by Gauss–Newton steps with Marquardt's damping from several starts each. The second term bounds
// directions in which the response does not change. All specimens step at once: simulations come in large batches.
#pragma once

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "inference/input_scale.hpp"
#include "inference/noise_density.hpp"

namespace aleator::core::inference {

// Responses [samples][times × channels] to inputs; empty where the simulation failed.
using Simulate = std::function<std::vector<std::vector<double>>(const std::vector<Inputs>&)>;

struct InputMode {
  int specimen = 0;
  Eigen::VectorXd z;
  Eigen::MatrixXd precision;  // JᵀJ + w I: of the normal density that has this maximum and this curvature
  double cost = 0;            // at the minimum
  double misfit = 0;          // |r|² there
};

struct ModeStart {
  int specimen = 0;
  Eigen::VectorXd z;
  Eigen::VectorXd anchor = Eigen::VectorXd::Zero(z.size());  // a
  double weight = 0.25;                                      // w
};

// One mode for each start that can be simulated, in their order.
std::vector<InputMode> find_modes(const std::vector<ModeStart>& starts, const NoiseDensity& noise, const InputScale& scale,
                                  const Simulate& simulate);

// Those worth integrating over, best first for each specimen: different from better ones, and not hopelessly worse.
std::vector<InputMode> distinct(std::vector<InputMode> modes, int most);

}  // namespace aleator::core::inference
