// The layout of results files as one table. From it come the labels, scales and units that are written, the shapes that are
// checked when a file is read, and the tables of layout.md.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace aleator::core::results {

// What a length counts, and where the file says how many there are.
struct Count {
  const char* what;
  const char* object;     // a dataset, by its first dimension; or
  const char* attribute;  // a list among the attributes of the object
  long fixed = -1;        // or always the same
  bool or_none = false;   // or nothing was kept
};

// A dimension: its name, and how long it is; without a count, any length will do.
struct LayoutDimension {
  const char* label;
  const Count* count = nullptr;
};

struct LayoutRow {
  enum class Section { all, study, identification, campbell, part, old };  // old: of layout 1, read but no longer written
  enum class Holds { numbers, whole_numbers, texts, mixed };
  Section section;
  // "/statistics/NAME/{mean,std}": a step in capitals stands for any name, braces for one of a list.
  const char* where;
  const char* attributes;  // likewise "{columns,laws}"; null: the row is about the object itself
  std::vector<LayoutDimension> dimensions;
  Holds holds;
  const char* unit;  // "s"; "of the output": the writer says which; empty: none
  const char* what;  // Markdown
  bool scale = false;
};
std::span<const LayoutRow> layout_table();

// The row of a dataset, or of a list among the attributes, that has so many dimensions; without such a row the first one of this
// name; null where there is none.
const LayoutRow* layout_row(std::string_view object, std::string_view attribute, std::size_t dimensions);

// Whether a dataset is itself the scale of its only dimension: it has this name.
bool is_own_scale(const LayoutRow& row);
bool has_fixed_unit(const LayoutRow& row);
bool has_scale(const std::string& group, const std::string& label);  // beside what outputs are called

// The page layout.md with its tables as they are here, between the marks `<!-- layout SECTION: begin -->` and `… end -->`.
std::string with_layout_tables(const std::string& page);

}  // namespace aleator::core::results
