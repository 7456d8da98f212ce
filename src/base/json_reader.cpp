#include "base/json_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.hpp"

namespace aleator::core {
namespace {

constexpr int deepest_json = 64;

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : text_(text) {}

  JsonInput document() {
    JsonInput v = value(0);
    skip_blanks();
    if (at_ < text_.size()) fail("expected nothing more");
    return v;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    const std::string_view before = text_.substr(0, at_);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t start = before.rfind('\n');
    throw JsonError(fmt::format("line {}, column {}: {}", line, start == std::string_view::npos ? at_ + 1 : at_ - start, why));
  }

  void skip_blanks() {
    while (at_ < text_.size() && std::string_view(" \t\r\n").find(text_[at_]) != std::string_view::npos) ++at_;
  }
  char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char c) {
    skip_blanks();
    if (next() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  bool take_word(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  JsonInput value(int depth) {
    if (depth > deepest_json) fail(fmt::format("nested more than {} deep", deepest_json));
    skip_blanks();
    JsonInput v;
    if (next() == '{') {
      read_object(v, depth);
    } else if (next() == '[') {
      read_array(v, depth);
    } else if (next() == '"') {
      v.kind = JsonInput::Kind::string;
      v.text = string();
    } else if (take_word("true") || take_word("false")) {
      v.kind = JsonInput::Kind::boolean;
      v.number = text_[at_ - 2] == 'u';
    } else if (!take_word("null")) {
      v.kind = JsonInput::Kind::number;
      v.number = number();
    }
    return v;
  }

  void read_array(JsonInput& v, int depth) {
    v.kind = JsonInput::Kind::array;
    take('[');
    if (take(']')) return;
    do v.elements.push_back(value(depth + 1));
    while (take(','));
    if (!take(']')) fail("expected ',' or ']'");
  }

  void read_object(JsonInput& v, int depth) {
    v.kind = JsonInput::Kind::object;
    take('{');
    if (take('}')) return;
    do {
      skip_blanks();
      if (next() != '"') fail("expected the name of a member in quotes");
      std::string name = string();
      if (v.find(name)) fail(fmt::format("'{}' is twice in this object", name));
      if (v.members.size() >= 1000) fail("more than 1000 members in an object");
      if (!take(':')) fail("expected ':'");
      v.members.push_back({std::move(name), value(depth + 1)});
    } while (take(','));
    if (!take('}')) fail("expected ',' or '}'");
  }

  // −? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
  double number() {
    const std::size_t begin = at_;
    const auto digits = [&] {
      const std::size_t first = at_;
      while (next() >= '0' && next() <= '9') ++at_;
      return at_ > first;
    };
    if (next() == '-') ++at_;
    const bool zero = next() == '0';
    const std::size_t first = at_;
    bool right = digits() && !(zero && at_ - first > 1);
    if (right && next() == '.') ++at_, right = digits();
    if (right && (next() == 'e' || next() == 'E')) {
      ++at_;
      if (next() == '+' || next() == '-') ++at_;
      right = digits();
    }
    if (!right) {
      at_ = begin;
      for (const std::string_view word : {"NaN", "Infinity", "-Infinity"})
        if (text_.substr(at_).starts_with(word)) fail(fmt::format("{} is no number in JSON", word));
      fail(at_ < text_.size() ? "expected a value" : "expected a value, and the text ends");
    }
    double x = 0;
    const char* const end = text_.data() + at_;
    const auto [stop, error] = std::from_chars(text_.data() + begin, end, x);
    if (error == std::errc::result_out_of_range) {  // too large for a double, or too small
      const std::string copy(text_.substr(begin, at_ - begin));
      x = std::strtod(copy.c_str(), nullptr);
    }
    if (!std::isfinite(x) || stop != end) at_ = begin, fail("this number is too large");
    return x;
  }

  unsigned hexadecimal() {
    unsigned code = 0;
    const std::string_view digits = text_.substr(at_, 4);
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
    if (error != std::errc{} || stop != digits.data() + 4) fail("expected four hexadecimal digits after \\u");
    at_ += 4;
    return code;
  }

  void append_utf8(std::string& out, unsigned code) {
    if (code < 0x80) {
      out += char(code);
      return;
    }
    const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr unsigned lead[] = {0, 0xC0, 0xE0, 0xF0};
    out += char(lead[more] | (code >> (6 * more)));
    for (int i = more; i-- > 0;) out += char(0x80U | ((code >> (6 * i)) & 0x3FU));
  }

  void escaped(std::string& out) {
    const char c = next();
    ++at_;
    constexpr std::string_view names = "\"\\/bfnrt", characters = "\"\\/\b\f\n\r\t";
    if (const std::size_t i = names.find(c); i != std::string_view::npos) {
      out += characters[i];
      return;
    }
    if (c != 'u') --at_, fail("unknown escape sequence");
    unsigned code = hexadecimal();
    if (code >= 0xD800 && code < 0xDC00 && take_word("\\u")) {
      const unsigned low = hexadecimal();
      if (low < 0xDC00 || low > 0xDFFF) fail("half of a surrogate pair");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    } else if (code >= 0xD800 && code <= 0xDFFF) {
      fail("half of a surrogate pair");
    }
    append_utf8(out, code);
  }

  std::string string() {
    ++at_;  // the quote
    std::string out;
    while (at_ < text_.size() && next() != '"') {
      if (static_cast<unsigned char>(next()) < 0x20) fail("a control character in a text");
      if (next() == '\\') {
        ++at_;
        if (at_ == text_.size()) break;
        escaped(out);
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(at_));
      if (length == 0) fail("this is no UTF-8");
      out += text_.substr(at_, length);
      at_ += length;
    }
    if (at_ == text_.size()) fail("a text that does not end");
    ++at_;
    return out;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const JsonInput* JsonInput::find(std::string_view name) const {
  for (const auto& [key, value] : members)
    if (key == name) return &value;
  return nullptr;
}

JsonInput read_json(std::string_view text) { return JsonReader(text).document(); }

}  // namespace aleator::core
