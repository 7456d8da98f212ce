// The standard normal distribution: probabilities are looked at as Φ⁻¹(P), which is nearly linear in the parameters of a design where P
// itself changes by decades. −Φ⁻¹(P) is the reliability index β.
#pragma once

namespace aleator::core::optimisation {

double normal_density(double z);
double normal_probability(double z);  // Φ(z), also where it is tiny
double normal_quantile(double p);     // Φ⁻¹(p), 0 < p < 1

}  // namespace aleator::core::optimisation
