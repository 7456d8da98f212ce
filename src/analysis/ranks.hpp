// Ranks of the values of a sample, in a time proportional to their number. Up to some 100,000 values are sorted by the cells of their range that they
// are in (2²², equally wide, or narrower around zero), by the two digits of the cell's number; the few that share one, by comparison. An order of
// values, and ranks where cells do not tell them apart: sorted as integers, digit by digit (Knuth, The Art of Computer Programming, vol. 3,
// algorithm 5.2.5R), by the 32 leading bits in which they differ.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace aleator::core::analysis {

// Of one thread, for one sample after the other: its memory stays.
class RankOrder {
 public:
  // Indices of the values from the least to the largest, valid until the next call; equal ones by their index. None may be NaN.
  std::span<const std::uint32_t> operator()(std::span<const double> x);
  // Ranks from 1; equal values have the average of theirs.
  void ranks(std::span<const double> x, std::span<double> to);

 private:
  bool by_cells(std::span<const double> x, std::span<double> to);

  std::vector<std::uint64_t> entries_, scratch_;  // key and index
  std::vector<std::uint32_t> order_, cells_, sorted_;
  std::vector<std::uint64_t> shared_;  // a bit for each place whose value is in the cell of the one before
};

std::vector<double> ranks(std::span<const double> x);

}  // namespace aleator::core::analysis
