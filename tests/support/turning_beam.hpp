// Flap frequencies μ of a uniform beam that is clamped at the axis about which it turns, in units of √(EI/(m L⁴)), as is its speed η:
//   w'''' − (½ η² (1 − x²) w')' = μ² w,  w(0) = w'(0) = 0,  w''(1) = w'''(1) = 0.
// In the plane of rotation (lag): μ² = μ_flap² − η².
#pragma once

#include <cstddef>
#include <vector>

namespace aleator::core::test {

std::vector<double> flap_frequencies(double eta, std::size_t count);

}  // namespace aleator::core::test
