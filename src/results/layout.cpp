#include "results/layout.hpp"

#include <algorithm>
#include <cctype>

namespace aleator::core::results {
namespace {

bool is_any_name(std::string_view step) {
  return !step.empty() &&
         std::all_of(step.begin(), step.end(), [](char c) { return std::isupper(static_cast<unsigned char>(c)); });
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (std::size_t end = text.find(at); end != std::string_view::npos; end = text.find(at)) {
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + 1);
  }
  parts.push_back(text);
  return parts;
}

std::vector<std::string_view> choices(std::string_view step) {
  if (step.starts_with('{')) return split(step.substr(1, step.size() - 2), ',');
  return {step};
}

bool matches_step(std::string_view pattern, std::string_view found) {
  if (pattern == found) return true;
  if (is_any_name(pattern)) return !found.empty();
  if (!pattern.starts_with('{')) return false;
  const auto all = choices(pattern);
  return std::find(all.begin(), all.end(), found) != all.end();
}

bool matches(std::string_view pattern, std::string_view path) {
  while (!pattern.empty() && !path.empty()) {
    const std::string_view step = pattern.substr(0, pattern.find('/', 1)), found = path.substr(0, path.find('/', 1));
    if (!matches_step(step.substr(1), found.substr(1))) return false;
    pattern.remove_prefix(step.size());
    path.remove_prefix(found.size());
  }
  return pattern.empty() && path.empty();
}

std::string_view last_step(std::string_view where) { return where.substr(where.rfind('/') + 1); }

// `/sobol/NAME/first`, `total`
std::string where_words(const LayoutRow& row) {
  const std::string_view where = row.where, last = last_step(where);
  std::string out = "`" + std::string(where.substr(0, where.size() - last.size()));
  const auto all = choices(last);
  for (std::size_t i = 0; i < all.size(); ++i) out += (i == 0 ? "" : ", `") + std::string(all[i]) + "`";
  if (!row.attributes) return out;
  out += " attributes";
  if (*row.attributes == '\0') return out;
  const auto names = choices(row.attributes);
  for (std::size_t i = 0; i < names.size(); ++i) out += (i == 0 ? " `" : ", `") + std::string(names[i]) + "`";
  return out;
}

std::string dimension_words(const LayoutRow& row) {
  std::string out;
  for (const LayoutDimension& d : row.dimensions) out += (out.empty() ? "" : " × ") + std::string(d.label);
  return out;
}

std::string holds_words(const LayoutRow& row) {
  constexpr const char* words[] = {"numbers", "whole numbers", "texts", ""};
  std::string text = words[int(row.holds)];
  const bool one = row.dimensions.empty() && !row.attributes && text.ends_with('s');
  if (one) text.pop_back();
  return row.scale ? text + ", scale" : text;
}

std::string table_of(LayoutRow::Section section) {
  std::string out = "| where | dimensions | unit | holds | what |\n|---|---|---|---|---|\n";
  for (const LayoutRow& row : layout_table())
    if (row.section == section)
      out += "| " + where_words(row) + " | " + dimension_words(row) + " | " + row.unit + " | " + holds_words(row) + " | " +
             row.what + " |\n";
  return out;
}

}  // namespace

const LayoutRow* layout_row(std::string_view object, std::string_view attribute, std::size_t dimensions) {
  const LayoutRow* first = nullptr;
  for (const LayoutRow& row : layout_table()) {
    if (attribute.empty() != (row.attributes == nullptr) || !matches(row.where, object)) continue;
    if (row.attributes && !matches_step(row.attributes, attribute)) continue;
    if (row.dimensions.size() == dimensions) return &row;
    if (!first) first = &row;
  }
  return first;
}

bool is_own_scale(const LayoutRow& row) {
  return !row.attributes && row.dimensions.size() == 1 && last_step(row.where) == row.dimensions[0].label;
}

bool has_scale(const std::string& group, const std::string& label) {
  const std::string path = (group == "/" ? "" : group) + "/" + label;
  const auto table = layout_table();
  return std::any_of(table.begin(), table.end(), [&](const LayoutRow& row) { return row.scale && matches(row.where, path); });
}

bool has_fixed_unit(const LayoutRow& row) { return !std::string_view(row.unit).starts_with("of "); }

std::string with_layout_tables(const std::string& page) {
  using Section = LayoutRow::Section;
  const std::pair<const char*, Section> sections[] = {{"all", Section::all},
                                                      {"study", Section::study},
                                                      {"identification", Section::identification},
                                                      {"campbell", Section::campbell},
                                                      {"part", Section::part}};
  std::string out = page;
  for (const auto& [name, section] : sections) {
    const std::string mark = "<!-- layout " + std::string(name), begin = mark + ": begin -->\n", end = mark + ": end -->\n";
    const std::size_t from = out.find(begin), to = out.find(end);
    if (from == std::string::npos || to == std::string::npos || to < from) return "";  // the page has lost its marks
    out.replace(from + begin.size(), to - from - begin.size(), table_of(section));
  }
  return out;
}

}  // namespace aleator::core::results
