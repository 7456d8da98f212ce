#include "uncertainty/random_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "model/derived.hpp"
#include "model/scope.hpp"
#include "uncertainty/read_random.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;

namespace {

// What is set itself has no law any more.
void refuse_hyper_of_known(std::span<const Override> hyper, std::span<const Override> fixed) {
  for (const Override& h : hyper) {
    const std::string quantity = h.name.substr(0, h.name.rfind('.'));
    for (const Override& f : fixed)
      if (f.name == quantity || f.name.starts_with(quantity + "."))
        throw InputError({}, fmt::format("'{}' cannot be set together with '{}', which makes it deterministic", h.name, f.name));
  }
}

// Quantities that depend on each other are one cause; its name is that of the first, or of all.
std::vector<std::string> assign_groups(std::vector<Quantity>& quantities, const std::vector<Dependence>& dependences,
                                       const std::vector<BeamField>& fields, const Model& model) {
  std::vector<int> root(quantities.size());
  std::iota(root.begin(), root.end(), 0);
  const auto join = [&](int a, int b) {
    const int from = std::max(root[a], root[b]), to = std::min(root[a], root[b]);
    for (int& r : root)
      if (r == from) r = to;
  };
  for (size_t i = 0; i < quantities.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (quantities[i].key == quantities[j].key || (quantities[i].field >= 0 && quantities[i].field == quantities[j].field) ||
          (quantities[i].process >= 0 && quantities[i].process == quantities[j].process))
        join(int(i), int(j));
  for (const Dependence& d : dependences)
    for (const int q : d.quantities) join(d.quantities[0], q);
  std::vector<std::string> names;
  std::map<int, int> group_of;
  for (size_t i = 0; i < quantities.size(); ++i) {
    const auto [it, is_new] = group_of.try_emplace(root[i], int(names.size()));
    const Quantity& q = quantities[i];
    const std::string& name = q.field >= 0     ? fields[size_t(q.field)].name
                              : q.process >= 0 ? model.processes[size_t(q.process)]->name
                                               : q.name;
    // Variables of a field, or a process, follow each other.
    const bool told = i > 0 && ((q.field >= 0 && quantities[i - 1].field == q.field) ||
                                (q.process >= 0 && quantities[i - 1].process == q.process));
    if (is_new)
      names.push_back(name);
    else if (!told)
      names[it->second] += " & " + name;
    quantities[i].group = it->second;
  }
  return names;
}

}  // namespace

RandomModel::RandomModel(const Model& model, std::span<const Override> settings, std::span<const std::string> inputs)
    : model_(&model) {
  const input::Description& d = model.description;
  SplitSettings split = split_settings(d, settings);
  settings_ = std::move(split.model);
  bool names_are_right = false;  // of hyper-parameters
  try {
    refuse_hyper_of_known(split.hyper, settings_);
    const std::vector<Item> uncertain = with_hyper_parameters(d.section("uncertain"), split.hyper);
    names_are_right = true;
    input::ErrorList errors;
    ReadRandom read = read_random(model, uncertain, settings_, split.field, inputs, errors);
    errors.raise();
    std::erase_if(settings_, [&](const Override& o) { return std::find(inputs.begin(), inputs.end(), o.name) != inputs.end(); });
    quantities_ = std::move(read.quantities);
    fields_ = std::move(read.fields);
    notes_ = std::move(read.notes);
    dependences_ = std::move(read.dependences);
  } catch (const ImpossibleLaw& e) {
    throw ImpossibleLaw(e.in_file(d.file));
  } catch (const InputError& e) {
    if (names_are_right && !split.hyper.empty()) throw ImpossibleLaw(e.in_file(d.file));
    throw e.in_file(d.file);
  }
  groups_ = assign_groups(quantities_, dependences_, fields_, model);
  find_variables();
  for (Quantity& q : quantities_) {
    q.first_column = int(columns_.size());
    columns_.insert(columns_.end(), q.columns.begin(), q.columns.end());
    units_.insert(units_.end(), q.columns.size(), q.unit);
  }
  std::vector<std::string> parameters;
  for (const Quantity& q : quantities_)
    if (q.is_parameter()) parameters.push_back(q.name);
  levels_vary_ = derived_depends_on(model, parameters);
  for (const Item& body : d.section("bodies")) body_varies_.push_back(input::depends_on(body, d, parameters));
  draws_bodies_ = std::any_of(quantities_.begin(), quantities_.end(),
                              [&](const Quantity& q) { return q.body >= 0 && q.field < 0 && body_varies_[size_t(q.body)]; });
}

// The mass of a body in this realization, of whose sample the scalars are known.
double RandomModel::mass_of(int body, std::span<const double> sample, std::span<const BodyProperties> drawn) const {
  for (const Quantity& q : quantities_)
    if (q.body == body && q.is_mass()) return sample[q.first_column];
  return drawn[body].mass;
}

// What is set, and the random parameters.
std::vector<Override> RandomModel::parameters_of(std::span<const double> sample) const {
  std::vector<Override> parameters = settings_;
  for (const Quantity& q : quantities_)
    if (q.is_parameter()) parameters.push_back({q.name, sample[q.first_column]});
  return parameters;
}

// Quantities that are shared have the key, and so the variables, of their source, which comes first.
void RandomModel::find_variables() {
  std::map<std::uint64_t, int> known;
  for (size_t i = 0; i < quantities_.size(); ++i) {
    const Quantity& q = quantities_[i];
    const auto [it, is_new] = known.try_emplace(q.key, int(variables_.size()));
    const int coordinates = q.is_draw()        ? 0
                            : q.scalar         ? 1
                            : q.center_of_mass ? q.center_of_mass->uniforms()
                                               : q.inertia->uniforms();
    first_variable_.push_back(coordinates > 0 ? it->second : -1);
    if (!is_new) continue;
    if (coordinates == 0) unmapped_.push_back(q.name);
    for (int c = 0; c < coordinates; ++c) {
      const std::string name = q.scalar ? q.name : fmt::format("{}.u{}", q.name, c + 1);
      variables_.push_back({name, int(i), c, q.group, q.scalar ? q.key : quantity_key(name), q.scalar != nullptr});
    }
  }
  for (const Dependence& d : dependences_)
    for (const int q : d.quantities) variables_[first_variable_[q]].alone = false;
}

// The mean of a field is the property as the random parameters make it.
void RandomModel::add_field_values(std::span<const double> sample, std::vector<Override>& out) const {
  bool means_vary = false;
  for (const BeamField& f : fields_)
    for (const BeamField::Beam& beam : f.beams) means_vary = means_vary || (!sample.empty() && body_varies_[beam.body]);
  const std::vector<BodyProperties> drawn =
      means_vary ? realize_bodies(*model_, parameters_of(sample)) : std::vector<BodyProperties>();
  for (const BeamField& f : fields_) {
    if (sample.empty() && f.wave && f.terms[0].quantity >= 0) continue;  // a wave has no nominal one: the property as it is
    std::vector<double> xi;
    for (const BeamField::Term& t : f.terms)
      xi.push_back(t.quantity < 0 ? t.value : sample.empty() ? 0 : sample[quantities_[t.quantity].first_column]);
    for (const BeamField::Beam& beam : f.beams)
      out.push_back({fmt::format("{}.{}", beam.name, f.property), beam.mean[0],
                     f.values(beam, means_vary ? drawn[beam.body].profile(f.property) : beam.mean, xi)});
  }
}

std::vector<Override> RandomModel::overrides(std::span<const double> sample) const {
  std::vector<Override> out = settings_;
  for (const Quantity& q : quantities_)
    for (size_t i = 0; i < q.columns.size() && q.field < 0; ++i) out.push_back({q.columns[i], sample[q.first_column + i]});
  add_field_values(sample.first(columns_.size()), out);
  auto rest = sample.subspan(columns_.size());
  for (const Quantity& q : quantities_) {
    if (!q.is_draw() || rest.empty()) continue;
    const auto own = rest.first(model_->processes[size_t(q.process)]->other_numbers());
    out.push_back({model_->processes[size_t(q.process)]->name + ".normals", 0, {own.begin(), own.end()}});
    rest = rest.subspan(own.size());
  }
  return out;
}

std::vector<Override> RandomModel::nominal_overrides() const {
  std::vector<Override> out = settings_;
  add_field_values({}, out);
  return out;
}

}  // namespace aleator::core
