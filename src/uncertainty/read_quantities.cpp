#include "uncertainty/read_quantities.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "uncertainty/read_fields.hpp"
#include "uncertainty/stream.hpp"
#include "uncertainty/wave.hpp"

namespace aleator::core {

using input::InputError;
using input::Item;
using input::Value;

namespace {

constexpr std::string_view tensor_entries[] = {"xx", "yy", "zz", "xy", "xz", "yz"};

Quantity scalar_quantity(const std::string& name, std::string unit, std::shared_ptr<const Distribution> law) {
  Quantity q;
  q.name = name;
  q.columns = {name};
  q.unit = std::move(unit);
  q.scalar = std::move(law);
  return q;
}

Quantity center_of_mass_quantity(const std::string& body, int normal, std::shared_ptr<const CenterOfMassLaw> law) {
  Quantity q;
  q.name = body + ".center_of_mass";
  for (int i = 0; i < 3; ++i)
    if (i != normal) q.columns.push_back(fmt::format("{}.{}", q.name, "xyz"[i]));
  q.unit = "m";
  q.center_of_mass = std::move(law);
  return q;
}

Quantity inertia_quantity(const std::string& body, int normal, std::shared_ptr<const InertiaLaw> law) {
  Quantity q;
  q.name = body + ".inertia";
  for (int e = 0; e < 6; ++e)
    if (normal < 0 || e == normal) q.columns.push_back(fmt::format("{}.{}", q.name, tensor_entries[e]));
  q.unit = "kg m^2";
  q.inertia = std::move(law);
  return q;
}

// Reads `uncertain:` entry by entry, those that are the same as another body's after the others.
class QuantityReader : public RandomThings {
 public:
  QuantityReader(const LawContext& context, std::span<const Override> fixed, std::span<const Override> field_variables,
                 input::ErrorList& errors, std::vector<std::string>& wrong)
      : c_(context), fixed_(fixed), field_variables_(field_variables), errors_(errors), wrong_(wrong) {}

  void read(const std::vector<Item>& items) {
    for (const bool shared : {false, true})
      for (const Item& item : items) {
        const bool fine = errors_.attempt([&] { read_entry(item, shared); });
        if (!fine || c_.suspects.contain_uncertain(item.name)) wrong_.push_back(item.name);
      }
    if (!wrong_.empty()) return;
    for (const Override& o : field_variables_) errors_.attempt([&] { refuse_unused_variable(o); });
  }

 private:
  void read_entry(const Item& item, bool shared) {
    if (c_.suspects.in_numbers_of(item)) return wrong_.push_back(item.name);
    on_behalf_of(item, [&] {
      if (item.kind.empty())
        read_body(item, shared);
      else if (!shared)
        read_parameter(item);
    });
  }

  // Runs f; what it complains about begins with whose fault it is.
  template <class F>
  void on_behalf_of(const Item& item, F&& f) {
    try {
      f();
    } catch (const input::Consequence&) {
      throw;
    } catch (const InputError& e) {
      const std::string who = fmt::format("uncertain '{}': ", item.name);
      throw InputError(e.where(), e.message().rfind(who, 0) == 0 ? e.message() : who + e.message());
    }
  }

  // A quantity that is set from outside is fixed.
  bool fixed(const std::string& name) {
    const auto it = std::find_if(fixed_.begin(), fixed_.end(),
                                 [&](const Override& o) { return o.name == name || o.name.starts_with(name + "."); });
    if (it == fixed_.end()) return false;
    notes.push_back(it->name == name ? fmt::format("'{}' is set, and therefore no longer random", name)
                                     : fmt::format("'{}' is set, so '{}' is no longer random", it->name, name));
    return true;
  }

  void read_parameter(const Item& item) {
    const auto& parameters = c_.model.description.parameters;
    const auto it = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == item.name; });
    if (is_spoilt(item.name)) {
      wrong_.push_back(item.name);
      if (!fixed(item.name)) look_at_scalar_law(item, c_);
      return;
    }
    if (it == parameters.end()) {
      std::vector<std::string> known;
      for (const auto& p : parameters) known.push_back(p.name);
      const bool body = body_index(c_.model, item.name) >= 0;
      throw InputError(
          item.at, body ? fmt::format("it is a body; mass, center_of_mass and inertia of a rigid body can be random, and E, nu, "
                                      "density and height of a beam")
                        : fmt::format("there is no such parameter or body{}", input::suggestion(item.name, known)));
    }
    if (fixed(item.name)) return;
    const double nominal = c_.scope.parameter(int(it - parameters.begin()));
    const auto law = read_scalar_law(item, c_, nominal);
    if (nominal < law->lower() || nominal > law->upper())
      notes.push_back(
          fmt::format("uncertain '{}': its value in the model, {:g}, is not among those of its distribution, {:g} to {:g}; "
                      "the nominal motion is like none of the realizations",
                      item.name, nominal, law->lower(), law->upper()));
    add(scalar_quantity(item.name, "", law), -1);
  }

