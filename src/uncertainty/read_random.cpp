#include "uncertainty/read_random.hpp"

#include <fmt/format.h>

#include "model/scope.hpp"
#include "uncertainty/chosen_inputs.hpp"
#include "uncertainty/read_dependence.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

// What is the same for all realizations must not depend on what is random: when they are recorded, how they are studied, and
// the laws themselves.
void refuse_random_settings(const input::Description& d, const std::vector<Quantity>& quantities, input::ErrorList& errors) {
  const auto refuse = [&](const Item& item, input::Position at, const std::string& what) {
    for (const Quantity& q : quantities)
      if (q.is_parameter() && input::depends_on(item, d, std::span(&q.name, 1)))
        return errors.add(InputError(
            at, fmt::format("{} depends on '{}', which is random; it must be the same for all realizations", what, q.name)));
  };
  for (const char* key : {"simulation", "study"})
    if (const Value* group = d.top.find(key)) refuse(group->items[0], group->at, fmt::format("'{}'", key));
  for (const Item& item : d.section("bodies"))
    if (const Value* elements = item.find("elements")) {
      Item only;
      only.fields.push_back({"elements", *elements});
      refuse(only, elements->at, fmt::format("body '{}': 'elements'", item.name));
    }
  for (const Item& item : d.section("uncertain"))
    refuse(item, item.at, fmt::format("uncertain '{}': its distribution", item.name));
  for (const Item& item : d.section("dependence")) refuse(item, item.at, fmt::format("dependence '{}': it", item.name));
}

}  // namespace

ReadRandom read_random(const Model& model, const std::vector<Item>& uncertain, std::span<const Override> fixed,
                       std::span<const Override> field_variables, std::span<const std::string> inputs, input::ErrorList& errors) {
  const input::Description& d = model.description;
  ReadRandom out;
  RandomThings& things = out;
  errors.collect([&] {
    const input::Scope scope = scope_of(d, fixed);
    Blueprint empty;
    empty.topology.normal = model.topology.normal;
    const Builder builder(scope, empty, model.settings.duration);
    const Suspects suspects(d);
    const LawContext context{model, scope, builder, suspects};
    std::vector<std::string> wrong;
    things = read_quantities(uncertain, context, fixed, field_variables, errors, wrong);
    add_processes(things, model, fixed);
    if (!inputs.empty() && wrong.empty()) things = choose_inputs(std::move(things), inputs, context);
    refuse_random_settings(d, out.quantities, errors);
    if (inputs.empty()) out.dependences = read_dependences(d.section("dependence"), context, things, wrong, errors);
  });
  return out;
}

}  // namespace aleator::core
