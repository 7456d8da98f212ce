// Quantiles and tails for confidence intervals and goodness of fit.
#pragma once

namespace aleator::inference {

// P(T ≤ t) = p of Student's t with `freedom` degrees of freedom; p in ]0, 1[.
double student_quantile(double p, double freedom);

// P(X > x) of χ² with `freedom` degrees of freedom.
double chi_squared_tail(double x, double freedom);

}  // namespace aleator::inference
