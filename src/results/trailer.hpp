// The last 32 bytes of a results file: a checksum over all the others. HDF5 does not see them. They are checked before HDF5 sees
// the file, which is not proof against damaged ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

namespace aleator::core::results {

inline constexpr std::size_t trailer_size = 32;
std::array<unsigned char, trailer_size> trailer_of(std::uint64_t length, std::uint64_t checksum);
std::array<unsigned char, trailer_size> trailer_of(std::span<const unsigned char> file);

// A file that is open; it stays the same when another one gets its name.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor();
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

// Opens a results file that is what was written. `trust`: also one without a checksum. Throws ReadError.
Descriptor open_checked(const std::string& path, bool trust);
bool has_checksum(const Descriptor& file);  // which open_checked() has found to be right

}  // namespace aleator::core::results
