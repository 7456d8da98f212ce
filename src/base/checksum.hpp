// Whether bytes are still those that were written.
//
//   h = length + Σᵢ mix(wordᵢ + (i + 1) φ)   (mod 2⁶⁴),   i = 0, 1, …
//
// of words of eight bytes, little-endian, the last one filled up with zeros. mix is one-to-one: a single word that changes is
// always noticed, anything else but for a chance of 2⁻⁶⁴. The terms do not wait for each other, so that it is as fast as memory
// is. It is no signature: who changes a file on purpose can compute it again.
#pragma once

#include <cstdint>
#include <span>

namespace aleator::core {

class Checksum {
 public:
  Checksum() = default;
  explicit Checksum(std::uint64_t before) : length_(before) {}  // of what comes after so many bytes, for join()
  void join(const Checksum& next) { sum_ += next.sum_, length_ = next.length_; }
  void add(std::span<const unsigned char> bytes);  // all but the last addition have whole words
  std::uint64_t length() const { return length_; }
  std::uint64_t value() const { return sum_ + length_; }

 private:
  std::uint64_t sum_ = 0, length_ = 0;
};

std::uint64_t checksum(std::span<const unsigned char> bytes);

}  // namespace aleator::core
