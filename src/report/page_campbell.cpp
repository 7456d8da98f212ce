// Natural frequencies over a parameter, with order lines and where modes cross them.
#include "report/page_parts.hpp"

namespace aleator::core::report {

void put_campbell(PageContext& c) {
  if (!c.source.campbell) {
    c.json.key("campbell").null();
    return;
  }
  const results::Campbell& d = *c.source.campbell;
  c.json.key("campbell").object();
  c.put_text("parameter", d.parameter);
  c.put_text("unit", d.unit);
  c.put_text("about", d.about);
  c.put_number("orderHertz", d.order_hertz);
  c.json.key("orders").numbers(d.orders);
  c.json.key("values");
  c.block.exact(c.json, d.values);
  c.json.key("modes").array();
  for (const results::Campbell::Mode& m : d.modes) {
    c.json.object();
    c.put_text("motion", m.motion);
    for (const auto& [key, column] : {std::pair{"frequency", &m.frequency}, {"damping", &m.damping}, {"mac", &m.mac}}) {
      c.json.key(key);
      c.block.exact(c.json, *column);
    }
    c.json.end();
  }
  c.json.end().key("crossings").array();
  for (const results::Campbell::Crossing& x : d.crossings) {
    c.json.object();
    c.put_number("mode", x.mode);
    c.put_number("order", x.order);
    c.put_number("value", x.value);
    c.put_number("frequency", x.frequency);
    c.put_number("damping", x.damping);
    c.json.end();
  }
  c.json.end();
  c.put_texts("notes", d.notes);
  c.json.end();
}

}  // namespace aleator::core::report
