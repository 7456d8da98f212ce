// Numbers derived from a sampled function of time.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "numerics/rainflow.hpp"

namespace aleator::core {

struct FrequencyWeighting;

enum class Reduction {
  maximum,
  minimum,
  largest_magnitude,
  final,
  rms,
  average,
  first_crossing,
  crossings,
  crossing_rate,
  peak_count,
  peak_mean,
  peak_quantile,
  largest_running_rms,
  vibration_dose,
  damage,
  equivalent_amplitude,
  value  // no reduction: a number of its own, `level`
};

struct ReductionSettings {
  Reduction reduction = Reduction::maximum;
  double level = 0;   // of crossings; of `value` the value
  int direction = 0;  // of crossings: +1 upwards, −1 downwards, 0 either
  double from = -std::numeric_limits<double>::infinity(),
         to = std::numeric_limits<double>::infinity();  // s: times outside do not count
  const FrequencyWeighting* weighting = nullptr;        // a filter that all times pass first; nullptr: none
  double probability = 0.5;                             // of a quantile of peaks
  double window = 1;                                    // s: of the running rms
  WoehlerCurve curve;  // of damage; of an equivalent amplitude its exponent and cycles (0: those counted)
};

// Of the values x[0], x[stride], … at the given times. Integrals by the trapezoidal rule. Extremes and crossings are those of the polynomial
// through the five nearest values, between the times too, where times are equidistant and resolve the function: third differences
// below 0.6 of the first ones, eight times or more in a period. Elsewhere (jumps, spikes) extremes are values, crossings on straight lines. A
// level is crossed when it is reached from one side: to begin on it is no crossing. Peaks are local maxima, without the ends; the
// running rms at t is that of the window that ends at t; the dose is (∫x⁴ dt)^¼. NaN when a level is never crossed or there is no peak, when there are
// no times, and when any value is not finite, whichever the reduction.
double reduce(const ReductionSettings& settings, std::span<const double> times, const double* x, int stride);

// ∫ x² dt by the trapezoidal rule. No interval: x² at that instant, as weights of integrals are (analysis/time_integral.hpp).
double integral_of_square(std::span<const double> times, const double* x, int stride);
// The rms of the window that ends at each time; of the time there is while that is shorter.
std::vector<double> running_rms(std::span<const double> times, const double* x, int stride, double window);
// ∫ x² dt of all columns of x, [times][columns]; added to `sums`, [columns].
void add_integrals_of_squares(std::span<const double> times, std::span<const double> x, std::span<double> sums);

bool all_finite(std::span<const double> x);

}  // namespace aleator::core
