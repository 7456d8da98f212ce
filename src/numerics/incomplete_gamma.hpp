// The regularised incomplete gamma functions, P(a, x) + Q(a, x) = 1: the gamma and the χ² law.
#pragma once

#include <span>

namespace aleator::core {

struct IncompleteGamma {
  double lower, upper;  // P and Q; the smaller one with all its digits
};
IncompleteGamma incomplete_gamma(double a, double x);  // a > 0, x ≥ 0

double gamma_density(double a, double x);  // x^(a−1) e^(−x) / Γ(a), the slope of P

// The x with P(a, x) = lower and Q(a, x) = upper; the smaller of both counts. Newton's method from Wilson & Hilferty's approximation.
double incomplete_gamma_inverse(double a, double lower, double upper);
// The same of many probabilities, [n] each: their series are summed eight at once, which changes no bit.
void incomplete_gamma_inverse(double a, std::span<const double> lower, std::span<const double> upper, std::span<double> x);

// The same written down for lanes: `lower` is in a slot, upper = 1 − lower.
class SequenceRecorder;
void record_incomplete_gamma_inverse(SequenceRecorder& to, double a, int lower, int x);

}  // namespace aleator::core
