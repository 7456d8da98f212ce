// XML files of robots: the tree of pugixml, with the place of every element and attribute in the text, and numbers read strictly.
// Entities that a file defines, deep nesting and large files are refused.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include "input/error.hpp"
#include "numerics/vec3.hpp"

namespace aleator::core::importing {

// The most that is read, so that hostile files take neither time nor memory (docs/limits.md); bytes: input/limits.hpp.
namespace limits {
inline constexpr std::size_t elements = 200'000;  // of a file
inline constexpr std::size_t links = 20'000;      // as entries of a section of a model
inline constexpr std::size_t followers = 1'000;   // joints that follow another
}  // namespace limits

struct Place {
  std::string file;
  int line = 0, column = 0;  // from 1
};

std::string text_of(const Place& place);  // "robot.urdf:12:3"
input::InputError error_at(const Place& place, const std::string& message);
input::LastError too_many(const Place& place);  // links

class XmlFile {
 public:
  // `name` is what messages call it. Throws InputError, whatever the bytes.
  XmlFile(std::string name, std::string bytes);

  pugi::xml_node root() const { return document_.document_element(); }
  const std::string& name() const { return name_; }
  Place place(pugi::xml_node node) const;
  Place place(pugi::xml_node node, std::string_view attribute) const;

 private:
  Place place_of_offset(std::size_t offset) const;
  void refuse_what_is_no_text() const;
  void refuse_nesting() const;

  std::string name_, text_;
  std::vector<std::size_t> lines_;  // offsets of their beginnings
  pugi::xml_document document_;
};

// An element and the file it is in.
struct Element {
  const XmlFile* file = nullptr;
  pugi::xml_node node = {};

  explicit operator bool() const { return bool(node); }
  std::string_view name() const { return node.name(); }
  Place place() const { return file->place(node); }
  Place place(std::string_view attribute) const { return file->place(node, attribute); }
  Element child(const char* name) const { return {file, node.child(name)}; }
  std::vector<Element> children() const;
  std::vector<Element> children(std::string_view name) const;

  bool has(const char* attribute) const { return bool(node.attribute(attribute)); }
  std::string text(const char* attribute, std::string_view fallback = "") const;
  std::string required(const char* attribute) const;
  double number(const char* attribute, double fallback) const;
  double required_number(const char* attribute) const;
  bool flag(const char* attribute, bool fallback) const;
  Vec3<double> vector(const char* attribute, const Vec3<double>& fallback) const;
  // All numbers of an attribute; throws unless their count is within the bounds.
  std::vector<double> numbers(const char* attribute, std::size_t least, std::size_t most) const;
};

}  // namespace aleator::core::importing
