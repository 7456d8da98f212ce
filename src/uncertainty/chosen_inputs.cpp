#include "uncertainty/chosen_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "uncertainty/hyper_parameters.hpp"
#include "uncertainty/stream.hpp"
#include "uncertainty/wave.hpp"

namespace aleator::core {

using input::InputError;

namespace {

std::vector<std::string> possible_inputs(const RandomThings& things, const Model& model) {
  std::vector<std::string> names;
  for (const Quantity& q : things.quantities) names.insert(names.end(), q.columns.begin(), q.columns.end());
  for (const auto& p : model.description.parameters) names.push_back(p.name);
  for (size_t b = 0; b < model.bodies.size(); ++b)
    if (!model.bodies[b].is_beam() && model.bodies[b].mass > 0) names.push_back(model.topology.body_names[b] + ".mass");
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

// The two numbers of a wave: uniform over what may be asked for. The field, the only one, is the wave from now on.
std::vector<Quantity> numbers_of_wave(BeamField& f) {
  const double largest = resolved_wave_number(f);
  const struct {
    std::string name, unit;
    double to;
  } numbers[] = {{wave_number_of(f.name), "rad/m", largest}, {phase_of(f.name), "rad", 2 * std::numbers::pi}};
  std::vector<Quantity> out;
  for (const auto& n : numbers) {
    const Argument ends[] = {{"lower", 0}, {"upper", n.to}};
    Quantity q;
    q.name = n.name;
    q.columns = {n.name};
    q.unit = n.unit;
    q.key = quantity_key(n.name);
    q.body = f.beams[0].body;
    q.field = 0;
    q.scalar = make_distribution("uniform", ends, n.to / 2);
    out.push_back(std::move(q));
  }
  make_wave(f, {0, 0}, {1, 0});
  return out;
}

// That wave, and nothing else: properties with other fields are as the model has them.
RandomThings choose_wave(RandomThings things, const std::string& field) {
  RandomThings out;
  out.notes = std::move(things.notes);
  for (BeamField& f : things.fields)
    if (f.name == field) out.fields.push_back(std::move(f));
  out.quantities = numbers_of_wave(out.fields[0]);
  return out;
}

}  // namespace

RandomThings choose_inputs(RandomThings things, std::span<const std::string> names, const LawContext& context) {
  for (const BeamField& f : things.fields)
    if (names.size() == 2 && names[0] == wave_number_of(f.name) && names[1] == phase_of(f.name)) {
      const std::string field = f.name;
      return choose_wave(std::move(things), field);
    }
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
