// Derivatives of responses with respect to inputs, of many samples at once.
#pragma once

#include <aleator/uncertainty.hpp>

#include "base/constants.hpp"

namespace aleator::core {

// What is known of an input, to choose the step of differences.
struct InputRange {
  double spread = nan;                         // its standard deviation; NaN: unknown
  double lower = -infinity, upper = infinity;  // ends of its distribution
};

// `columns`: with respect to which inputs. `ranges`: of all inputs.
aleator::Jacobian differentiate(const aleator::Ensemble& forward, std::span<const double> x,
                                const std::vector<std::size_t>& columns, const std::vector<InputRange>& ranges,
                                const std::stop_token& stop);

}  // namespace aleator::core
