#include "report/base64.hpp"

#include <cstdint>

namespace aleator::core::report {

std::string base64(std::span<const unsigned char> bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  const auto put = [&](std::uint32_t group, int characters) {
    for (int k = 0; k < characters; ++k) out[k] = digits[(group >> (18 - 6 * k)) & 63U];
    out += 4;
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3)
    put(std::uint32_t(bytes[i]) << 16 | std::uint32_t(bytes[i + 1]) << 8 | std::uint32_t(bytes[i + 2]), 4);
  if (bytes.size() - i == 2) put(std::uint32_t(bytes[i]) << 16 | std::uint32_t(bytes[i + 1]) << 8, 3);
  if (bytes.size() - i == 1) put(std::uint32_t(bytes[i]) << 16, 2);
  return text;
}

}  // namespace aleator::core::report
