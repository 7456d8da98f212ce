#include "base/json.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/utf8.hpp"

namespace aleator::core {
namespace {

unsigned byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Besides what JSON asks for: <, > and &, which could end a script or begin markup, and the two separators of lines that
// JavaScript did not accept in its strings for long.
bool is_escaped(std::string_view character) {
  const unsigned c = byte(character, 0);
  return c < 0x20 || c == '<' || c == '>' || c == '&' || character == "\u2028" || character == "\u2029";
}

void append_character(std::string& text, std::string_view character) {
  if (character == "\"" || character == "\\") text += '\\';
  if (!is_escaped(character)) {
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
    const std::size_t length = utf8_length(utf8.substr(i));
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

}  // namespace aleator::core
