// Standard errors from independent replicates of an estimate: their scatter over √R.
//
// Few replicates know their scatter badly: Student's t with R − 1 degrees of freedom. The error is enlarged by t(R − 1)/2, such that
// ± two standard errors cover 95.4 % as they do of a normal estimate: by 1.22 for eight replicates, by 7 for two.
#pragma once

#include <cstddef>
#include <span>

namespace aleator::core::analysis {

double student_factor(double freedom);                   // t(ν)/2
double replicate_factor(std::size_t replicates);         // t(R − 1)/2
double scatter_of_mean(std::span<const double> values);  // their standard deviation over √R; NaN of a single one

}  // namespace aleator::core::analysis
