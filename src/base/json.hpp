// Writes JSON (RFC 8259), piece by piece. The text may also stand inside a <script> of a page.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace aleator::core {

// Json j;
// j.object().key("name").string("crank").key("size").numbers(size).end();
// const std::string text = j.take();
class Json {
 public:
  Json& object();
  Json& array();
  Json& end();                       // of the innermost object or array
  Json& key(std::string_view name);  // of the next value

  Json& string(std::string_view utf8);  // bytes that are no UTF-8 become U+FFFD
  Json& number(double x);               // the shortest text that gives x again; null if there is no such number in JSON
  Json& boolean(bool x);
  Json& null();
  Json& numbers(std::span<const double> values);  // an array
  Json& numbers(std::span<const float> values);

  std::string take();  // the text; begins anew

 private:
  void separate();  // a comma, unless the value is the first one or follows its key
  void quote(std::string_view utf8);
  template <class T>
  Json& list(std::span<const T> values);

  std::string text_;
  std::string open_;       // what closes the objects and arrays that are open
  bool separated_ = true;  // nothing has to stand before the next value
};

}  // namespace aleator::core
