#include <algorithm>
#include <array>
#include <span>

#include "api/json_members.hpp"
#include "api/output_json.hpp"

namespace aleator::core {

std::string modes_json(const std::string& file, const Vibrations& found, int count, const CommandOutcome& outcome) {
  return output_object("modes", outcome.exit_code, [&](Members& m) {
    m.text("file", file).text("about", found.about);
    m.integer("degrees_of_freedom", found.degrees_of_freedom).flag("balanced", found.balanced);
    m.text_or_null("unbalanced_body", found.balanced ? "" : found.unbalanced_body);
    found.balanced ? m.null("unbalanced_acceleration") : m.number("unbalanced_acceleration", found.unbalanced);
    m.integer("total", (long long)found.modes.size());
    const std::span shown = std::span(found.modes).first(std::min(found.modes.size(), std::size_t(count)));
    m.list("modes", shown, [&](Members&, const Vibration& v, std::size_t) {
      m.number("frequency", v.frequency).number("damped_frequency", v.damped_frequency);
      m.number("damping_ratio", v.damping_ratio).numbers("eigenvalue", std::array{v.real, v.imaginary});
      m.text("kind", v.kind).text("body", v.body).text("direction", v.direction);
    });
    m.texts("notes", outcome.notes);
  });
}

std::string campbell_json(const std::string& file, const results::Campbell& d, const CommandOutcome& outcome) {
  return output_object("modes", outcome.exit_code, [&](Members& m) {
    m.text("file", file).text("about", d.about).text("parameter", d.parameter).text_or_null("unit", d.unit);
    m.numbers("values", d.values);
    m.list("modes", d.modes, [&](Members&, const results::Campbell::Mode& mode, std::size_t) {
      m.text("motion", mode.motion).numbers("frequency", mode.frequency);
      m.numbers("damping_ratio", mode.damping).numbers("mac", mode.mac);
    });
    m.numbers("orders", d.orders);
    m.list("critical", d.crossings, [&](Members&, const results::Campbell::Crossing& c, std::size_t) {
      m.integer("mode", c.mode + 1).number("order", c.order).number("value", c.value);
      m.number("frequency", c.frequency).number("damping_ratio", c.damping);
    });
    m.texts("files", outcome.files).texts("notes", outcome.notes);
  });
}

}  // namespace aleator::core
