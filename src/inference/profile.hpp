// Profile likelihoods: the log-likelihood with one or two parameters held, the others at their best; and the confidence intervals they
// bound. On the unit cube, of a function that is cheap (a surrogate).
#pragma once

#include <vector>

#include "inference/explore.hpp"

namespace aleator::core::inference {

struct LogLikelihood {
  Function f;                 // any thread
  Place at;                   // of its maximum
  double largest = 0;         // there
  std::vector<Place> starts;  // further places from which the others are improved: other hills, ends of ridges
};

// What was explored; it must outlive the hill.
LogLikelihood hill_of(const Exploration& exploration);

struct Range {
  double from = 0, to = 1;
};

struct Profile {
  std::vector<double> at, values;               // evenly over the interesting range, and at the maximum; values less the maximum
  double lower = 0, upper = 1;                  // ends of the confidence interval …
  bool open_below = false, open_above = false;  // … which the range ends before the function falls that far
  Place lower_at, upper_at;                     // the ends, with the other parameters at their best

  Range range() const { return {at.front(), at.back()}; }
};

// The interval is where the profile is at most `drop` below the maximum: χ²₁ / 2 of the confidence. The interesting range goes to about
// three times that drop.
Profile profile(const LogLikelihood& hill, int parameter, double drop, int places = 41);

struct PairProfile {
  std::vector<double> first_at, second_at;
  std::vector<double> values;  // [first_at][second_at] less the maximum
};

PairProfile pair_profile(const LogLikelihood& hill, int first, int second, Range first_range, Range second_range,
                         int places = 25);

}  // namespace aleator::core::inference
