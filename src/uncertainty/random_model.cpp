#include "uncertainty/random_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "input/expression.hpp"
#include "uncertainty/read_dependence.hpp"
#include "uncertainty/read_laws.hpp"
#include "uncertainty/stream.hpp"

namespace aleator {

using input::InputError;
using input::Item;
using input::Value;

namespace {

constexpr std::string_view tensor_entries[] = {"xx", "yy", "zz", "xy", "xz", "yz"};
constexpr int tensor_row[] = {0, 1, 2, 0, 0, 1}, tensor_column[] = {0, 1, 2, 1, 2, 2};

bool ends_with_hyper(std::string_view name) {
  for (const std::string_view end : {".mass.cov", ".center_of_mass.scale", ".inertia.lambda_l", ".inertia.lambda_u"})
    if (name.size() > end.size() && name.ends_with(end)) return true;
  return false;
}

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
class Reader {
 public:
  Reader(const LawContext& context, std::span<const Override> fixed) : c_(context), fixed_(fixed) {}

  std::vector<Quantity> quantities;
  std::vector<std::string> notes;

  void read(const std::vector<Item>& items) {
    for (const bool shared : {false, true})
      for (const Item& item : items) {
        try {
          if (item.kind.empty())
            read_body(item, shared);
          else if (!shared)
            read_parameter(item);
        } catch (const InputError& e) {
          const std::string who = fmt::format("uncertain '{}': ", item.name);
          throw InputError(e.where(), e.message().rfind(who, 0) == 0 ? e.message() : who + e.message());
        }
      }
    for (const Override& o : c_.hyper) refuse_unused(o);
  }

 private:
  // A quantity that is set from outside is fixed.
  bool fixed(const std::string& name) {
    const auto it = std::find_if(fixed_.begin(), fixed_.end(),
                                 [&](const Override& o) { return o.name == name || o.name.starts_with(name + "."); });
    if (it == fixed_.end()) return false;
    notes.push_back(it->name == name ? fmt::format("'{}' is set, and so no longer random", name)
                                     : fmt::format("'{}' is set, so '{}' is no longer random", it->name, name));
    return true;
  }

  void read_parameter(const Item& item) {
    const auto& parameters = c_.model.description.parameters;
    const auto it = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == item.name; });
    if (it == parameters.end()) {
      std::vector<std::string> known;
      for (const auto& p : parameters) known.push_back(p.name);
      const bool body = body_index(c_.model, item.name) >= 0;
      throw InputError(item.at, body ? fmt::format("it is a body; of a body mass, center_of_mass and inertia can be random")
                                     : fmt::format("there is no such parameter or body{}", input::suggestion(item.name, known)));
    }
    if (fixed(item.name)) return;
    const double nominal = c_.scope.parameter(int(it - parameters.begin()));
    add(scalar_quantity(item.name, "", read_scalar_law(item, c_, nominal)), -1);
  }

  void read_body(const Item& item, bool shared) {
    const int body = body_index(c_.model, item.name);
    if (body < 0) {
      std::vector<std::string> known = c_.model.topology.body_names;
      for (const auto& p : c_.model.description.parameters) {
        known.push_back(p.name);
        if (p.name == item.name) throw InputError(item.at, "it is a parameter; give its law, as in {normal: {std: 0.1}}");
      }
      throw InputError(item.at, fmt::format("there is no such body{}", input::suggestion(item.name, known)));
    }
    if (item.fields.empty()) throw InputError(item.at, "says nothing: give mass, center_of_mass or inertia");
    for (const auto& [key, value] : item.fields) {
      const Item& law = value.items[0];
      const Value* other = key == "center_of_mass" ? (law.kind == "same_as" ? &law.subject : nullptr) : law.find("same_as");
      if ((other != nullptr) != shared) continue;
      if (!other && fixed(item.name + "." + key)) continue;
      if (other)
        add_shared(key, law, *other, body);
      else if (key == "mass")
        add(scalar_quantity(item.name + ".mass", "kg", read_mass_law(law, c_, body)), body);
      else if (key == "center_of_mass")
        add(center_of_mass_quantity(item.name, normal(), read_center_of_mass_law(law, c_, body)), body);
      else
        add(inertia_quantity(item.name, normal(), read_inertia_law(law, c_, body)), body);
    }
  }

