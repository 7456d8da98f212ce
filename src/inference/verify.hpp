// A search with few evaluations is checked where its answer rests on it: the function is evaluated at the maximum of the surrogate, at
// the ends of the confidence interval of each parameter and half way to them. Where the surrogate was wrong it learns, and is checked
// again at the places that it then has.
#pragma once

#include <limits>
#include <vector>

#include "inference/profile.hpp"

namespace aleator::core::inference {

struct VerifySettings {
  double drop = 0;         // of the intervals
  double accuracy = 0.15;  // wanted of the surrogate there, beside the jumps of the function
  int evaluations = 0;     // at most, all in all
  std::function<void(int evaluations, double largest)> progress = nullptr;
};

struct Verification {
  std::vector<Profile> profiles;  // [parameters]
  std::vector<Place> places;      // the maximum and the ends of the intervals
  // Error of the surrogate there when all were last checked: the largest, of jumps the rms; NaN: evaluations did not suffice.
  double error = std::numeric_limits<double>::quiet_NaN();
  bool agreed = false;  // as accurate as wanted
};

// The exploration gets the evaluations, and the maximum that follows from them.
Verification verify(const Function& f, Exploration& exploration, const VerifySettings& settings);

}  // namespace aleator::core::inference
