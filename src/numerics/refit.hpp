// A function of another realization on the pieces of a fit (piecewise.hpp), as accurate as `fit` makes it, and in a hundredth of its time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "numerics/piecewise.hpp"

namespace aleator::core {

using ValuesAt = std::function<void(std::span<const double> t, std::span<double> y)>;

// It changes its sign where the function may have a breakpoint.
struct Switch {
  ValuesAt values;
  std::optional<std::vector<double>> zeros = {};  // all of them, if they are known
};

// The knots of `like` are kept where they resolve the function. At every breakpoint that may have moved, one of `switches` changes its
// sign; where that is, is solved for, unless it is known. Nothing where that does not do, and `fit` must look for itself.
std::optional<PiecewisePolynomial> refit(const ValuesAt& f, const PiecewisePolynomial& like,
                                         std::span<const double> breakpoints = {}, std::span<const Switch> switches = {},
                                         double tolerance = 1e-13);

}  // namespace aleator::core
