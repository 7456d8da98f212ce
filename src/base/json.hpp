// Writes JSON (RFC 8259): piece by piece (Json), or a value that was put together before (JsonValue).
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aleator::core {

// Json j;
// j.object().key("name").string("crank").key("size").numbers(size).end();
// const std::string text = j.take();
class Json {
 public:
  enum class Layout {
    compact,   // no blanks; the text may also stand inside a <script> of a page
    readable,  // what fits on a line of 120 characters stays on one, the rest is indented
  };
  explicit Json(Layout layout = Layout::compact) : layout_(layout) {}

  Json& object();
  Json& array();
  Json& end();                       // of the innermost object or array
  Json& key(std::string_view name);  // of the next value

  Json& string(std::string_view utf8);  // bytes that are no UTF-8 become U+FFFD
  Json& number(double x);               // the shortest text that gives x again; null if there is no such number in JSON
  Json& integer(long long x);           // with all its digits, which a double may not have
  Json& boolean(bool x);
  Json& null();
  Json& numbers(std::span<const double> values);  // an array
  Json& numbers(std::span<const float> values);

  std::string take();  // the text; begins anew

 private:
  // An object or array that is not closed yet, in the readable layout: what is in it, on one line and on many.
  struct Open {
    std::string key;  // its own, in its parent
    std::string line, lines;
  };
  bool is_compact() const { return layout_ == Layout::compact; }
  Json& open(char begin, char end);
  Json& scalar(std::string_view text);
  void separate();                                               // a comma, unless the value is first or follows its key
  void place(std::string_view line, std::string_view laid_out);  // a finished value, in the readable layout
  template <class T>
  Json& list(std::span<const T> values);

  Layout layout_;
  std::string text_;
  std::string closing_;    // what closes the objects and arrays that are open
  bool separated_ = true;  // nothing has to stand before the next value
  std::vector<Open> open_;
  std::string key_;  // of the next value
};

// A value as data, to be changed, compared and written later. Objects keep the order in which they were filled.
class JsonValue {
 public:
  JsonValue(std::string_view text) : shape_(Shape::string), text_(text) {}
  JsonValue(const char* text) : JsonValue(std::string_view(text)) {}
  JsonValue(const std::string& text) : JsonValue(std::string_view(text)) {}
  template <std::same_as<bool> B>
  JsonValue(B value) : shape_(Shape::boolean), number_(value) {}
  JsonValue(int value) : shape_(Shape::number), number_(value) {}

  static JsonValue object(std::initializer_list<std::pair<std::string, JsonValue>> members = {});
  static JsonValue array(std::vector<JsonValue> elements = {});

  JsonValue& set(std::string_view key, JsonValue value);  // replaces what has this key
  JsonValue& push(JsonValue element);

  JsonValue* find(std::string_view key);  // of an object; null when there is no such member
  const JsonValue* find(std::string_view key) const { return const_cast<JsonValue*>(this)->find(key); }
  void remove(std::string_view key);

  bool is_object() const { return shape_ == Shape::object; }
  const std::string& as_string() const { return text_; }  // "" when it is none
  // Those of an object, or the elements of an array, which have empty keys.
  const std::vector<std::pair<std::string, JsonValue>>& members() const { return members_; }
  std::vector<std::pair<std::string, JsonValue>>& members() { return members_; }

  void write(Json& to) const;
  std::string text(Json::Layout layout) const;

 private:
  enum class Shape { string, number, boolean, object, array };
  explicit JsonValue(Shape shape) : shape_(shape) {}

  Shape shape_;
  std::string text_;
  double number_ = 0;
  std::vector<std::pair<std::string, JsonValue>> members_;
};

}  // namespace aleator::core
