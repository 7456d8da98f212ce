#include "import/xml.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "base/utf8.hpp"
#include "input/text.hpp"

namespace aleator::core::importing {

namespace {

constexpr int deepest = 200;  // elements in each other: readers descend as deep

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

std::string_view kept(std::string_view text, std::size_t most = 60) { return text.size() <= most ? text : text.substr(0, most); }

}  // namespace

std::string text_of(const Place& place) { return fmt::format("{}:{}:{}", place.file, place.line, place.column); }

input::InputError error_at(const Place& place, const std::string& message) {
  return input::InputError(std::vector<Mistake>{{place.file, place.line, place.column, "", message, ""}});
}

input::LastError too_many(const Place& place) {
  const std::string message =
      fmt::format("a robot has at most {} links here; divide it into several descriptions", limits::links);
  return input::LastError(std::vector<Mistake>{{place.file, place.line, place.column, "", message, ""}});
}

XmlFile::XmlFile(std::string name, std::string bytes) : name_(std::move(name)), text_(std::move(bytes)) {
  lines_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') lines_.push_back(i + 1);
  if (text_.size() > input::limits::file_mib << 20)
    throw error_at({name_, 1, 1}, fmt::format("is too large: at most {} MiB are read", input::limits::file_mib));
  if (const std::size_t at = text_.find('\0'); at != std::string::npos)
    throw error_at(place_of_offset(at), "this is not text: a zero byte");
  refuse_what_is_no_text();
  if (const std::size_t at = text_.find("<!ENTITY"); at != std::string::npos)
    throw error_at(place_of_offset(at),
                   "entities are not expanded: write what they stand for, or expand them first (xmllint --noent)");
  const pugi::xml_parse_result result =
      document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!result) {
    // The offset is where the parser gave up, which may be the end of the text.
    const auto at = std::size_t(std::clamp<std::ptrdiff_t>(result.offset, 0, std::ptrdiff_t(text_.size())));
    throw error_at(place_of_offset(at), fmt::format("this is not well-formed XML: {}", result.description()));
  }
  if (!root()) throw error_at({name_, 1, 1}, "there is no element in this file");
  refuse_nesting();
}

// Names and titles become part of a model, which is UTF-8.
void XmlFile::refuse_what_is_no_text() const {
  const std::string_view all = text_;
  for (std::size_t at = 0; at < all.size();) {
    const auto byte = static_cast<unsigned char>(all[at]);
    if (byte == 0x7F || (byte < 0x20 && !is_space(all[at])))
      throw error_at(place_of_offset(at), fmt::format("control character 0x{:02X} in the text", byte));
    const std::size_t length = byte < 0x80 ? 1 : utf8_length(all.substr(at));
    if (length == 0)
      throw error_at(place_of_offset(at),
                     fmt::format("byte 0x{:02X} is not valid UTF-8; convert the file, whatever encoding it names (iconv -f "
                                 "ISO-8859-1 -t UTF-8, say)",
                                 byte));
    at += length;
  }
}

// Walks the tree without recursion.
void XmlFile::refuse_nesting() const {
  int depth = 1;
  std::size_t count = 0;
  pugi::xml_node node = root();
  while (node) {
    if (++count > limits::elements)
      throw error_at(
          place(node),
          fmt::format("at most {} elements are read; is this a robot? Leave out what is no link or joint, or divide it "
                      "into several descriptions",
                      limits::elements));
    if (depth > deepest)
      throw error_at(place(node), fmt::format("elements are nested too deeply: at most {} levels are read", deepest));
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node && !node.next_sibling()) {
      node = node.parent();
      if (--depth < 1) return;
    }
    node = node.next_sibling();
  }
}

Place XmlFile::place_of_offset(std::size_t offset) const {
  const auto line = std::upper_bound(lines_.begin(), lines_.end(), offset) - lines_.begin();
  const std::size_t begin = lines_[std::size_t(line - 1)];
  // Columns count characters, not bytes.
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  const auto column = std::count_if(text_.begin() + std::ptrdiff_t(begin),
                                    text_.begin() + std::ptrdiff_t(std::min(offset, text_.size())), starts);
  return {name_, int(line), int(column) + 1};
}