  void read_body(const Item& item, bool shared) {
    const int body = body_index(c_.model, item.name);
    if (is_spoilt(item.name)) {
      wrong_.push_back(item.name);
      if (shared) return;
      return each_law(item, [&](const std::string& key, const Value& value) { look_at_law_of_body(key, value.items[0], c_); });
    }
    if (body < 0) {
      std::vector<std::string> known = c_.model.topology.body_names;
      for (const auto& p : c_.model.description.parameters) {
        known.push_back(p.name);
        if (p.name == item.name)
          throw InputError(item.at, "it is a parameter; give its distribution, as in {normal: {std: 0.1}}");
      }
      throw InputError(item.at, fmt::format("there is no such body{}", input::suggestion(item.name, known)));
    }
    const bool beam = c_.model.bodies[body].is_beam();
    if (item.fields.empty())
      throw InputError(item.at,
                       beam ? "is empty: give E, nu, density or height" : "is empty: give mass, center_of_mass or inertia");
    each_law(item, [&](const std::string& key, const Value& value) { read_law_of_body(item, key, value, body, shared); });
  }

  void read_law_of_body(const Item& item, const std::string& key, const Value& value, int body, bool shared) {
    const bool beam = c_.model.bodies[body].is_beam();
    const Item& law = value.items[0];
    if (is_field(key) != beam && shared) return;  // told in the first round
    if (is_field(key) != beam)
      throw InputError(value.at,
                       beam ? fmt::format("'{}': it is a beam; E, nu, density and height of a beam can be random", key)
                            : fmt::format("'{}': it is a rigid body; mass, center_of_mass and inertia of a rigid body can be "
                                          "random",
                                          key));
    if (beam) {
      if (!shared && !fixed(item.name + "." + key)) add_field(key, law, body);
      return;
    }
    const Value* other = key == "center_of_mass" ? (law.kind == "same_as" ? &law.subject : nullptr) : law.find("same_as");
    if ((other != nullptr) != shared) return;
    if (!other && fixed(item.name + "." + key)) return;
    if (other)
      add_shared(key, law, *other, body);
    else if (key == "mass")
      add(scalar_quantity(item.name + ".mass", "kg", read_mass_law(law, c_, body)), body);
    else if (key == "center_of_mass")
      add(center_of_mass_quantity(item.name, normal(), read_center_of_mass_law(law, c_, body)), body);
    else
      add(inertia_quantity(item.name, normal(), read_inertia_law(law, c_, body)), body);
  }

  // All laws of a body, also after one that is wrong.
  template <class F>
  void each_law(const Item& item, F&& f) {
    for (const auto& [key, value] : item.fields)
      if (!errors_.attempt([&] { on_behalf_of(item, [&] { f(key, value); }); })) wrong_.push_back(item.name);
  }

