#include "uncertainty/hyper_parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/constants.hpp"
#include "input/expression.hpp"
#include "model/beams.hpp"
#include "model/distribution_kinds.hpp"
#include "model/language_study.hpp"
#include "model/scope.hpp"

namespace aleator::core {

using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// One number of a law as it may be written.
struct LawNumber {
  std::string key;
  std::string_view unit;
  input::Bound bound = input::Bound::none;
  input::Number* written = nullptr;  // null: it is not
  Item* group = nullptr;             // where it would be
  bool settable = true;
  double fallback = nan;          // what is taken where it is not written …
  bool nominal_fallback = false;  // … or the nominal value is
};

// One law of `uncertain:` and its numbers.
struct WrittenLaw {
  std::string quantity;  // "stiffness", "rb5.mass", "link.E"
  input::Position at;
  std::string shared_with;  // the body whose quantity it is (`same_as`), or empty
  std::vector<LawNumber> numbers;
};

Value* find(Item& item, std::string_view key) {
  for (auto& [k, v] : item.fields)
    if (k == key) return &v;
  return nullptr;
}

// The numbers among some fields of a group, written or not.
void add_numbers(Item& group, const std::vector<Field>& fields, WrittenLaw& law) {
  for (const Field& f : fields) {
    if (f.type != FieldType::number) continue;
    Value* v = find(group, f.key);
    LawNumber n{std::string(f.key), f.unit, f.bound, v ? &v->number : nullptr, &group};
    n.nominal_fallback = f.fallback.starts_with("the nominal");
    if (f.fallback == "0") n.fallback = 0;
    if (f.fallback == "1") n.fallback = 1;
    law.numbers.push_back(n);
  }
}

// Laws that can be written by other numbers than mean and spread, and are: the mean follows from them.
bool mean_follows(const std::string& kind, Item& group) {
  for (const char* key : {"shape", "rate", "alpha", "beta", "location"})
    if (find(group, key)) return true;
  return (kind == "uniform" && find(group, "lower")) || (kind == "rayleigh" && find(group, "scale"));
}

// Of a parameter, or of the values of a field. What is not written has a fallback, or another number stands in its place.
void add_distribution(Item& item, WrittenLaw& law) {
  if (item.kind == "cdf") return;  // its points have no names
  Item& group = item.subject.items[0];
  if (item.kind == "openturns") {
    for (auto& [key, value] : find(group, "parameters")->by_direction)
      law.numbers.push_back({key, "", input::Bound::none, &value.number, &group});
    return;
  }
  for (const input::Kind& kind : distribution_kinds())
    if (kind.key == item.kind) {
      add_numbers(group, kind.subject.fields, law);
      for (LawNumber& n : law.numbers)
        if (const Field& f = *std::find_if(kind.subject.fields.begin(), kind.subject.fields.end(),
                                           [&](const Field& x) { return x.key == n.key; });
            !n.written)
          n.settable = !f.fallback.empty() && !(n.key == "mean" && mean_follows(item.kind, group));
    }
}

const Field& law_field(std::string_view key) {
  static const std::vector<input::Section> sections = study_sections();
  return *std::find_if(sections[0].fields.begin(), sections[0].fields.end(), [&](const Field& f) { return f.key == key; });
}

void add_center_of_mass(Item& choice, WrittenLaw& law) {
  if (choice.kind == "same_as") {
    law.shared_with = choice.subject.word;
    return;
  }
  for (const input::Kind& kind : law_field("center_of_mass").kinds)
    if (kind.key == choice.kind) {
      add_numbers(choice, kind.fields, law);
      if (choice.kind == "ball")
        law.numbers.push_back({"radius", kind.subject.unit, kind.subject.bound, &choice.subject.number, &choice});
      if (choice.kind == "cylinder") add_numbers(choice.subject.items[0], kind.subject.fields, law);
    }
}

void add_field(Item& group, const std::string& property, WrittenLaw& law) {
  Value* kind = find(group, "law");
  if (kind && !kind->items.empty()) {
    add_distribution(kind->items[0], law);
  } else {
    add_numbers(group, law_field(property).fields, law);
    std::erase_if(law.numbers, [](const LawNumber& n) { return n.key == "error"; });  // of its discretisation, not of its law
    for (LawNumber& n : law.numbers) {
      n.settable = n.written != nullptr;
      if (n.key == "std") n.unit = property == "E" ? "Pa" : property == "density" ? "kg/m^3" : property == "height" ? "m" : "-";
    }
  }
  if (Value* correlation = find(group, "correlation"); correlation && correlation->items[0].kind != "table")
    law.numbers.push_back(
        {"correlation_length", "m", input::Bound::positive, &correlation->items[0].subject.number, &correlation->items[0]});
}

std::vector<WrittenLaw> laws_of(std::vector<Item>& uncertain) {
  std::vector<WrittenLaw> laws;
  for (Item& item : uncertain) {
    if (!item.kind.empty()) {
      laws.push_back({item.name, item.at, "", {}});
      add_distribution(item, laws.back());
      continue;
    }
    for (auto& [key, value] : item.fields) {
      Item& group = value.items[0];
      laws.push_back({item.name + "." + key, value.at, "", {}});
      if (key == "center_of_mass") {
        add_center_of_mass(group, laws.back());
      } else if (key == "mass" || key == "inertia") {
        if (const Value* other = find(group, "same_as"))
          laws.back().shared_with = other->word;
        else
          add_numbers(group, law_field(key).fields, laws.back());
      } else {
        add_field(group, key, laws.back());
      }
    }
  }
  return laws;
}

std::string before_dot(const std::string& name) { return name.substr(0, std::min(name.rfind('.'), name.size())); }
std::string after_dot(const std::string& name) { return name.substr(std::min(name.rfind('.'), name.size() - 1) + 1); }

// "a, b and c"
std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return text;
}

