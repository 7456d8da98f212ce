// Frequency weightings of vibration that people feel (ISO 2631-1, annex A): filters given by their transfer functions,
//   H(p) = 1/(1 + √2 ω1/p + (ω1/p)²) · 1/(1 + √2 p/ω2 + (p/ω2)²)                       band limits
//        · (1 + p/ω3)/(1 + p/(Q4 ω4) + (p/ω4)²)                                        from acceleration to velocity
//        · (1 + p/(Q5 ω5) + (p/ω5)²)/(1 + p/(Q6 ω6) + (p/ω6)²) · (ω5/ω6)²              step upwards
#pragma once

#include <complex>
#include <span>
#include <string_view>
#include <vector>

namespace aleator::core {

struct FrequencyWeighting {
  std::string_view name;
  double f1, f2;          // Hz
  double f3, f4, q4;      // f4 infinite: no transition; f3 infinite: no numerator
  double f5, q5, f6, q6;  // infinite: no step
  double highest;         // Hz: the last of the third octaves for which the standard gives it
};

std::span<const FrequencyWeighting> frequency_weightings();
const FrequencyWeighting* frequency_weighting(std::string_view name);  // or nullptr

std::complex<double> transfer(const FrequencyWeighting& w, double hertz);

// The filtered signal: at rest before the first value, values `step` apart. Its transfer function is exact up to half the sampling
// frequency (by Fourier transform, padded with zeros until the filter has forgotten); there is nothing above.
std::vector<double> weighted(const FrequencyWeighting& w, double step, std::span<const double> x);

}  // namespace aleator::core
