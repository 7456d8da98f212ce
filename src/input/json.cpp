#include "input/json.hpp"

#include <fmt/format.h>

namespace aleator::core::input {

namespace {

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\')
      out += '\\', out += c;
    else if (c == '\n')
      out += "\\n";
    else if (static_cast<unsigned char>(c) < 0x20)
      out += fmt::format("\\u{:04x}", static_cast<int>(c));
    else
      out += c;
  }
  return out + '"';
}

}  // namespace

Json::Json(std::string_view text) : literal_(quoted(text)) {}

Json Json::object(std::initializer_list<std::pair<std::string, Json>> members) {
  Json json;
  json.shape_ = Shape::object;
  json.members_ = members;
  return json;
}

Json Json::array(std::vector<Json> elements) {
  Json json;
  json.shape_ = Shape::array;
  for (Json& element : elements) json.push(std::move(element));
  return json;
}

Json& Json::set(std::string_view key, Json value) {
  for (auto& [name, member] : members_)
    if (name == key) {
      member = std::move(value);
      return *this;
    }
  members_.emplace_back(key, std::move(value));
  return *this;
}

Json& Json::push(Json element) {
  members_.emplace_back("", std::move(element));
  return *this;
}

std::string Json::on_one_line() const {
  if (shape_ == Shape::literal) return literal_;
  std::string out;
  for (const auto& [key, value] : members_) {
    if (!out.empty()) out += ", ";
    if (shape_ == Shape::object) out += quoted(key) + ": ";
    out += value.on_one_line();
  }
  return shape_ == Shape::object ? "{" + out + "}" : "[" + out + "]";
}

std::string Json::text(std::size_t indentation) const {
  constexpr std::size_t width = 120;
  std::string line = on_one_line();
  if (shape_ == Shape::literal || line.size() + indentation <= width) return line;

  const std::string margin(indentation + 2, ' ');
  std::string out = shape_ == Shape::object ? "{\n" : "[\n";
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto& [key, value] = members_[i];
    out += margin;
    if (shape_ == Shape::object) out += quoted(key) + ": ";
    out += value.text(indentation + 2) + (i + 1 < members_.size() ? ",\n" : "\n");
  }
  return out + std::string(indentation, ' ') + (shape_ == Shape::object ? "}" : "]");
}

}  // namespace aleator::core::input