std::string what_can_be_set(const WrittenLaw& law) {
  std::vector<std::string> names;
  for (const LawNumber& n : law.numbers)
    if (n.settable) names.push_back(n.key);
  return names.empty() ? "no parameter of this distribution can be set"
                       : fmt::format("{} of this distribution can be set", listed(names));
}

[[noreturn]] void refuse(const std::string& name, const std::string& why, input::Position at = {}) {
  throw InputError(at, fmt::format("'{}' cannot be set: {}", name, why));
}

LawNumber& number_named(std::vector<WrittenLaw>& laws, const std::string& name) {
  const std::string quantity = before_dot(name), key = after_dot(name);
  const auto law = std::find_if(laws.begin(), laws.end(), [&](const WrittenLaw& l) { return l.quantity == quantity; });
  if (law == laws.end()) refuse(name, fmt::format("'{}' has no distribution of its own", quantity));
  if (!law->shared_with.empty())
    refuse(name, fmt::format("'{}' has no distribution of its own; it is the same as that of '{}'", quantity, law->shared_with));
  const auto n = std::find_if(law->numbers.begin(), law->numbers.end(), [&](const LawNumber& x) { return x.key == key; });
  if (n == law->numbers.end()) {
    std::string why = fmt::format("the distribution of '{}' has no parameter '{}'; {}", quantity, key, what_can_be_set(*law));
    if (key == "correlation_length") why = fmt::format("a correlation given as a table has no length; {}", what_can_be_set(*law));
    refuse(name, why, law->at);
  }
  if (n->settable) return *n;
  std::vector<std::string> written;
  for (const LawNumber& x : law->numbers)
    if (x.written && x.key != "correlation_length") written.push_back(x.key);
  refuse(name, fmt::format("the distribution of '{}' is written with {}; {}", quantity, listed(written), what_can_be_set(*law)),
         law->at);
}

