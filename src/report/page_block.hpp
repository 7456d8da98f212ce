// The numbers of a page: one block of bytes, little-endian, each array at a multiple of eight; in the text of the page an array is
// {"at": …, "length": …, "type": …} (web/src/data.ts puts typed arrays in their place).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace aleator::core::report {

class PageBlock {
 public:
  void exact(Json& j, std::span<const double> values);  // 64 bits
  void drawn(Json& j, std::span<const double> values);  // 32 bits: enough for a picture
  void whole(Json& j, std::span<const std::uint32_t> values);
  const std::vector<unsigned char>& bytes() const { return bytes_; }

 private:
  void put(Json& j, const void* data, std::size_t size, std::size_t length, std::string_view type);
  std::vector<unsigned char> bytes_;
};

}  // namespace aleator::core::report
