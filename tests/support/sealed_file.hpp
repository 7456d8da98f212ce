// Results files that were changed on purpose, with a checksum that is right again.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "results/trailer.hpp"

namespace aleator::core::test {

// The part of HDF5, without its trailer.
inline std::vector<unsigned char> unsealed(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::vector<unsigned char> bytes(std::istreambuf_iterator<char>(in), {});
  const std::string end(bytes.end() - std::min<std::ptrdiff_t>(results::trailer_size, std::ssize(bytes)), bytes.end());
  if (end.starts_with("aleator checksum")) bytes.resize(bytes.size() - results::trailer_size);
  return bytes;
}

inline void write_sealed(const std::string& path, std::span<const unsigned char> file) {
  const auto trailer = results::trailer_of(file);
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(reinterpret_cast<const char*>(file.data()), std::streamsize(file.size()));
  out.write(reinterpret_cast<const char*>(trailer.data()), std::streamsize(trailer.size()));
}

inline void seal_again(const std::string& path) { write_sealed(path, unsealed(path)); }

}  // namespace aleator::core::test
