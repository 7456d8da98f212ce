// Just enough JSON to write a schema: values that print themselves, objects in the order they were filled.
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace aleator::core::input {

class Json {
 public:
  Json(std::string_view text);
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  template <std::same_as<bool> B>
  Json(B value) : literal_(value ? "true" : "false") {}
  Json(int value) : literal_(std::to_string(value)) {}

  static Json object(std::initializer_list<std::pair<std::string, Json>> members = {});
  static Json array(std::vector<Json> elements = {});

  Json& set(std::string_view key, Json value);  // replaces what has this key
  Json& push(Json element);

  // What fits on a line stays on one.
  std::string text(std::size_t indentation = 0) const;

 private:
  Json() = default;
  std::string on_one_line() const;

  enum class Shape { literal, object, array };
  Shape shape_ = Shape::literal;
  std::string literal_;
  std::vector<std::pair<std::string, Json>> members_;  // keys are empty in arrays
};

}  // namespace aleator::core::input