  void add_shared(const std::string& key, const Item& law, const Value& other, int body) {
    const std::string& name = c_.model.topology.body_names[body];
    if (law.fields.size() > 1)
      throw InputError(other.at, fmt::format("'{}': with 'same_as' nothing else may be said about the law", key));
    if (other.word == name) throw InputError(other.at, fmt::format("'{}.same_as' must name another body", key));
    const std::string source = other.word + "." + key;
    const auto it = std::find_if(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == source; });
    if (it == quantities.end() || !it->same_as.empty())
      throw InputError(other.at, fmt::format("'{}.same_as': '{}' {}", key, source,
                                             it == quantities.end() ? "is not random" : "is itself the same as another"));
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

  void refuse_unused(const Override& o) const {
    const std::string quantity = o.name.substr(0, o.name.rfind('.'));
    for (const Quantity& q : quantities)
      if (q.name == quantity && q.same_as.empty()) return;
    throw InputError({}, fmt::format("'{}' cannot be set: '{}' has no random law of its own", o.name, quantity));
  }

  int normal() const { return c_.model.topology.normal; }

  const LawContext& c_;
  std::span<const Override> fixed_;
};

// All realizations are recorded at the same times.
void refuse_random_simulation(const input::Description& d, const std::vector<Quantity>& quantities) {
  const Value* simulation = d.top.find("simulation");
  if (!simulation) return;
  for (const Quantity& q : quantities)
    if (q.body < 0 && input::depends_on(simulation->items[0], d, std::span(&q.name, 1)))
      throw InputError(simulation->at,
                       fmt::format("'simulation' depends on '{}', which is random; all realizations must have the "
                                   "same duration and output times",
                                   q.name));
}

// Quantities that depend on each other are one cause; its name is that of the first, or of all.
std::vector<std::string> assign_groups(std::vector<Quantity>& quantities, const std::vector<Dependence>& dependences) {
  std::vector<int> root(quantities.size());
  std::iota(root.begin(), root.end(), 0);
  const auto join = [&](int a, int b) {
    const int from = std::max(root[a], root[b]), to = std::min(root[a], root[b]);
    for (int& r : root)
      if (r == from) r = to;
  };
  for (size_t i = 0; i < quantities.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (quantities[i].key == quantities[j].key) join(int(i), int(j));
  for (const Dependence& d : dependences)
    for (const int q : d.quantities) join(d.quantities[0], q);
  std::vector<std::string> names;
  std::map<int, int> group_of;
  for (size_t i = 0; i < quantities.size(); ++i) {
    const auto [it, is_new] = group_of.try_emplace(root[i], int(names.size()));
    if (is_new)
      names.push_back(quantities[i].name);
    else
      names[it->second] += " & " + quantities[i].name;
    quantities[i].group = it->second;
  }
  return names;
}

}  // namespace

SplitSettings split_settings(std::span<const Override> settings) {
  SplitSettings out;
  for (const Override& o : settings) (ends_with_hyper(o.name) ? out.hyper : out.model).push_back(o);
  return out;
}

