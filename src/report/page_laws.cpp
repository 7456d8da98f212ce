// What is uncertain: the density of each random number, and the facts of each quantity.
#include <algorithm>

#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

void put_law(PageContext& c, const std::string& name, const std::string& unit, const std::string& law) {
  const std::string at = "/laws/columns/" + name;
  const bool known = c.file.has(at);
  const auto number = [&](const char* key, const char* attribute) {
    c.put_number(key, known ? c.attribute(at, attribute) : std::numeric_limits<double>::quiet_NaN());
  };
  c.json.object().key("name").string(name).key("unit").string(unit).key("law").string(law);
  c.put_text("quantity", known ? c.text(at, "quantity") : name);
  number("mean", "mean");
  number("std", "std");
  number("nominal", "nominal");
  c.json.key("exact").boolean(known && c.attribute(at, "exact") == 1);
  for (const char* key : {"x", "density"}) {
    c.json.key(key);
    c.block.drawn(c.json, known ? c.file.numbers(at + "/" + key) : std::vector<double>());
  }
  c.json.end();
}

void put_quantity(PageContext& c, const std::string& name) {
  const std::string at = "/laws/quantities/" + name;
  c.json.object().key("name").string(name);
  for (const char* key : {"kind", "words", "unit", "group"}) c.put_text(key, c.text(at, key));
  const std::vector<std::string> facts = c.file.texts_attribute(at, "facts"), values = c.file.texts_attribute(at, "values");
  c.json.key("facts").array();
  for (std::size_t i = 0; i < std::min(facts.size(), values.size()); ++i)
    c.json.object().key("name").string(facts[i]).key("value").string(values[i]).end();
  c.json.end().end();
}

}  // namespace

void put_laws(PageContext& c) {
  c.json.key("laws").array();
  if (c.file.has("/samples/inputs")) {
    const std::vector<std::string> names = c.file.texts_attribute("/samples/inputs", "columns");
    const std::vector<std::string> units = c.file.texts_attribute("/samples/inputs", "column_units");
    const std::vector<std::string> laws = c.file.texts_attribute("/samples/inputs", "laws");
    for (std::size_t i = 0; i < names.size(); ++i)
      put_law(c, names[i], units.empty() ? "" : units[i], laws.empty() ? "" : laws[i]);
  }
  c.json.end().key("quantities").array();
  for (const std::string& name : c.file.children("/laws/quantities")) put_quantity(c, name);
  c.json.end();
}

}  // namespace aleator::core::report
