// The standard normal law, far into its tails.
#pragma once

namespace aleator::core::reliability {

double normal_density(double x);
double normal_probability(double x);  // Φ(x)
double normal_tail(double x);         // Φ(−x), accurate where it is tiny
double normal_quantile(double p);     // Φ⁻¹(p), to round-off; ∓∞ at 0 and 1
double tail_quantile(double p);       // the x with Φ(−x) = p: the reliability index of p
// Beyond `from`, by the number p in ]0, 1[ that is uniform: the x with Φ(−x) = p Φ(−from).
double beyond(double from, double p);

}  // namespace aleator::core::reliability
