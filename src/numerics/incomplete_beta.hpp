// The regularised incomplete beta function I_x(a, b): the distribution function of a beta distribution, tails of Student's t and of
// binomial numbers.
#pragma once

namespace aleator::core {

double incomplete_beta(double a, double b, double x);

}  // namespace aleator::core
