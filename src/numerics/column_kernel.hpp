// Statistics of what a kernel of a simulation has left in the memory of a device, as PTX: of each block of realizations, for every output at every time,
// central moments and sorted values, and how many exceed a limit. A value is added to what and when as analysis/moments.cpp does it: the same bits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace aleator::core {

// Of the sorted values of a block: first, first + step …; a step is a power of two from 2 on.
struct ColumnPick {
  std::uint32_t first = 0, step = 2;
};

struct ColumnSums {
  int rows = 256;               // of a block: 64, 128 or 256
  int lines = 0;                // of a pack's outputs; the first are …
  int channels = 0, times = 0;  // … [times][channels]
  struct Limit {
    int channel;
    double level;
    bool above;
  };
  std::vector<Limit> limits;

  int points() const { return channels * times; }
  // What comes of a block: numbers [moments][points], [limits][times], [picked][points].
  enum Moment { mean, m2, m3, m4, least, most, moments };
  int first_count() const { return moments * points(); }
  int first_sorted() const { return first_count() + int(limits.size()) * times; }
  int numbers(const ColumnPick& p) const { return first_sorted() + rows / int(p.step) * points(); }
  int most_numbers() const { return first_sorted() + rows / 2 * points(); }  // at most every second of its values is picked
};

// A block, as the kernel reads it.
struct ColumnBlock {
  std::uint32_t first_pack, first, step;  // of its sorted values: first, first + step …
  std::uint32_t at;                       // where its numbers begin, in numbers
};

constexpr int column_threads = 128;

// The kernel is called "columns", with a block of threads for each ColumnBlock. Parameters: addresses of outputs, blocks and sums.
std::string column_kernel(const ColumnSums& sums);
int column_shared_bytes(const ColumnSums& sums);

}  // namespace aleator::core
