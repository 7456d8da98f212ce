// Keys that are not known where they stand: misspelt, without their colon, or on the wrong level.
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "input/reading.hpp"
#include "input/text.hpp"
#include "input/yaml_mistakes.hpp"

namespace aleator::core::input {

namespace {

bool contains(std::span<const std::string> list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// `{mass 2}`, `{mass:2}` and `{mass = 2}` are keys without a value, for YAML.
std::optional<std::string> colon_mistake(const Tree& child, std::span<const std::string> known) {
  if (child.shape != Tree::Shape::null) return {};
  std::size_t end = 0;
  while (end < child.key.size() && (is_letter(child.key[end]) || is_digit(child.key[end]))) ++end;
  if (end == child.key.size() || !contains(known, child.key.substr(0, end))) return {};
  return without_colon(child.key);
}

bool has_key(const Section& section, std::string_view key) {
  const auto named = [&](const auto& x) { return x.key == key; };
  return std::any_of(section.fields.begin(), section.fields.end(), named) ||
         std::any_of(section.kinds.begin(), section.kinds.end(), [&](const Kind& kind) {
           return kind.key == key || std::any_of(kind.fields.begin(), kind.fields.end(), named);
         });
}

bool has_tag(const Section& section, const Tree& entry) {
  return std::any_of(section.kinds.begin(), section.kinds.end(), [&](const Kind& kind) { return entry.find(kind.key); });
}

// The section of which a mapping could be an entry; null: none.
const Section* section_of(const Language& language, const Tree& entry) {
  if (!entry.is_mapping() || entry.children.empty()) return nullptr;
  const Section* found = nullptr;
  for (const Section& section : language.sections) {
    const bool all =
        std::all_of(entry.children.begin(), entry.children.end(), [&](const Tree& child) { return has_key(section, child.key); });
    if (all && (!found || (has_tag(section, entry) && !has_tag(*found, entry)))) found = &section;
  }
  return found;
}

}  // namespace

InputError unknown_key(const Reading& reading, const Tree& child, std::span<const std::string> known, const Place& place) {
  if (const auto mistake = colon_mistake(child, known)) return place.remark(child.key_at, *mistake);
  const std::string unknown = fmt::format("unknown key '{}'", place.at(child.key).path);
  const std::string hint = suggestion(child.key, known);
  if (hint.starts_with(" (did you mean")) return place.remark(child.key_at, unknown + hint);
  const auto named = [&](const auto& x) { return x.key == child.key; };
  const Language& l = reading.language;
  if (std::any_of(l.sections.begin(), l.sections.end(), named) || std::any_of(l.top.begin(), l.top.end(), named))
    return place.remark(child.key_at, unknown + "; it belongs at the top of the file: begin its line in the first column");
  return place.remark(child.key_at, unknown + hint);
}

bool is_section_below(const Reading& reading, const Section& section, const Tree& entry) {
  const auto named = [&](const auto& x) { return x.key == entry.key; };
  const Language& l = reading.language;
  if (!std::any_of(l.sections.begin(), l.sections.end(), named) && !std::any_of(l.top.begin(), l.top.end(), named)) return false;
  return std::none_of(entry.children.begin(), entry.children.end(),
                      [&](const Tree& child) { return has_key(section, child.key); });
}

InputError unknown_top_key(Reading& reading, const Tree& top, const Tree& child, std::span<const std::string> known) {
  if (const auto mistake = colon_mistake(child, known)) return {child.key_at, *mistake};
  const std::string unknown = fmt::format("unknown key '{}'", child.key);
  if (const Section* section = section_of(reading.language, child)) {
    reading.misplaced.insert(child.key);
    const Tree* given = top.find(section->key);
    if (given && given->shape == Tree::Shape::null) reading.emptied.emplace(section->key);
    return {child.key_at,
            given ? fmt::format("{}; if it is {}, indent it below '{}:'", unknown, with_article(section->entry), section->key)
                  : fmt::format("{}; if it is {}, write '{}:' above it and indent it", unknown, with_article(section->entry),
                                section->key)};
  }
  for (const Field& group : reading.language.top)
    for (const Field& field : group.fields)
      if (field.key == child.key)
        return {child.key_at, fmt::format("{}; it belongs to '{}': indent it below '{}:'", unknown, group.key, group.key)};
  const std::string hint = suggestion(child.key, known);
  if (!hint.starts_with(" (did you mean"))
    for (const Section& section : reading.language.sections)
      if (has_key(section, child.key))
        return {child.key_at, fmt::format("{}; it belongs to {}: indent it below the name of its {}, under '{}:'", unknown,
                                          with_article(section.entry), section.entry, section.key)};
  return {child.key_at, unknown + hint};
}

}  // namespace aleator::core::input
