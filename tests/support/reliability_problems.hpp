// Failure problems with known probabilities, as functions of independent standard normal numbers: excess > 0 is failure.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace aleator::core::test {

struct FailureProblem {
  std::string name;
  std::size_t dimension = 0, named = 0;
  double probability = 0;
  std::function<double(const std::vector<double>&)> excess;
};

// Linear oscillator under white noise held over 0.02 s for 30 s, at rest first; the larger of |x| at 1500 times, less the limit (Au & Beck 2001).
FailureProblem oscillator(double limit, double probability);

// Mass on two springs under a pulse: |x| after it beyond 3 r; the force is N(mean, std).
FailureProblem pulse(double mean, double std, double probability);

// Secondary oscillator on a primary one under white noise, eight lognormal numbers (Der Kiureghian & De Stefano 1991); strength of mean `strength`.
FailureProblem secondary_oscillator(double strength, double probability);

// Of the black-box reliability challenge (Rózsás & Slobbe 2019).
std::vector<FailureProblem> black_boxes();

// Σ u > beta √dimension.
FailureProblem plane(std::size_t dimension, double beta, bool named);

// Two branches of which the one that is nearer at first is the less probable one (Breitung 2019; Au & Wang 2014).
FailureProblem breitung();
FailureProblem misleading_start();

}  // namespace aleator::core::test
