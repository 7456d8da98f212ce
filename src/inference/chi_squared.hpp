// The χ² law, which says how far a log-likelihood falls at the edge of a confidence region (Wilks): by half a quantile.
#pragma once

namespace aleator::inference {

// P(χ²_ν ≤ x) = P(ν/2, x/2), the regularised incomplete gamma function.
double chi_squared_probability(double x, double freedom);

// The x with P(χ²_ν ≤ x) = p, 0 ≤ p < 1.
double chi_squared_quantile(double p, double freedom);

}  // namespace aleator::inference
