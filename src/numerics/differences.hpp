// Derivatives by differences, extrapolated to a vanishing step, with an estimate of their error.
//
// Central:    D(h) = (f(x + h) − f(x − h)) / 2h = f′ + c₂ h² + c₄ h⁴ + …, at h, h/2, h/4, h/8.
// One-sided:  D(h) = (f(x + h) − f(x)) / h     = f′ + c₁ h + c₂ h² + …,   at h, h/2, …, h/128 (h < 0: to the left).
// Richardson: A[k][j] = A[k][j−1] + (A[k][j−1] − A[k−1][j−1]) / (2^(pj) − 1) with p = 2 and p = 1: each column removes a power.
//
// Either way eight values. Large steps have an error of truncation, small ones that of the digits of f: of all A[k][j] that one is taken
// which differs least from those it was made of, and the difference is the estimate, as in Ridders' method. A single difference may vanish
// by chance; of a function of time the largest in the neighbourhood counts.
#pragma once

#include <array>
#include <span>
#include <vector>

namespace aleator::core {

struct DifferenceSteps {
  double x = 0;
  double step = 0;      // the largest; negative: to the left, when one-sided
  bool central = true;  // otherwise on one side of x

  static constexpr int points = 8;
  std::array<double, points> places() const;  // where f is needed, besides x for one-sided ones
};

struct DerivativeSeries {
  std::vector<double> value, error;  // [times]; NaN and infinity where there is none
};

// `at_x` are the values of f(x) over time; `around` those at the places, an empty one where f could not be evaluated: larger steps than
// the largest of a failed place are left out. Fewer than two steps are not enough.
DerivativeSeries derivative(const DifferenceSteps& steps, std::span<const double> at_x,
                            const std::array<std::span<const double>, DifferenceSteps::points>& around);

}  // namespace aleator::core
