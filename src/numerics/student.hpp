// Student's t: of a mean, where the spread is not known but estimated.
#pragma once

namespace aleator::core {

double student_tails(double x, double freedom);     // P(|t| > x)
double student_quantile(double p, double freedom);  // the t with P(T ≤ t) = p, p in ]0, 1[

}  // namespace aleator::core
