#include "report/json.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

namespace aleator::report {
namespace {

unsigned byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Bytes of the character that begins at i: 0 if they are no UTF-8 (overlong, a surrogate, above U+10FFFF, cut off).
std::size_t utf8_length(std::string_view text, std::size_t i) {
  const unsigned lead = byte(text, i);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || i + length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(text, i + k) & 0xC0U) != 0x80) return 0;
  const unsigned second = byte(text, i + 1);
  const bool excluded = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
                        (lead == 0xF4 && second > 0x8F);
  return excluded ? 0 : length;
}

// Besides what JSON asks for: <, > and &, which could end a script or begin markup, and the two separators of lines that
// JavaScript did not accept in its strings for long.
bool escaped(std::string_view character) {
  const unsigned c = byte(character, 0);
  return c < 0x20 || c == '<' || c == '>' || c == '&' || character == "\u2028" || character == "\u2029";
}

void append_character(std::string& text, std::string_view character) {
  if (character == "\"" || character == "\\") text += '\\';
  if (!escaped(character)) {
    text += character;
    return;
  }
  const unsigned code = character.size() == 1 ? byte(character, 0) : 0x2000U + (byte(character, 2) & 0x3FU);
  fmt::format_to(std::back_inserter(text), "\\u{:04x}", code);
}

template <class T>
void append_number(std::string& text, T x) {
  if (std::isfinite(x))
    fmt::format_to(std::back_inserter(text), "{}", x);
  else
    text += "null";
}

}  // namespace

void Json::separate() {
  if (!separated_) text_ += ',';
  separated_ = false;
}

void Json::quote(std::string_view utf8) {
  text_ += '"';
  for (std::size_t i = 0; i < utf8.size();) {
    const std::size_t length = utf8_length(utf8, i);
    append_character(text_, length > 0 ? utf8.substr(i, length) : std::string_view("\uFFFD"));
    i += length > 0 ? length : 1;
  }
  text_ += '"';
}

Json& Json::object() {
  separate();
  text_ += '{';
  open_ += '}';
  separated_ = true;
  return *this;
}

Json& Json::array() {
  separate();
  text_ += '[';
  open_ += ']';
  separated_ = true;
  return *this;
}

Json& Json::end() {
  assert(!open_.empty());
  text_ += open_.back();
  open_.pop_back();
  separated_ = false;
  return *this;
}

Json& Json::key(std::string_view name) {
  assert(!open_.empty() && open_.back() == '}');
  separate();
  quote(name);
  text_ += ':';
  separated_ = true;
  return *this;
}

Json& Json::string(std::string_view utf8) {
  separate();
  quote(utf8);
  return *this;
}

Json& Json::number(double x) {
  separate();
  append_number(text_, x);
  return *this;
}

Json& Json::boolean(bool x) {
  separate();
  text_ += x ? "true" : "false";
  return *this;
}

Json& Json::null() {
  separate();
  text_ += "null";
  return *this;
}

template <class T>
Json& Json::list(std::span<const T> values) {
  array();
  for (const T x : values) {
    separate();
    append_number(text_, x);
  }
  return end();
}

Json& Json::numbers(std::span<const double> values) { return list(values); }
Json& Json::numbers(std::span<const float> values) { return list(values); }

std::string Json::take() {
  assert(open_.empty());
  separated_ = true;
  return std::exchange(text_, {});
}

}  // namespace aleator::report
