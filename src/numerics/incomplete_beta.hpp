// The incomplete beta function: laws of shares, Student's t, and what a count says of a probability.
#pragma once

namespace aleator::core {

double incomplete_beta(double a, double b, double x);          // I_x(a, b), regularised: P(X ≤ x) of the law Beta(a, b)
double incomplete_beta_inverse(double a, double b, double p);  // the x with I_x(a, b) = p

// What `count` events among `trials` say of their probability (Clopper & Pearson 1934): right for none and for all, never too narrow.
struct CountInterval {
  double lower = 0, upper = 1;
};
CountInterval clopper_pearson(double count, double trials, double confidence = 0.95);

}  // namespace aleator::core
