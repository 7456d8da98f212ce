#include "input/text.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "base/utf8.hpp"

namespace aleator::core::input {

namespace {

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7F;
}

}  // namespace

std::string read_bytes(const std::string& file, Source source, std::size_t most_mib) {
  const auto fail = [&](const std::string& why) { return InputError({}, why).in_file(file); };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) throw fail("is a folder, not a file");
  if (source == Source::ordinary_file && std::filesystem::exists(file, ignored) &&
      !std::filesystem::is_regular_file(file, ignored))
    throw fail("is not a regular file (a device or a pipe)");

  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw fail(fmt::format("cannot be opened: {}", errno ? std::strerror(errno) : "unknown reason"));

  std::string bytes;
  char block[1 << 16];
  while (stream.read(block, sizeof block), stream.gcount() > 0) {
    bytes.append(block, static_cast<std::size_t>(stream.gcount()));
    if (bytes.size() > most_mib << 20) throw fail(fmt::format("is larger than {} MiB", most_mib));
  }
  if (stream.bad()) throw fail("cannot be read");
  return bytes;
}

std::string plain_text(std::string_view bytes) {
  if (bytes.size() > limits::file_mib << 20) throw InputError({}, fmt::format("is larger than {} MiB", limits::file_mib));
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
    throw InputError({1, 1}, "the file is not UTF-8 text (it looks like UTF-16)");

  std::string text;
  text.reserve(bytes.size());
  Position at{1, 1};
  while (!bytes.empty()) {
    if (bytes.front() == '\r') {  // the line ends of Windows and of old Macs
      bytes.remove_prefix(bytes.starts_with("\r\n") ? 2 : 1);
      text += '\n';
      at = {at.line + 1, 1};
      continue;
    }
    const char first = bytes.front();
    if (first == '\0') throw InputError(at, "the file is not text: it contains a NUL byte");
    if (is_control(first))
      throw InputError(at, fmt::format("control character 0x{:02X} in the text", static_cast<unsigned char>(first)));
    const std::size_t length = utf8_length(bytes);
    if (length == 0) throw InputError(at, fmt::format("byte 0x{:02X} is not valid UTF-8", static_cast<unsigned char>(first)));
    text.append(bytes.substr(0, length));
    bytes.remove_prefix(length);
    at = first == '\n' ? Position{at.line + 1, 1} : Position{at.line, at.column + 1};
  }
  return text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string with_article(std::string_view noun) {
  const bool vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

bool parse_decimal(std::string_view text, double& value) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return false;
  }
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.')) return false;  // from_chars would take inf and nan
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() && std::isfinite(value);
}

bool is_identifier(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !is_digit(c)) return false;
  return true;
}

bool is_entry_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  for (const char c : text)
    if (!is_letter(c) && !is_digit(c) && c != '-') return false;
  return true;
}

bool is_dotted_name(std::string_view text) {
  for (std::size_t dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!is_entry_name(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return is_entry_name(text);
}

}  // namespace aleator::core::input
