#include "input/reference_rows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace aleator::core::input {

namespace {

std::string type_name(FieldType type) {
  using enum FieldType;
  switch (type) {
    case number:
      return "number";
    case integer:
      return "integer";
    case flag:
      return "flag";
    case text:
      return "text";
    case word:
      return "word";
    case words:
      return "words";
    case numbers:
      return "numbers";
    case vector:
      return "vector";
    case point:
      return "point";
    case point_pair:
      return "two points";
    case direction:
      return "direction";
    case spin:
      return "spin";
    case orientation:
      return "orientation";
    case tensor:
      return "tensor";
    case body:
      return "body";
    case body_pair:
      return "two bodies";
    case joint:
      return "joint";
    case joint_pair:
      return "two joints";
    case force:
      return "force";
    case process:
      return "process";
    case polygon:
      return "polygon";
    case points:
      return "list of points";
    case named_numbers:
      return "numbers by name";
    case named_texts:
      return "texts by name";
    case named_groups:
      return "groups by name";
    case number_by_name:
      return "number, or numbers by name";
    case table:
      return "table";
    case mesh:
      return "mesh";
    case factors:
      return "factors";
    case records:
      return "records";
    case function:
      return "function";
    case functions:
      return "three functions";
    case group:
      return "group";
    case choice:
      return "choice";
    case choices:
      return "list of choices";
  }
  return "";
}

bool same_kind(const Kind& a, const Kind& b) {
  return a.key == b.key && a.doc == b.doc && same_field(a.subject, b.subject) &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), same_field);
}

void add_row(std::string& out, const std::string& key, const Field& field, std::string_view fallback, std::string_view meaning) {
  out += fmt::format("| {} | {} | {} | {} | {} |\n", key, table_cell(type_words(field)), table_cell(field.unit),
                     table_cell(fallback), table_cell(meaning));
}

// A key that some of the alternatives share, and which these are.
struct SharedField {
  const Field* field;
  std::vector<std::string_view> of;
};

std::vector<SharedField> fields_beside(std::span<const Kind> kinds) {
  std::vector<SharedField> all;
  for (const Kind& kind : kinds)
    for (const Field& field : kind.fields) {
      const auto known = std::find_if(all.begin(), all.end(), [&](const SharedField& s) { return same_field(*s.field, field); });
      if (known == all.end())
        all.push_back({&field, {kind.key}});
      else
        known->of.push_back(kind.key);
    }
  return all;
}

// "(`box`, `ball`)", or, where that is shorter, "(not `same_as`)".
std::string which(std::span<const Kind> kinds, const std::vector<std::string_view>& of) {
  std::vector<std::string_view> others;
  for (const Kind& kind : kinds)
    if (std::find(of.begin(), of.end(), kind.key) == of.end()) others.push_back(kind.key);
  if (others.empty()) return "";
  return others.size() < of.size() ? fmt::format(" (not {})", listed(others)) : fmt::format(" ({})", listed(of));
}

}  // namespace

std::string table_cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string type_words(const Field& field) {
  std::string type = type_name(field.type);
  if (field.of_time) type += " or expression of `t`";
  if (field.bound == Bound::positive) type += ", positive";
  if (field.bound == Bound::not_negative) type += ", not negative";
  for (std::size_t i = 0; i < field.words.size(); ++i) type += fmt::format("{}`{}`", i == 0 ? ": " : ", ", field.words[i]);
  if (field.per_direction) type += "; by direction";
  return type;
}

std::string listed(std::span<const std::string_view> keys) {
  std::string out;
  for (const std::string_view key : keys) out += fmt::format("{}`{}`", out.empty() ? "" : ", ", key);
  return out;
}

bool same_inside(const Field& a, const Field& b) {
  return std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(), same_field) &&
         std::equal(a.kinds.begin(), a.kinds.end(), b.kinds.begin(), b.kinds.end(), same_kind);
}

bool same_field(const Field& a, const Field& b) {
  return a.key == b.key && a.unit == b.unit && a.doc == b.doc && a.required == b.required && a.fallback == b.fallback &&
         type_words(a) == type_words(b) && same_inside(a, b);
}

std::string anchor_of_tags(const Section& section) {
  return section.fields.empty() ? fmt::format("#{}", section.key) : fmt::format("#tags-of-{}", section.key);
}

void ReferenceRows::add_field(std::string& out, const std::string& prefix, const Field& field, const std::string& only,
                              std::string_view remark) const {
  const std::string key = prefix + std::string(field.key);
  const Section* const section = section_with(field.kinds);
  std::string meaning(field.doc);
  meaning += remark;
  if (section) {
    std::vector<std::string_view> keys;
    for (const Kind& kind : field.kinds) keys.push_back(kind.key);
    meaning += fmt::format(" Alternatives: {}, written as in [`{}`]({}).", listed(keys), section->key, anchor_of_tags(*section));
  }
  add_row(out, fmt::format("`{}`{}", key, only), field, field.required ? "*required*" : field.fallback, meaning);
  if (section || !remark.empty()) return;
  add_fields(out, key + (field.type == FieldType::named_groups ? ".NAME." : "."), field.fields);
  add_choice(out, key + ".", field.kinds);
}

void ReferenceRows::add_fields(std::string& out, const std::string& prefix, std::span<const Field> fields) const {
  for (const Field& field : fields) {
    // `shape` and `shapes` have the same keys inside: they are listed once.
    const auto twin = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return same_inside(f, field); });
    const bool known = &*twin != &field && !(field.fields.empty() && field.kinds.empty());
    add_field(out, prefix, field, "", known ? fmt::format(" Keys as in `{}{}`.", prefix, twin->key) : "");
  }
}

// The alternatives of a choice with what is inside each, then the keys beside them, each once.
void ReferenceRows::add_choice(std::string& out, const std::string& prefix, std::span<const Kind> kinds) const {
  for (const Kind& kind : kinds) {
    const std::string key = prefix + std::string(kind.key);
    std::string meaning(kind.doc);
    if (!kind.doc.starts_with(kind.subject.doc)) meaning += fmt::format(" {}", kind.subject.doc);
    add_row(out, fmt::format("`{}`", key), kind.subject, "*one of these*", meaning);
    add_fields(out, key + ".", kind.subject.fields);
    add_choice(out, key + ".", kind.subject.kinds);
  }
  for (const SharedField& s : fields_beside(kinds)) add_field(out, prefix, *s.field, which(kinds, s.of));
}

const Section* ReferenceRows::section_with(std::span<const Kind> kinds) const {
  if (kinds.size() < 3) return nullptr;
  for (const Section& section : language_.sections) {
    const bool all = std::all_of(kinds.begin(), kinds.end(), [&](const Kind& kind) {
      return std::any_of(section.kinds.begin(), section.kinds.end(), [&](const Kind& k) { return same_kind(k, kind); });
    });
    if (all) return &section;
  }
  return nullptr;
}

}  // namespace aleator::core::input
