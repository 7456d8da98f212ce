// Numbers derived from a sampled function of time.
#pragma once

#include <span>

namespace aleator::core {

enum class Reduction { maximum, minimum, largest_magnitude, final, rms, average, first_crossing };

struct ReductionSettings {
  Reduction reduction = Reduction::maximum;
  double level = 0;   // of a crossing
  int direction = 0;  // of a crossing: +1 upwards, −1 downwards, 0 either
};

// Of the values x[0], x[stride], … at the given times. Integrals by the trapezoidal rule. Extremes and crossings are those of the polynomial
// through the five nearest values, between the times too, where times are equidistant and resolve the function: third differences
// below 0.6 of the first ones, eight times or more in a period. Elsewhere (jumps, spikes) extremes are values, crossings on straight lines. A
// level is crossed when it is reached from one side: to begin on it is no crossing. NaN when it is never crossed, when there are
// no times, and when any value is not finite, whichever the reduction.
double reduce(const ReductionSettings& settings, std::span<const double> times, const double* x, int stride);

// ∫ x² dt by the trapezoidal rule.
double integral_of_square(std::span<const double> times, const double* x, int stride);
// The same of all columns of x, [times][columns]; added to `sums`, [columns].
void add_integrals_of_squares(std::span<const double> times, std::span<const double> x, std::span<double> sums);

bool all_finite(std::span<const double> x);

}  // namespace aleator::core
