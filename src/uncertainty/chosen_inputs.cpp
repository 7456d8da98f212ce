#include "uncertainty/chosen_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "uncertainty/hyper_parameters.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

using input::InputError;

namespace {

std::vector<std::string> possible_inputs(const RandomThings& things, const Model& model) {
  std::vector<std::string> names;
  for (const Quantity& q : things.quantities) names.insert(names.end(), q.columns.begin(), q.columns.end());
  for (const auto& p : model.description.parameters) names.push_back(p.name);
  for (size_t b = 0; b < model.bodies.size(); ++b)
    if (!model.bodies[b].is_beam()) names.push_back(model.topology.body_names[b] + ".mass");
  return names;
}

[[noreturn]] void refuse_input(const std::string& name, const RandomThings& things, const Model& model) {
  if (kind_of_setting(model.description, name) == SettingKind::hyper_parameter)
    throw InputError({},
                     fmt::format("'{}' cannot be an input: it belongs to a distribution, and a response to given numbers does "
                                 "not depend on it",
                                 name));
  const std::vector<std::string> known = possible_inputs(things, model);
  std::string list;
  for (size_t i = 0; i < known.size() && i < 20; ++i)
    if (std::find(known.begin(), known.begin() + long(i), known[i]) == known.begin() + long(i))
      list += (list.empty() ? "" : ", ") + known[i];
  const std::string near = input::suggestion(name, known);
  throw InputError({}, fmt::format("'{}' cannot be an input: there is no such number in the model{} (numbers: {}{})", name,
                                   near.starts_with(" (known") ? "" : near, list, known.size() > 20 ? ", …" : ""));
}

Quantity number_of_model(const std::string& name, double nominal) {
  const double width = nominal != 0 ? 0.1 * std::abs(nominal) : 1e-3;
  const Argument ends[] = {{"lower", nominal - width}, {"upper", nominal + width}};
  Quantity q;
  q.name = name;
  q.columns = {name};
  q.key = quantity_key(name);
  q.body = -1;
  q.scalar = make_distribution("uniform", ends, nominal);
  return q;
}

}  // namespace

RandomThings choose_inputs(RandomThings things, std::span<const std::string> names, const LawContext& context) {
  RandomThings out;
  out.notes = std::move(things.notes);
  std::vector<int> chosen_as(things.quantities.size(), -1);
  for (size_t i = 0; i < names.size(); ++i) {
    if (std::find(names.begin(), names.begin() + long(i), names[i]) != names.begin() + long(i))
      throw InputError({}, fmt::format("'{}' is twice among the inputs", names[i]));
    const auto own = std::find_if(things.quantities.begin(), things.quantities.end(),
                                  [&](const Quantity& q) { return q.scalar && q.name == names[i]; });
    if (own != things.quantities.end()) {
      chosen_as[size_t(own - things.quantities.begin())] = int(i);
      out.quantities.push_back(*own);
      out.quantities.back().same_as.clear();
      out.quantities.back().key = quantity_key(names[i]);
      continue;
    }
    if (kind_of_setting(context.model.description, names[i]) != SettingKind::number_of_model)
      refuse_input(names[i], things, context.model);
    out.quantities.push_back(number_of_model(names[i], nominal_number(context.model, context.scope, names[i])));
  }
  out.fields = std::move(things.fields);
  for (BeamField& f : out.fields) {
    if (std::find(names.begin(), names.end(), f.name) != names.end()) f.beams.clear();  // the property itself is given instead
    for (BeamField::Term& t : f.terms)
      if (t.quantity >= 0) t.quantity = chosen_as[size_t(t.quantity)];
  }
  return out;
}

}  // namespace aleator::core
