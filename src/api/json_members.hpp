// The members of a JSON object, one after the other: shorthand for what src/api/*_json.cpp write.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace aleator::core {

class Members {
 public:
  explicit Members(Json& to) : json_(to) {}

  Members& text(std::string_view key, std::string_view value) { return json_.key(key).string(value), *this; }
  Members& number(std::string_view key, double x) { return json_.key(key).number(x), *this; }  // null: not known
  Members& integer(std::string_view key, long long x) { return json_.key(key).integer(x), *this; }
  Members& flag(std::string_view key, bool x) { return json_.key(key).boolean(x), *this; }
  Members& null(std::string_view key) { return json_.key(key).null(), *this; }
  Members& numbers(std::string_view key, std::span<const double> values) { return json_.key(key).numbers(values), *this; }
  Members& texts(std::string_view key, std::span<const std::string> values) {
    json_.key(key).array();
    for (const std::string& v : values) json_.string(v);
    return json_.end(), *this;
  }
  // What is empty is not there.
  Members& text_or_null(std::string_view key, std::string_view value) { return value.empty() ? null(key) : text(key, value); }

  // A number with its standard error.
  Members& estimate(std::string_view key, double value, double error) {
    return object(key, [&](Members& m) { m.number("value", value).number("error", error); });
  }

  template <class Fill>
  Members& object(std::string_view key, const Fill& fill) {
    json_.key(key).object();
    fill(*this);
    return json_.end(), *this;
  }
  // An array of objects: fill(members, element, index).
  template <class Elements, class Fill>
  Members& list(std::string_view key, const Elements& elements, const Fill& fill) {
    json_.key(key).array();
    std::size_t index = 0;
    for (const auto& element : elements) {
      json_.object();
      fill(*this, element, index++);
      json_.end();
    }
    return json_.end(), *this;
  }

 private:
  Json& json_;
};

// {"format": "aleator-check/1", "exit_code": 0, …}, with what every command says.
template <class Fill>
std::string output_object(const std::string& command, int exit_code, const Fill& fill) {
  Json json(Json::Layout::readable);
  json.object();
  Members members(json);
  members.text("format", "aleator-" + command + "/1").integer("exit_code", exit_code);
  fill(members);
  json.end();
  return json.take() + "\n";
}

}  // namespace aleator::core