// link.E.xi1, link.E.wave_number, link.E.phase
bool is_field_variable(std::string_view name) {
  if (name.ends_with(".wave_number") || name.ends_with(".phase")) return true;
  const size_t dot = name.rfind(".xi");
  if (dot == std::string_view::npos || dot + 3 >= name.size()) return false;
  return std::all_of(name.begin() + long(dot) + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

constexpr std::string_view body_numbers[] = {"mass",       "center_of_mass.x", "center_of_mass.y", "center_of_mass.z",
                                             "inertia.xx", "inertia.yy",       "inertia.zz",       "inertia.xy",
                                             "inertia.xz", "inertia.yz"};

template <class List>
bool contains(const List& list, std::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

bool is_number_of_model(const input::Description& d, const std::string& name) {
  if (std::any_of(d.parameters.begin(), d.parameters.end(), [&](const auto& p) { return p.name == name; })) return true;
  for (const Item& body : d.section("bodies"))
    if (name.starts_with(body.name + ".")) {
      const std::string_view what = std::string_view(name).substr(body.name.size() + 1);
      if (body.kind.empty() ? contains(body_numbers, what) : contains(beam_properties, what)) return true;
    }
  return false;
}

// Whether any law could have such a number: then laws refuse it, otherwise the model does.
bool sounds_like_hyper(const input::Description& d, const std::string& name) {
  const std::string quantity = before_dot(name), key = after_dot(name);
  bool known = contains(
      std::initializer_list<std::string_view>{"scale", "radius", "length", "lambda_l", "lambda_u", "correlation_length"}, key);
  for (const input::Kind& kind : distribution_kinds())
    for (const Field& f : kind.subject.fields) known = known || f.key == key;
  if (!known || quantity == name) return false;
  return is_number_of_model(d, quantity) || quantity.ends_with(".center_of_mass") || quantity.ends_with(".inertia");
}

bool has_law(const std::vector<WrittenLaw>& laws, const std::string& quantity) {
  return std::any_of(laws.begin(), laws.end(), [&](const WrittenLaw& l) { return l.quantity == quantity; });
}

}  // namespace

double nominal_number(const Model& model, const input::Scope& scope, const std::string& name) {
  for (size_t i = 0; i < model.description.parameters.size(); ++i)
    if (model.description.parameters[i].name == name) return scope.parameter(int(i));
  const auto& names = model.topology.body_names;
  for (size_t b = 0; b < names.size(); ++b) {
    if (!name.starts_with(names[b] + ".")) continue;
    const BodyProperties& p = model.bodies[b];
    const std::string what = name.substr(names[b].size() + 1);
    if (p.is_beam()) {
      if (!contains(beam_properties, what)) continue;
      const std::vector<double> along = p.profile(what);
      return along.empty() ? nan : along[0];
    }
    if (what == "mass") return p.mass;
    if (what.starts_with("center_of_mass.")) return p.center_of_mass[what.back() - 'x'];
    if (what.starts_with("inertia.")) return p.inertia[what[what.size() - 2] - 'x'][what.back() - 'x'];
  }
  return nan;
}

SettingKind kind_of_setting(const input::Description& d, const std::string& name) {
  if (is_number_of_model(d, name)) return SettingKind::number_of_model;
  std::vector<Item> uncertain = d.section("uncertain");
  std::vector<WrittenLaw> laws = laws_of(uncertain);
  if (is_field_variable(name)) return has_law(laws, before_dot(name)) ? SettingKind::field_variable : SettingKind::nothing;
  for (const WrittenLaw& law : laws)
    for (const LawNumber& n : law.numbers)
      if (n.settable && law.quantity + "." + n.key == name) return SettingKind::hyper_parameter;
  return SettingKind::nothing;
}

SplitSettings split_settings(const input::Description& d, std::span<const Override> settings) {
  std::vector<Item> uncertain = d.section("uncertain");
  const std::vector<WrittenLaw> laws = laws_of(uncertain);
  SplitSettings out;
  for (const Override& o : settings) {
    const bool number = is_number_of_model(d, o.name);
    const bool hyper = !number && (has_law(laws, before_dot(o.name)) || sounds_like_hyper(d, o.name));
    (is_field_variable(o.name) ? out.field : hyper ? out.hyper : out.model).push_back(o);
  }
  return out;
}

std::vector<HyperParameter> hyper_parameters(const Model& model) {
  const input::Description& d = model.description;
  const input::Scope scope = scope_of(d, {});
  std::vector<Item> uncertain = d.section("uncertain");
  std::vector<HyperParameter> out;
  for (const WrittenLaw& law : laws_of(uncertain))
    for (const LawNumber& n : law.numbers)
      if (n.settable) {
        const double otherwise = n.nominal_fallback ? nominal_number(model, scope, law.quantity) : n.fallback;
        out.push_back({law.quantity + "." + n.key, std::string(n.unit), n.written ? scope(*n.written) : otherwise});
      }
  return out;
}

HyperParameter hyper_parameter(const Model& model, const std::string& name) {
  for (HyperParameter& h : hyper_parameters(model))
    if (h.name == name) return std::move(h);
  return {name, "", nan};
}

std::vector<Item> with_hyper_parameters(std::vector<Item> uncertain, std::span<const Override> hyper) {
  for (const bool names_are_right : {false, true})  // all names are looked at before any value
    for (const Override& o : hyper) {
      std::vector<WrittenLaw> laws = laws_of(uncertain);  // anew: a number that is added moves the others
      const LawNumber& n = number_named(laws, o.name);
      if (!names_are_right) continue;
      const input::Number number{o.value, -1, n.written ? n.written->at : n.group->at};
      try {
        input::check_bound(o.value, n.bound, number.at, fmt::format("'{}'", o.name), fmt::format("{:g}", o.value));
      } catch (const InputError& e) {
        throw ImpossibleLaw(e);
      }
      if (n.written) {
        *n.written = number;
      } else {
        Value v;
        v.at = number.at;
        v.number = number;
        n.group->fields.push_back({n.key, v});
      }
    }
  return uncertain;
}

}  // namespace aleator::core