Place XmlFile::place(pugi::xml_node node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  // That of the name, which follows the bracket.
  return offset < 0 ? Place{name_, 0, 0} : place_of_offset(std::size_t(std::max<std::ptrdiff_t>(offset - 1, 0)));
}

// pugixml does not say where attributes are: found in the text of the tag.
Place XmlFile::place(pugi::xml_node node, std::string_view attribute) const {
  const std::ptrdiff_t offset = node.offset_debug();
  if (offset < 0) return place(node);
  char quote = 0;
  for (std::size_t i = std::size_t(offset); i < text_.size(); ++i) {
    const char c = text_[i];
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '>') {
      break;
    } else if (is_space(text_[i - 1]) && text_.compare(i, attribute.size(), attribute) == 0) {
      const char after = i + attribute.size() < text_.size() ? text_[i + attribute.size()] : '\0';
      if (after == '=' || is_space(after)) return place_of_offset(i);
    }
  }
  return place(node);
}

std::vector<Element> Element::children() const {
  std::vector<Element> out;
  for (const pugi::xml_node child : node.children())
    if (child.type() == pugi::node_element) out.push_back({file, child});
  return out;
}

std::vector<Element> Element::children(std::string_view name) const {
  std::vector<Element> out;
  for (const pugi::xml_node child : node.children())
    if (name == child.name()) out.push_back({file, child});
  return out;
}

std::string Element::text(const char* attribute, std::string_view fallback) const {
  const pugi::xml_attribute found = node.attribute(attribute);
  return found ? std::string(found.value()) : std::string(fallback);
}

std::string Element::required(const char* attribute) const {
  const std::string value = text(attribute);
  if (value.empty()) throw error_at(place(), fmt::format("<{}> needs the attribute '{}'", name(), attribute));
  return value;
}

std::vector<double> Element::numbers(const char* attribute, std::size_t least, std::size_t most) const {
  const std::string value = text(attribute);
  std::vector<double> out;
  std::size_t at = 0;
  while (at < value.size()) {
    while (at < value.size() && is_space(value[at])) ++at;
    const std::size_t begin = at;
    while (at < value.size() && !is_space(value[at])) ++at;
    if (at == begin) break;
    std::string_view word = std::string_view(value).substr(begin, at - begin);
    if (word.front() == '+') word.remove_prefix(1);
    double x = 0;
    if (!input::parse_decimal(word, x) || !std::isfinite(x))
      throw error_at(place(attribute),
                     fmt::format("<{}>: '{}' must be made of finite numbers, found '{}'", name(), attribute, kept(word)));
    out.push_back(x);
    if (out.size() > most) break;
  }
  if (out.size() < least || out.size() > most)
    throw error_at(place(attribute), fmt::format("<{}>: '{}' must have {}, found '{}'", name(), attribute,
                                                 least == most ? fmt::format("{} number{}", least, least == 1 ? "" : "s")
                                                               : fmt::format("{} to {} numbers", least, most),
                                                 kept(value)));
  return out;
}

double Element::number(const char* attribute, double fallback) const {
  return has(attribute) ? numbers(attribute, 1, 1)[0] : fallback;
}

double Element::required_number(const char* attribute) const {
  required(attribute);
  return numbers(attribute, 1, 1)[0];
}

bool Element::flag(const char* attribute, bool fallback) const {
  if (!has(attribute)) return fallback;
  const std::string value = text(attribute);
  if (value == "true" || value == "1") return true;
  if (value == "false" || value == "0") return false;
  throw error_at(place(attribute), fmt::format("<{}>: '{}' must be true or false, found '{}'", name(), attribute, kept(value)));
}

Vec3<double> Element::vector(const char* attribute, const Vec3<double>& fallback) const {
  if (!has(attribute)) return fallback;
  const std::vector<double> v = numbers(attribute, 3, 3);
  return {v[0], v[1], v[2]};
}

}  // namespace aleator::core::importing
