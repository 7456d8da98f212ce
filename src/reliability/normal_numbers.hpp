// Random numbers of the methods for rare events. Counter-based (Philox4x64-10): number i of a source is a function of the source and of i alone,
// whatever was drawn before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace aleator::core::reliability {

struct Source {
  std::uint64_t seed = 1;
  std::uint64_t stream = 0;   // one per realization, chain, line: whatever is drawn together
  std::uint64_t purpose = 0;  // sources of equal streams and different purposes are independent
};

// Numbers first, first + 1, … of the source. Normal and uniform numbers of one source are independent of each other.
void fill_normals(const Source& source, std::span<double> out, std::uint64_t first = 0);  // standard normal (Box–Muller)
double uniform_number(const Source& source, std::uint64_t index = 0);                     // in ]0, 1[
std::uint64_t random_word(const Source& source, std::uint64_t index = 0);                 // 64 bits: for new streams of points

}  // namespace aleator::core::reliability