  // Whether what an entry is about is wrong, or its name may be one that could not be read.
  bool is_spoilt(const std::string& name) const {
    const Suspects& s = c_.suspects;
    if (s.empty()) return false;
    if (s.contain(name)) return true;
    const auto& parameters = c_.model.description.parameters;
    const bool known = body_index(c_.model, name) >= 0 ||
                       std::any_of(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
    return !known && (s.contain("bodies") || s.contain("parameters"));
  }

  void add_field(const std::string& key, const Item& law, int body) {
    BeamField f = read_field(law, key, c_, body, notes);
    for (const BeamField& other : fields)
      for (const BeamField::Beam& beam : f.beams)
        for (const BeamField::Beam& served : other.beams)
          if (other.property == key && served.name == beam.name)
            throw InputError(law.at,
                             fmt::format("'{}': '{}' of '{}' is already random, by '{}'", key, key, beam.name, other.name));
    const auto find = [&](const std::string& name) {
      return std::find_if(field_variables_.begin(), field_variables_.end(), [&](const Override& o) { return o.name == name; });
    };
    if (const auto set = find(wave_number_of(f.name)); set != field_variables_.end()) {
      const auto phase = find(phase_of(f.name));
      set_wave(f, set->value, phase == field_variables_.end() ? 0 : phase->value);
      fields.push_back(std::move(f));
      return;
    }
    const Argument standard[] = {{"mean", 0}, {"std", 1}};
    for (size_t i = 0; i < f.terms.size(); ++i) {
      const std::string name = fmt::format("{}.xi{}", f.name, i + 1);
      const auto set = find(name);
      if (set != field_variables_.end()) {
        f.terms[i].value = set->value;
        notes.push_back(fmt::format("'{}' is set, and therefore no longer random", name));
        continue;
      }
      f.terms[i].quantity = int(quantities.size());
      Quantity q = scalar_quantity(name, "", make_distribution("normal", standard, 0));
      q.field = int(fields.size());
      add(std::move(q), body);
    }
    fields.push_back(std::move(f));
  }

  void set_wave(BeamField& f, double wave_number, double phase) {
    const std::string name = wave_number_of(f.name);
    if (!(wave_number >= 0) || !std::isfinite(wave_number))
      throw InputError({}, fmt::format("'{}' must be 0 or more, found {:g}", name, wave_number));
    try {
      make_wave(f, {-1, wave_number}, {-1, phase});
    } catch (const std::invalid_argument& e) {
      throw InputError({}, fmt::format("'{}' cannot be set: {}", name, e.what()));
    }
    notes.push_back(fmt::format("'{}' is set: the field '{}' is a wave, and therefore no longer random", name, f.name));
  }

  void add_shared(const std::string& key, const Item& law, const Value& other, int body) {
    const std::string& name = c_.model.topology.body_names[body];
    if (law.fields.size() > 1) throw InputError(other.at, fmt::format("'{}': with 'same_as' no other key is allowed", key));
    if (other.word == name) throw InputError(other.at, fmt::format("'{}.same_as' must name another body", key));
    const std::string source = other.word + "." + key;
    const auto it = std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == source; });
    if (it == quantities.end() || !it->same_as.empty()) {
      const InputError error(other.at, fmt::format("'{}.same_as': '{}' {}", key, source,
                                                   it == quantities.end() ? "is not random" : "is itself the same as another"));
      const bool follows = std::find(wrong_.begin(), wrong_.end(), other.word) != wrong_.end() ||
                           c_.suspects.contain_uncertain(other.word) || is_spoilt(other.word);
      if (follows) throw input::Consequence(error);
      throw error;
    }
    if (fixed(name + "." + key)) return;
    const Quantity from = *it;
    Quantity q;
    try {
      if (from.scalar)
        q = scalar_quantity(name + ".mass", "kg", shared_mass_law(*from.scalar, c_.model, body, from.body));
      else if (from.center_of_mass)
        q = center_of_mass_quantity(name, normal(), shared_center_of_mass_law(*from.center_of_mass, c_.model, body, from.body));
      else
        q = inertia_quantity(name, normal(), shared_inertia_law(*from.inertia, c_.model, body));
    } catch (const std::invalid_argument& e) {
      throw InputError(other.at, fmt::format("'{}': {}", key, e.what()));
    }
    q.same_as = source;
    add(std::move(q), body);
  }

  void add(Quantity q, int body) {
    q.body = body;
    q.key = quantity_key(q.same_as.empty() ? q.name : q.same_as);
    if (q.inertia)
      for (const std::string& w : q.inertia->warnings()) notes.push_back(fmt::format("uncertain '{}': {}", q.name, w));
    quantities.push_back(std::move(q));
  }

  void refuse_unused_variable(const Override& o) const {
    const std::string field = o.name.substr(0, o.name.rfind('.'));
    for (const BeamField& f : fields)
      if (f.wave && (o.name == wave_number_of(f.name) || o.name == phase_of(f.name))) return;
    for (const BeamField& f : fields)
      if (o.name == phase_of(f.name))
        throw InputError({}, fmt::format("'{}' cannot be set without '{}'", o.name, wave_number_of(f.name)));
    for (const BeamField& f : fields)
      for (size_t i = 0; f.name == field && i < f.terms.size(); ++i)
        if (o.name == fmt::format("{}.xi{}", field, i + 1)) return;
    for (const BeamField& f : fields)
      if (f.name == field)
        throw InputError({}, fmt::format("'{}' cannot be set: the field '{}' has {} variable{}", o.name, field, f.terms.size(),
                                         f.terms.size() == 1 ? "" : "s"));
    throw InputError({}, fmt::format("'{}' cannot be set: there is no random field '{}'", o.name, field));
  }

  int normal() const { return c_.model.topology.normal; }

  const LawContext& c_;
  std::span<const Override> fixed_, field_variables_;
  input::ErrorList& errors_;
  std::vector<std::string>& wrong_;  // names of entries in which something is
};

}  // namespace

RandomThings read_quantities(const std::vector<Item>& items, const LawContext& context, std::span<const Override> fixed,
                             std::span<const Override> field_variables, input::ErrorList& errors,
                             std::vector<std::string>& wrong) {
  QuantityReader reader(context, fixed, field_variables, errors, wrong);
  reader.read(items);
  return std::move(static_cast<RandomThings&>(reader));
}

void add_processes(RandomThings& things, const Model& model, std::span<const Override> fixed) {
  const Argument unit[] = {{"lower", 0}, {"upper", 1}}, standard[] = {{"mean", 0}, {"std", 1}};
  for (size_t i = 0; i < model.processes.size(); ++i) {
    const processes::Process& p = *model.processes[i];
    const auto set = [&](const Override& o) { return o.name == p.name + ".draw"; };
    if (std::any_of(fixed.begin(), fixed.end(), set)) {
      things.notes.push_back(fmt::format("'{}.draw' is set: process '{}' is the same in all realizations", p.name, p.name));
      continue;
    }
    const auto add = [&](const std::string& name, std::shared_ptr<const Distribution> law) {
      Quantity q = scalar_quantity(name, "", std::move(law));
      q.process = int(i);
      q.key = quantity_key(name);
      things.quantities.push_back(std::move(q));
    };
    add(p.name + ".draw", make_distribution("uniform", unit, 0.5));
    for (size_t k = 0; k < p.leading.size(); ++k)
      add(fmt::format("{}.z{}", p.name, k + 1), make_distribution("normal", standard, 0));
  }
}

}  // namespace aleator::core
