// What the fits of a chaos expansion share.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "analysis/chaos.hpp"
#include "base/parallel.hpp"

namespace aleator::core::analysis {

// Calls f(first, count) for portions of that many of n columns or rows, on all threads. A portion's arithmetic is its own, so
// that results do not depend on the number of threads.
template <class F>
void in_portions(Eigen::Index n, Eigen::Index portion, const F& f) {
  each_in_parallel(std::size_t((n + portion - 1) / portion), [&](std::size_t p) {
    const Eigen::Index first = Eigen::Index(p) * portion;
    f(first, std::min(portion, n - first));
  });
}

inline constexpr Eigen::Index outputs_at_once = 256, points_at_once = 64;

// n/(n − P) (1 + tr (ΨᵀΨ)⁻¹); infinite when no point is left to judge by.
double small_sample_correction(Eigen::Index points, Eigen::Index terms, double trace_of_inverse);

// Throws unless there is a row of finite numbers for each point.
void check_responses(const ChaosBasis& basis, std::span<const double> points, const Responses& y);

// The variance of each output, as the mean square around the mean with n − 1; 0 where it is round-off of the mean.
std::vector<double> sample_variance(const Responses& y);

// Mean squares as shares of the variance; NaN where it is zero.
std::vector<double> relative_to(std::span<const double> variance, std::vector<double> mean_square);

}  // namespace aleator::core::analysis
