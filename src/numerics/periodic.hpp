// Functions of time that repeat themselves: one period is fitted, and all others share its series. Of those that grow or decay by the same factor in
// each period, as exp(−at) |sin ωt|, the series are the first ones times that factor.
#pragma once

#include <optional>

#include "numerics/piecewise.hpp"

namespace aleator::core {

// `one` is the function from 0 to the end of its period; its pieces again and again until `duration`, at least twice,
// f(t + period) − offset = exp(growth period) (f(t) − offset). Throws std::domain_error when that takes more than 200,000 pieces.
PiecewisePolynomial repeated(const PiecewisePolynomial& one, double duration, double growth = 0, double offset = 0);

// The first period of what `repeated` has made, stretched to another period. Nothing of other functions.
std::optional<PiecewisePolynomial> first_period(const PiecewisePolynomial& function, double period);

}  // namespace aleator::core
