// Rows of the reference's tables: a key with type, unit, default and meaning, and what may be written inside it.
#pragma once

#include <span>
#include <string>

#include "input/fields.hpp"

namespace aleator::core::input {

constexpr std::string_view reference_table = "\n| key | type | unit | default | meaning |\n|---|---|---|---|---|\n";

std::string table_cell(std::string_view text);               // inside a cell a bar would end it
std::string type_words(const Field& field);                  // "number, positive; by direction"
std::string listed(std::span<const std::string_view> keys);  // "`a`, `b`"
bool same_field(const Field& a, const Field& b);             // in all that the reference says of them
bool same_inside(const Field& a, const Field& b);            // what may be written inside them
std::string anchor_of_tags(const Section& section);          // where the tags of a section are listed

// Rows for fields and for what may be written inside them, by path: `spring.stiffness`. What one of the fields before, or a section of
// the language, has already stated is referred to.
class ReferenceRows {
 public:
  explicit ReferenceRows(const Language& language) : language_(language) {}

  void add_fields(std::string& out, const std::string& prefix, std::span<const Field> fields) const;
  // `only`: the kinds that have the key in this form, as a remark beside it; "" for all of them.
  void add_field(std::string& out, const std::string& prefix, const Field& field, const std::string& only,
                 std::string_view remark = "") const;
  void add_choice(std::string& out, const std::string& prefix, std::span<const Kind> kinds) const;

 private:
  const Section* section_with(std::span<const Kind> kinds) const;

  const Language& language_;
};

}  // namespace aleator::core::input
