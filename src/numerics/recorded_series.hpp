// Numbers derived from sampled functions of time (series.hpp, sampled.hpp), as programs for lanes and devices: the same bits.
#pragma once

#include <span>
#include <vector>

#include "numerics/program_sequence.hpp"

namespace aleator::core {

struct RecordedSeries {
  struct Wanted {
    bool largest = false, least = false;  // between the times, too; of the least what is largest of −x
  };
  // Recalls [times][channels] and tells: line 0 is 0 where all values are usable; then of each channel ∫x² dt, ∫x dt, the last value, and what else is wanted.
  ProgramSequence sequence;
  int lines = 0;
  enum Number { square, integral, last, always };
  struct Channel {
    int first = 0, largest = -1, least = -1;  // lines; −1: not wanted
  };
  std::vector<Channel> channels;
};

constexpr std::size_t fewest_times_recorded = 2;

// Values whose size is above `usable` are not. Times increase.
RecordedSeries record_series(std::span<const double> times, std::span<const RecordedSeries::Wanted> channels, double usable);

}  // namespace aleator::core
