// The density of a sample, smoothed by a normal kernel:
//   p(x) = (1/n h) Σ_k φ((x − x_k)/h),   h = 0.9 min(s, IQR/1.34) n^(−1/5)      (Silverman 1986).
#pragma once

#include <limits>
#include <vector>

namespace aleator::core::analysis {

struct Density {
  std::vector<double> values, density;  // at places from below the smallest to above the largest value; none if nothing scatters
};

// Nothing lies beyond the bounds: what the kernel would put there is reflected.
Density density_of(std::vector<double> sample, int places = 201, double lower_bound = -std::numeric_limits<double>::infinity(),
                   double upper_bound = std::numeric_limits<double>::infinity());

}  // namespace aleator::core::analysis
