#include "base/json.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>
#include <iterator>
#include <utility>

#include "base/utf8.hpp"

namespace aleator::core {
namespace {

constexpr std::size_t width = 120;  // of a line in the readable layout

unsigned byte(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// What JSON asks for; for pages also <, > and &, which could end a script or begin markup, and the two separators of lines that
// JavaScript did not accept in its strings for long.
bool is_escaped(std::string_view character, bool for_pages) {
  const unsigned c = byte(character, 0);
  return c < 0x20 || (for_pages && (c == '<' || c == '>' || c == '&' || character == "\u2028" || character == "\u2029"));
}

void append_character(std::string& text, std::string_view character, bool for_pages) {
  if (character == "\"" || character == "\\") text += '\\';
  if (!is_escaped(character, for_pages)) {
    text += character;
    return;
  }
  const unsigned code = character.size() == 1 ? byte(character, 0) : 0x2000U + (byte(character, 2) & 0x3FU);
  fmt::format_to(std::back_inserter(text), "\\u{:04x}", code);
}

void append_quoted(std::string& text, std::string_view utf8, bool for_pages) {
  text += '"';
  for (std::size_t i = 0; i < utf8.size();) {
    const std::size_t length = utf8_length(utf8.substr(i));
    append_character(text, length > 0 ? utf8.substr(i, length) : std::string_view("\uFFFD"), for_pages);
    i += length > 0 ? length : 1;
  }
  text += '"';
}

template <class T>
void append_number(std::string& text, T x) {
  if (std::isfinite(x))
    fmt::format_to(std::back_inserter(text), "{}", x);
  else
    text += "null";
}

}  // namespace

// --- compact: everything goes straight into the text -------------------------------------------------------------------------

void Json::separate() {
  if (!separated_) text_ += ',';
  separated_ = false;
}

// --- readable: a value is placed in its parent when it is finished -----------------------------------------------------------

void Json::place(std::string_view line, std::string_view laid_out) {
  if (open_.empty()) {
    text_ += laid_out;
    return;
  }
  Open& parent = open_.back();
  const std::string key = std::exchange(key_, {});
  fmt::format_to(std::back_inserter(parent.line), "{}{}{}", parent.line.empty() ? "" : ", ", key, line);
  fmt::format_to(std::back_inserter(parent.lines), "{}{:{}}{}{}", parent.lines.empty() ? "" : ",\n", "", 2 * open_.size(), key,
                 laid_out);
}

// --- both --------------------------------------------------------------------------------------------------------------------

Json& Json::open(char begin, char end) {
  closing_ += end;
  if (is_compact()) {
    separate();
    text_ += begin;
    separated_ = true;
  } else {
    open_.push_back({std::exchange(key_, {}), {}, {}});
  }
  return *this;
}

Json& Json::object() { return open('{', '}'); }
Json& Json::array() { return open('[', ']'); }

Json& Json::end() {
  assert(!closing_.empty());
  const char end = closing_.back(), begin = end == '}' ? '{' : '[';
  closing_.pop_back();
  if (is_compact()) {
    text_ += end;
    separated_ = false;
    return *this;
  }
  const Open done = std::move(open_.back());
  open_.pop_back();
  key_ = done.key;
  const std::size_t indentation = 2 * open_.size();
  const std::string line = fmt::format("{}{}{}", begin, done.line, end);
  place(line,
        line.size() + indentation <= width ? line : fmt::format("{}\n{}\n{:{}}{}", begin, done.lines, "", indentation, end));
  return *this;
}

Json& Json::key(std::string_view name) {
  assert(!closing_.empty() && closing_.back() == '}');
  if (is_compact()) {
    separate();
    append_quoted(text_, name, true);
    text_ += ':';
    separated_ = true;
  } else {
    append_quoted(key_, name, false);
    key_ += ": ";
  }
  return *this;
}

Json& Json::scalar(std::string_view text) {
  if (is_compact()) {
    separate();
    text_ += text;
  } else {
    place(text, text);
  }
  return *this;
}

Json& Json::string(std::string_view utf8) {
  std::string text;
  append_quoted(text, utf8, is_compact());
  return scalar(text);
}

Json& Json::number(double x) {
  std::string text;
  append_number(text, x);
  return scalar(text);
}

Json& Json::integer(long long x) { return scalar(fmt::format("{}", x)); }

Json& Json::boolean(bool x) { return scalar(x ? "true" : "false"); }

Json& Json::null() { return scalar("null"); }

template <class T>
Json& Json::list(std::span<const T> values) {
  array();
  for (const T x : values) {
    if (is_compact()) {  // these lists are long: straight into the text
      separate();
      append_number(text_, x);
      continue;
    }
    std::string text;
    append_number(text, x);
    scalar(text);
  }
  return end();
}

Json& Json::numbers(std::span<const double> values) { return list(values); }
Json& Json::numbers(std::span<const float> values) { return list(values); }

std::string Json::take() {
  assert(closing_.empty());
  separated_ = true;
  return std::exchange(text_, {});
}

// --- values ------------------------------------------------------------------------------------------------------------------

JsonValue JsonValue::object(std::initializer_list<std::pair<std::string, JsonValue>> members) {
  JsonValue value(Shape::object);
  value.members_ = members;
  return value;
}

JsonValue JsonValue::array(std::vector<JsonValue> elements) {
  JsonValue value(Shape::array);
  for (JsonValue& element : elements) value.push(std::move(element));
  return value;
}

JsonValue& JsonValue::set(std::string_view key, JsonValue value) {
  if (JsonValue* member = find(key))
    *member = std::move(value);
  else
    members_.emplace_back(key, std::move(value));
  return *this;
}

JsonValue& JsonValue::push(JsonValue element) {
  members_.emplace_back("", std::move(element));
  return *this;
}

JsonValue* JsonValue::find(std::string_view key) {
  for (auto& [name, member] : members_)
    if (is_object() && name == key) return &member;
  return nullptr;
}

void JsonValue::remove(std::string_view key) {
  std::erase_if(members_, [&](const auto& member) { return member.first == key; });
}

void JsonValue::write(Json& to) const {
  switch (shape_) {
    case Shape::string:
      to.string(text_);
      return;
    case Shape::number:
      to.number(number_);
      return;
    case Shape::boolean:
      to.boolean(number_ != 0);
      return;
    case Shape::object:
    case Shape::array:
      is_object() ? to.object() : to.array();
      for (const auto& [key, value] : members_) {
        if (is_object()) to.key(key);
        value.write(to);
      }
      to.end();
  }
}

std::string JsonValue::text(Json::Layout layout) const {
  Json json(layout);
  write(json);
  return json.take();
}

}  // namespace aleator::core
