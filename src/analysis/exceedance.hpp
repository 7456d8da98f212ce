// How many realizations pass a level, and how well that share is known.
#pragma once

#include <cstddef>
#include <span>

#include "results/study.hpp"

namespace aleator::core::analysis {

// Adds 1 to the count of each time at which sign x is above sign level; whether there is one.
bool count_above(const double* x, std::size_t times, double sign, double level, double* counts);

// Whether the extreme of x[0], x[stride], … is beyond a level: between the times, too, where they resolve the function
// (numerics/series.hpp).
bool extreme_passes(std::span<const double> times, const double* x, int stride, double level, bool above);

// The error of a number of realizations, in realizations, from how many of each randomisation of a design there are, and are meant.
// `factor` is replicate_factor() of so many.
double ranks_by_replicates(std::span<const double> counted, std::span<const double> there, double factor);

// The share of those that are counted, by randomisation of the design; one: realizations are independent.
results::Estimate share_of(std::span<const double> counted, std::span<const double> there, double factor);

// The same with its 95 % confidence interval: of independent realizations that of Clopper and Pearson, else ± two standard errors. Where
// none of n has, or all have, the bound of n independent realizations: never 0 ± 0.
results::Probability probability_of(std::span<const double> counted, std::span<const double> there, double factor);
results::Probability with_interval(const results::Estimate& e, double n);  // ± two standard errors

// Responses of one output: `rows` realizations, x[k row_stride + t stride]. Those with a value that is not finite are left out.
struct ResponseRows {
  const double* x;
  std::size_t rows, row_stride;
  int stride;
};
// The probability that they are ever beyond a level, or at one of the times; NaN without realizations.
results::Probability exceedance(std::span<const double> times, const ResponseRows& y, double level, bool above, int replicates);
results::Probability exceedance_at(std::span<const double> times, std::size_t time, const ResponseRows& y, double level,
                                   bool above, int replicates);

}  // namespace aleator::core::analysis
