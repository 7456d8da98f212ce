#include "dynamics/named_place.hpp"

#include <fmt/format.h>

namespace aleator::core {

static std::string named(const char* what, const std::string& name, const Model& model, input::Position at) {
  const std::string& file = model.description.file;
  if (at.line == 0 || file.empty()) return fmt::format("{} '{}'", what, name);
  return fmt::format("{} '{}' ({})", what, name, input::place_text(file, at));
}

std::string named_joint(const Model& model, int joint) {
  const JointRecord& j = model.topology.joints[size_t(joint)];
  return named("joint", j.name, model, j.at);
}

std::string named_entry(const Model& model, const char* what, const input::Item& item) {
  return named(what, item.name, model, item.at);
}

std::string named_body(const Model& model, const std::string& name) {
  for (const input::Item& item : model.description.section("bodies"))
    if (item.name == name) return named_entry(model, "body", item);
  return named("body", name, model, {});
}

std::string named_channel(const Model& model, const std::string& name) {
  for (const input::Item& item : model.description.section("outputs"))
    if (name == item.name || name.starts_with(item.name + ".")) return named("output", name, model, item.at);
  return named("output", name, model, {});
}

}  // namespace aleator::core