RandomModel::RandomModel(const Model& model, std::span<const Override> settings) : model_(&model) {
  SplitSettings split = split_settings(settings);
  settings_ = std::move(split.model);
  const input::Description& d = model.description;
  try {
    std::vector<std::pair<std::string, double>> parameters;
    for (const Override& o : settings_)
      if (o.name.find('.') == std::string::npos) parameters.emplace_back(o.name, o.value);
    const input::Scope scope(d, parameters);
    Blueprint empty;
    empty.topology.normal = model.topology.normal;
    const Builder builder(scope, empty, model.settings.duration);
    const LawContext context{model, scope, builder, split.hyper};
    Reader reader(context, settings_);
    reader.read(d.section("uncertain"));
    quantities_ = std::move(reader.quantities);
    notes_ = std::move(reader.notes);
    refuse_random_simulation(d, quantities_);
    dependences_ = read_dependences(d.section("dependence"), context, quantities_);
  } catch (const InputError& e) {
    throw e.in_file(d.file);
  }
  groups_ = assign_groups(quantities_, dependences_);
  for (Quantity& q : quantities_) {
    q.first_column = int(columns_.size());
    columns_.insert(columns_.end(), q.columns.begin(), q.columns.end());
    units_.insert(units_.end(), q.columns.size(), q.unit);
  }
  std::vector<std::string> parameters;
  for (const Quantity& q : quantities_)
    if (q.body < 0) parameters.push_back(q.name);
  for (const Item& body : d.section("bodies")) body_varies_.push_back(input::depends_on(body, d, parameters));
}

// The mass of a body in this realization, of whose sample the scalars are known.
double RandomModel::mass_of(int body, std::span<const double> sample) const {
  for (const Quantity& q : quantities_)
    if (q.body == body && q.scalar) return sample[q.first_column];
  if (!body_varies_[body]) return model_->bodies[body].mass;
  std::vector<Override> parameters = settings_;
  for (const Quantity& q : quantities_)
    if (q.body < 0) parameters.push_back({q.name, sample[q.first_column]});
  return realize_bodies(*model_, parameters)[body].mass;
}

std::vector<double> RandomModel::sample(std::uint64_t seed, std::uint64_t realization, std::span<const int> replicate) const {
  const auto stream = [&](const Quantity& q) {
    return Stream(seed, realization, q.key, replicate.empty() ? 0 : replicate[q.group]);
  };
  std::vector<double> out(columns_.size()), uniform(quantities_.size());
  for (size_t i = 0; i < quantities_.size(); ++i)
    if (quantities_[i].scalar) uniform[i] = stream(quantities_[i]).uniform();
  std::vector<double> u;
  for (const Dependence& d : dependences_) {
    u.clear();
    for (const int q : d.quantities) u.push_back(uniform[q]);
    d.copula->map(u);
    for (size_t i = 0; i < u.size(); ++i) uniform[d.quantities[i]] = u[i];
  }
  // What is shared follows its source, also where a copula changed that.
  for (size_t i = 0; i < quantities_.size(); ++i)
    if (quantities_[i].scalar) {
      size_t source = i;
      if (!quantities_[i].same_as.empty())
        while (quantities_[source].name != quantities_[i].same_as) --source;
      out[quantities_[i].first_column] = quantities_[i].scalar->quantile(uniform[source]);
    }
  const int normal = model_->topology.normal;
  for (const Quantity& q : quantities_) {
    if (!q.center_of_mass) continue;
    Stream s = stream(q);
    const Vec3<double> a = q.center_of_mass->draw(s);
    int column = q.first_column;
    for (int i = 0; i < 3; ++i)
      if (i != normal) out[column++] = a[i];
  }
  for (const Quantity& q : quantities_) {
    if (!q.inertia) continue;
    Stream s = stream(q);
    const Mat3<double> J = q.inertia->inertia(mass_of(q.body, out), q.inertia->draw_z(s));
    int column = q.first_column;
    for (int e = 0; e < 6; ++e)
      if (normal < 0 || e == normal) out[column++] = J[tensor_row[e]][tensor_column[e]];
  }
  return out;
}

std::vector<Override> RandomModel::overrides(std::span<const double> sample) const {
  std::vector<Override> out = settings_;
  for (size_t i = 0; i < columns_.size(); ++i) out.push_back({columns_[i], sample[i]});
  return out;
}

}  // namespace aleator
