#include "base/base64.hpp"

#include <array>
#include <cstdint>

#include "base/utf8.hpp"

namespace aleator::core {

namespace {

constexpr char base64_digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view data_uri = "data:application/octet-stream;base64,";

bool is_plain_text(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t n = utf8_length(bytes);
    if (n == 0 || bytes[0] == 0) return false;
    bytes.remove_prefix(n);
  }
  return true;
}

}  // namespace

std::string base64(std::span<const unsigned char> bytes) {
  std::string text((bytes.size() + 2) / 3 * 4, '=');
  char* out = text.data();
  const auto put = [&](std::uint32_t group, int characters) {
    for (int k = 0; k < characters; ++k) out[k] = base64_digits[(group >> (18 - 6 * k)) & 63U];
    out += 4;
  };
  std::size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3)
    put(std::uint32_t(bytes[i]) << 16 | std::uint32_t(bytes[i + 1]) << 8 | std::uint32_t(bytes[i + 2]), 4);
  if (bytes.size() - i == 2) put(std::uint32_t(bytes[i]) << 16 | std::uint32_t(bytes[i + 1]) << 8, 3);
  if (bytes.size() - i == 1) put(std::uint32_t(bytes[i]) << 16, 2);
  return text;
}

bool from_base64(std::string_view text, std::string& bytes) {
  std::array<int, 256> value;
  value.fill(-1);
  for (int k = 0; k < 64; ++k) value[static_cast<unsigned char>(base64_digits[k])] = k;
  if (text.size() % 4 != 0) return false;
  bytes.clear();
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t i = 0; i < text.size(); i += 4) {
    const int padding = i + 4 < text.size() || text[i + 3] != '=' ? 0 : text[i + 2] == '=' ? 2 : 1;
    std::uint32_t group = 0;
    for (int k = 0; k < 4; ++k) {
      const int digit = k >= 4 - padding ? 0 : value[static_cast<unsigned char>(text[i + std::size_t(k)])];
      if (digit < 0) return false;
      group = group << 6 | std::uint32_t(digit);
    }
    for (int k = 0; k < 3 - padding; ++k) bytes += static_cast<char>(group >> (16 - 8 * k) & 0xFFU);
  }
  return true;
}

std::string bytes_as_text(std::string_view bytes) {
  if (is_plain_text(bytes) && !bytes.starts_with(data_uri)) return std::string(bytes);
  return std::string(data_uri) + base64({reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
}

std::string bytes_of_text(std::string_view text) {
  std::string bytes;
  if (text.starts_with(data_uri) && from_base64(text.substr(data_uri.size()), bytes)) return bytes;
  return std::string(text);
}

}  // namespace aleator::core
