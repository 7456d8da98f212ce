// What is uncertain: the density of each random number, and the facts of each quantity.
#include <algorithm>

#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

void put_law(PageContext& c, const results::InputColumn& column) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  const auto known = c.file.column_law(column.name);
  c.json.object().key("name").string(column.name).key("unit").string(column.unit).key("law").string(column.law);
  c.put_text("quantity", known ? known->quantity : column.name);
  c.put_number("mean", known ? known->mean : nan);
  c.put_number("std", known ? known->std : nan);
  c.put_number("nominal", known ? known->nominal : nan);
  c.json.key("exact").boolean(known && known->exact);
  c.json.key("x");
  c.block.drawn(c.json, known ? known->x : std::vector<double>());
  c.json.key("density");
  c.block.drawn(c.json, known ? known->density : std::vector<double>());
  c.json.end();
}

void put_quantity(PageContext& c, const results::QuantityLaw& q) {
  c.json.object().key("name").string(q.name);
  c.put_text("kind", q.kind);
  c.put_text("words", q.words);
  c.put_text("unit", q.unit);
  c.put_text("group", q.group);
  c.put_text("sameAs", q.same_as);
  c.json.key("facts").array();
  for (std::size_t i = 0; i < std::min(q.facts.size(), q.values.size()); ++i)
    c.json.object().key("name").string(q.facts[i]).key("value").string(q.values[i]).end();
  c.json.end().end();
}

}  // namespace

void put_laws(PageContext& c) {
  c.json.key("laws").array();
  for (const results::InputColumn& column : c.file.columns()) put_law(c, column);
  c.json.end().key("quantities").array();
  for (const results::QuantityLaw& q : c.file.quantity_laws()) put_quantity(c, q);
  c.json.end();
}

}  // namespace aleator::core::report
