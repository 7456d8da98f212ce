// A model file from the outside in: its text, its keys, the parameters and points, then every section.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/parameters.hpp"
#include "input/reading.hpp"
#include "input/text.hpp"

namespace aleator::core::input {

namespace {

std::vector<std::string> top_keys(const Language& language) {
  std::vector<std::string> keys;
  if (language.of_models) keys = {"parameters", "points"};
  for (const Field& field : language.top) keys.emplace_back(field.key);
  for (const Section& section : language.sections) keys.emplace_back(section.key);
  return keys;
}

// The entries of a section; none when it is absent.
std::span<const Tree> entries_of(const Tree& top, std::string_view key) {
  const Tree* section = top.find(key);
  if (!section) return {};
  if (!section->is_mapping()) throw Place{"", std::string(key)}.wrong(*section, "a mapping of names");
  if (section->children.size() > limits::entries)
    throw InputError(section->children[limits::entries].key_at,
                     fmt::format("'{}' has {} entries, at most {} are read", key, section->children.size(), limits::entries));
  return section->children;
}

void check_entry_name(const Tree& entry, std::string_view what) {
  if (!is_entry_name(entry.key))
    throw InputError(entry.key_at, fmt::format("{} '{}': a name has letters, digits, _ and - and does not begin with a digit",
                                               what, entry.key));
  if (what == "body" && entry.key == "ground")
    throw InputError(entry.key_at, "body 'ground': this name is reserved for the ground");
  if (what == "output" && entry.key == "time")
    throw InputError(entry.key_at,
                     "output 'time': this name is reserved for the time, the first column of every table; use another one");
}

// References may point forward, so the names are collected before anything is read.
Names names_of(const Tree& top, const Language& language, std::string_view key) {
  Names names;
  const bool known =
      std::any_of(language.sections.begin(), language.sections.end(), [&](const Section& s) { return s.key == key; });
  if (!known) return names;
  for (const Tree& entry : entries_of(top, key)) {
    names.list.push_back(entry.key);
    names.set.insert(entry.key);
  }
  return names;
}

// The axis normal to `plane: xy`, -1 when there is none or the word is wrong.
int normal_of(const Tree& top) {
  const Tree* plane = top.find("plane");
  if (!plane) return -1;
  return plane->text == "xy" ? 2 : plane->text == "xz" ? 1 : plane->text == "yz" ? 0 : -1;
}

// A wrong plane is reported first: everything else depends on it.
void check_plane(Reading& reading, const Tree& top, const Language& language) {
  for (const Field& field : language.top)
    if (const Tree* tree = top.find(field.key); tree && field.key == "plane")
      read_value(reading, field, *tree, Place{"", "plane"});
}

void read_points(Reading& reading, const Tree& top, Description& description) {
  const Field vector{.key = "", .type = FieldType::vector};
  for (const Tree& entry : entries_of(top, "points")) {
    check_entry_name(entry, "point");
    const Place place{fmt::format("point '{}'", entry.key), ""};
    Point point{entry.key, read_vector(reading, vector, entry, place), entry.key_at};
    reading.points.emplace(point.name, point.numbers);
    description.points.push_back(std::move(point));
  }
}

void read_top(Reading& reading, const Tree& top, const Language& language, Item& item) {
  item.at = top.at;
  for (const Field& field : language.top) {
    const Tree* tree = top.find(field.key);
    const Place place{"", std::string(field.key)};
    if (tree)
      item.fields.emplace_back(std::string(field.key), read_value(reading, field, *tree, place));
    else if (field.required)
      throw InputError(top.at, fmt::format("'{}' is missing", field.key));
  }
}

std::vector<Item> read_section(Reading& reading, const Tree& top, const Section& section) {
  std::vector<Item> items;
  for (const Tree& entry : entries_of(top, section.key)) {
    check_entry_name(entry, section.entry);
    const Place place{fmt::format("{} '{}'", section.entry, entry.key), ""};
    Item item = read_tagged(reading, section.kinds, section.fields, entry, place);
    item.name = entry.key;
    item.at = entry.key_at;
    items.push_back(std::move(item));
  }
  return items;
}

Description read_tree(const Tree& top, FileAccess access, const std::vector<ReferredFile>* given, const Language& language) {
  if (!top.is_mapping())
    throw InputError(top.at, fmt::format("a {} must be a mapping of sections, found {}", language.what, found(top)));
  refuse_unknown_keys(top, top_keys(language), Place{});

  Description description;
  std::vector<const Tree*> parameters = sorted_parameters(entries_of(top, "parameters"));
  Reading reading{.access = std::move(access),
                  .normal = normal_of(top),
                  .compiler = Compiler(parameter_names(parameters)),
                  .bodies = names_of(top, language, "bodies"),
                  .joints = names_of(top, language, "joints"),
                  .forces = names_of(top, language, "forces"),
                  .points = {},
                  .given = given,
                  .files = {}};
  check_plane(reading, top, language);
  description.normal = reading.normal;
  description.parameters = read_parameters(reading, parameters);
  read_points(reading, top, description);
  read_top(reading, top, language, description.top);
  for (const Section& section : language.sections)
    description.sections.emplace_back(section.key, read_section(reading, top, section));
  description.expressions = reading.compiler.finish();
  description.files = std::move(reading.files);
  return description;
}

}  // namespace

Description read_text(std::string text, const std::string& file, const Language& language,
                      const std::vector<std::string>& allowed, const std::vector<ReferredFile>* given) {
  try {
    const FileAccess access{std::filesystem::path(file).parent_path().string(), allowed};
    Description description = read_tree(yaml_tree(text), access, given, language);
    description.file = file;
    description.text = std::move(text);
    return description;
  } catch (const InputError& error) {
    throw error.in_file(file);
  }
}

Description read_file(const std::string& file, const Language& language, const std::vector<std::string>& allowed) {
  return read_text(read_bytes(file), file, language, allowed);
}

const std::vector<Item>& Description::section(std::string_view key) const {
  static const std::vector<Item> none;
  for (const auto& [name, items] : sections)
    if (name == key) return items;
  return none;
}

}  // namespace aleator::core::input
