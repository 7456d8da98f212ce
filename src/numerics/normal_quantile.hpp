// Quantiles of the standard normal law.
#pragma once

namespace aleator::core {

// The z with Φ(z) = p, for 0 < p ≤ 1/2: z ≤ 0. Wichura's algorithm AS 241 (1988), relative error 1e-16, as far as numbers go.
double lower_normal_quantile(double p);

}  // namespace aleator::core
