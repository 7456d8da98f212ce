#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_set>

#include "elements/registry.hpp"
#include "input/expression.hpp"
#include "input/limits.hpp"
#include "model/beams.hpp"
#include "model/colours.hpp"
#include "model/derived.hpp"
#include "model/initial_motions.hpp"
#include "model/language.hpp"
#include "model/output_filters.hpp"
#include "model/scope.hpp"

namespace aleator::core {

namespace limits = input::limits;
using input::InputError;
using input::Item;
using input::Value;

namespace {

// Where something could be added that is missing: after the last line.
input::Position end_of(const input::Description& d) {
  if (d.text.empty()) return d.top.at;
  const auto lines = std::count(d.text.begin(), d.text.end(), '\n') + (d.text.back() == '\n' ? 1 : 2);
  return {int(lines), 1};
}

Settings settings_of(const input::Description& d, const input::Scope& scope) {
  Settings s;
  const Value* v = d.top.find("simulation");
  if (!v)
    throw InputError(end_of(d), "'simulation' is missing: at least its duration must be given, as in simulation: {duration: 1}");
  const Item& item = v->items[0];
  const auto number = [&](std::string_view key, double fallback) {
    const Value* x = item.find(key);
    return x ? scope(x->number) : fallback;
  };
  s.duration = number("duration", 1);
  s.step = number("step", s.duration / 1000);
  s.output_step = number("output_step", s.duration / 200);
  const auto place_of = [&](std::string_view key) { return item.find(key) ? item.find(key)->at : item.at; };
  if (!(s.step > 0 && s.output_step > 0))
    throw InputError(place_of("duration"), fmt::format("simulation: a duration of {:g} s is too short", s.duration));
  if (s.duration / s.step > limits::steps)
    throw InputError(place_of("step"),
                     fmt::format("simulation: {:.3g} steps are too many; the step must be larger than duration / {:g}",
                                 s.duration / s.step, limits::steps));
  if (s.duration / s.output_step > limits::output_times)
    throw InputError(
        place_of("output_step"),
        fmt::format("simulation: {:.3g} output times are too many; 'output_step' must be larger than duration / {:g}",
                    s.duration / s.output_step, limits::output_times));
  s.rho = number("rho", s.rho);
  if (!(s.rho <= 1))
    throw InputError(item.find("rho")->at, fmt::format("simulation: 'rho' must be between 0 and 1, found {:g}", s.rho));
  s.tolerance = number("tolerance", 0);
  s.accuracy = number("accuracy", 0);
  if (item.find("accuracy") && item.find("step"))
    throw InputError(item.find("step")->at, "simulation: 'accuracy' determines the step: give either 'accuracy' or 'step'");
  // Who gives a spectral radius means the method that has one.
  if (const Value* w = item.find("integrator"))
    s.integrator = w->word;
  else if (!item.find("rho"))
    s.integrator = "auto";
  if (const Value* w = item.find("stabilization")) s.stabilization = w->word;
  if (const Value* w = item.find("start")) s.start_at_equilibrium = w->word == "equilibrium";
  return s;
}

struct Built {
  Blueprint blueprint;
  std::vector<BodyProperties> bodies;
  Settings settings;
};

// Runs f; what it complains about begins with whose fault it is: "joint 'pin': …".
template <class F>
auto on_behalf_of(std::string_view entry, const Item& item, F&& f) {
  try {
    return f();
  } catch (const input::LastError& e) {
    throw input::LastError(e.where(), fmt::format("{} '{}': {}", entry, item.name, e.message()));
  } catch (const InputError& e) {
    const std::string who = fmt::format("{} '{}': ", entry, item.name);
    if (e.where().line == 0 || e.message().rfind(who, 0) == 0) throw;
    throw InputError(e.where(), who + e.message());
  } catch (const std::invalid_argument& e) {
    throw InputError(item.at, fmt::format("{} '{}': {}", entry, item.name, e.what()));
  }
}

// What is wrong in a model, entry by entry; and what cannot be judged because something it needs is wrong.
class Mistakes {
 public:
  explicit Mistakes(const input::Description& d)
      : errors(d.errors), suspect_(d.suspect.begin(), d.suspect.end()), dependents_(d, parameters(d)) {}

  input::ErrorList errors;

  bool spoilt(std::string_view name) const { return suspect_.contains(std::string(name)); }
  // Runs f for an entry, if that can be judged.
  template <class F>
  void attempt(const Item& item, F&& f) {
    const bool fine = (suspect_.empty() || !needs_suspect(item)) && errors.attempt(f);
    if (!fine) suspect_.insert(item.name);
  }

 private:
  static std::vector<std::string_view> parameters(const input::Description& d) { return {d.suspect.begin(), d.suspect.end()}; }
  bool needs_suspect(const Item& item) const { return spoilt(item.name) || names_suspect(item) || dependents_.contain(item); }
  bool names_suspect(const std::string& word) const { return spoilt(word) || spoilt(word.substr(0, word.find('.'))); }
  bool names_suspect(const Value& v) const {
    return names_suspect(v.word) ||
           std::any_of(v.words.begin(), v.words.end(), [&](const auto& w) { return names_suspect(w); }) ||
           std::any_of(v.items.begin(), v.items.end(), [&](const Item& i) { return names_suspect(i); }) ||
           std::any_of(v.by_direction.begin(), v.by_direction.end(), [&](const auto& e) { return names_suspect(e.value); });
  }
  bool names_suspect(const Item& item) const {
    return names_suspect(item.subject) ||
           std::any_of(item.fields.begin(), item.fields.end(), [&](const auto& e) { return names_suspect(e.value); });
  }

  std::unordered_set<std::string> suspect_;
  input::Dependents dependents_;
};

// The same without anybody who collects: what is wrong with a realization is thrown at once.
template <class F>
void attempt(Mistakes* mistakes, const Item& item, F&& f) {
  if (mistakes)
    mistakes->attempt(item, f);
  else
    f();
}

bool belongs_to(std::string_view name, const Item& body) {
  return name.size() > body.name.size() && name[body.name.size()] == '.' && name.starts_with(body.name);
}

// What differs between a model and its realization: what was replaced in either.
class Differences {
 public:
  Differences(const Model& model, std::span<const Override> overrides)
      : model_(model), names_(names_of(model, overrides)), dependents_(model.description, parameters(names_)) {}

  const Model& model() const { return model_; }
  const input::Dependents& dependents() const { return dependents_; }
  bool has_body(const Item& item) const {
    for (const std::string_view name : names_)
      if (belongs_to(name, item)) return true;
    return dependents_.contain(item);
  }

 private:
  using Names = std::vector<std::string_view>;
  static Names names_of(const Model& model, std::span<const Override> overrides) {
    Names names(model.set.begin(), model.set.end());
    for (const Override& o : overrides) names.push_back(o.name);
    return names;
  }
  static Names parameters(const Names& all) {
    Names names;
    for (const std::string_view name : all)
      if (name.find('.') == std::string_view::npos) names.push_back(name);
    return names;
  }
  const Model& model_;
  Names names_;
  input::Dependents dependents_;
};

void add_bodies(const input::Description& d, std::span<const Override> overrides, Builder& b, Built& out,
                const Differences* differences = nullptr, Mistakes* mistakes = nullptr) {
  const std::vector<Item>& items = d.section("bodies");
  for (const Item& item : items) out.blueprint.topology.body_names.push_back(item.name);
  out.bodies.resize(items.size());
  out.blueprint.topology.first_carrier.resize(items.size(), -1);  // of bodies that are wrong, too
  b.origins.resize(items.size()), b.orientations.resize(items.size());
  const auto is_node = [](const Item& item) {
    const Value* flag = item.find("reference_node");
    return flag && flag->flag;
  };
  for (const bool rigid : {true, false})  // rigid bodies come first
    for (size_t i = 0; i < items.size(); ++i) {
      const Item& item = items[i];
      if ((item.kind.empty() && !is_node(item)) != rigid) continue;
      BodyProperties& p = out.bodies[i];
      const auto add = [&] {
        if (rigid && differences && !differences->has_body(item)) {
          p = differences->model().bodies[i];
        } else if (!item.kind.empty()) {
          p = add_beam(d, item, int(i), overrides, b);
          return;
        } else {
          p = body_properties(item, b, overrides);
        }
        const Mat3<double>& R = p.orientation;
        if (rigid)
          b.add_rigid_body(int(i), {p.mass, transposed_times(R, p.inertia * R)}, p.center_of_mass, R, p.velocity,
                           transposed_times(R, p.angular_velocity));
        else
          add_reference_node(item, int(i), p, b);
      };
      attempt(mistakes, item, [&] { on_behalf_of("body", item, add); });
      b.origins[i] = p.origin, b.orientations[i] = p.orientation;
    }
}

void add_elements(std::string_view entry, const std::vector<Item>& items, const std::vector<ElementType>& types, Builder& b,
                  Mistakes* mistakes) {
  for (const bool second_round : {false, true})
    for (const Item& item : items) {
      const auto type = std::find_if(types.begin(), types.end(), [&](const ElementType& t) { return t.kind.key == item.kind; });
      if (type->needs_joints != second_round) continue;
      attempt(mistakes, item, [&] { on_behalf_of(entry, item, [&] { type->build(item, b); }); });
    }
}

void refuse_unknown(const input::Description& d, const Override& o) {
  for (const auto& p : d.parameters)
    if (p.name == o.name) return;
  for (const Item& item : d.section("bodies"))
    if (belongs_to(o.name, item)) return;  // checked where the body is built
  std::vector<std::string> known;
  for (const auto& p : d.parameters) known.push_back(p.name);
  for (const Item& item : d.section("bodies")) known.push_back(item.name + (item.kind.empty() ? ".mass" : ".E"));
  throw InputError({}, fmt::format("nothing named '{}' can be set{}", o.name, input::suggestion(o.name, known)));
}

Vec3<double> gravity_of(const input::Description& d, const Builder& b) {
  const Vec3<double> gravity = b.vector(d.top, "gravity", {});
  if (d.normal >= 0 && gravity[d.normal] != 0)
    throw InputError(d.top.find("gravity")->at, "in a planar model gravity must lie in the plane");
  return gravity;
}

// `nominal` is the model whose realization is built, if it is one; otherwise there are `mistakes` to collect.
Built build(const input::Description& d, std::span<const Override> overrides, const Model* nominal, Mistakes* mistakes) {
  for (const Override& o : overrides) refuse_unknown(d, o);
  const BorrowedScope borrowed(d, overrides);
  const input::Scope& scope = borrowed;
  Built out;
  // Settings are entries of the top, which depend on parameters as others do.
  const auto of_top = [&](const char* key, auto&& f) {
    if (!mistakes) return f();
    if (mistakes->spoilt(key)) return;
    Item item;
    item.name = key;
    if (const Value* v = d.top.find(key)) item.subject = *v;
    mistakes->attempt(item, f);
  };
  of_top("simulation", [&] { out.settings = settings_of(d, scope); });
  out.blueprint.topology.normal = d.normal;
  Builder b(scope, out.blueprint, out.settings.duration);
  std::optional<Differences> differences;
  if (nominal) {
    differences.emplace(*nominal, overrides);
    b.expected = &nominal->topology.nodal;
    if (out.settings.duration == nominal->settings.duration) b.nominal = &nominal->nominal;
    b.dependents = &differences->dependents();
  }
  of_top("gravity", [&] { out.blueprint.numbers.gravity = gravity_of(d, b); });
  add_bodies(d, overrides, b, out, differences ? &*differences : nullptr, mistakes);
  if (!nominal)
    for (const Item& item : d.section("bodies")) attempt(mistakes, item, [&] { colour_of(item); });  // refuses what is none
  if (out.bodies.empty() && !(mistakes && !mistakes->errors.empty()))
    throw InputError(end_of(d), "the model has no bodies: at least one is needed, below 'bodies:'");
  for (const Item& item : d.section("initial_motions"))
    attempt(mistakes, item, [&] { add_initial_motion(item, b, out.blueprint); });
  add_elements("joint", d.section("joints"), joint_types(), b, mistakes);
  add_elements("force", d.section("forces"), force_types(), b, mistakes);
  add_elements("output", d.section("outputs"), output_types(), b, mistakes);
  return out;
}

// Adds the file to errors that do not know it.
template <class F>
auto in_file(const input::Description& d, F&& f) {
  try {
    return f();
  } catch (const InputError& e) {
    throw e.in_file(d.file);
  }
}

}  // namespace

static std::vector<Channel> channels_of(const Topology& topology) {
  std::vector<Channel> channels;
  for (const Output& o : topology.outputs)
    for (const std::string& c : o.channels) channels.push_back({c.empty() ? o.name : o.name + "." + c, o.unit});
  return channels;
}

static void refuse_long_output(const Model& m, const input::Description& d) {
  const double times = m.settings.duration / m.settings.output_step + 1, numbers = times * double(m.channels.size());
  if (numbers <= limits::output_numbers) return;
  const Item& item = d.top.find("simulation")->items[0];
  const Value* given = item.find("output_step");
  throw InputError(given ? given->at : item.at,
                   fmt::format("simulation: {} channels at {:.3g} times are {:.3g} numbers, at most {:g} are allowed; make "
                               "'output_step' larger",
                               m.channels.size(), times, numbers, limits::output_numbers));
}

// Everything that is wrong is thrown together: what the reader has found, and what building the mechanism finds.
static Built built_or_refused(const input::Description& d, std::span<const Override> overrides) {
  Built built;
  Mistakes mistakes(d);
  mistakes.errors.collect([&] {
    built = build(d, overrides, nullptr, &mistakes);
    if (mistakes.spoilt("outputs")) return;
    const std::vector<Channel> channels = channels_of(built.blueprint.topology);
    const input::Scope scope = scope_of(d, overrides);
    for (const Item& item : d.section("scalars"))
      mistakes.attempt(item, [&] { derived_scalar(item, scope, channels, built.settings); });
  });
  mistakes.errors.raise(d.file);
  return built;
}

Model make_model(input::Description description, std::span<const Override> overrides, const CompileOptions& options) {
  Built built = built_or_refused(description, overrides);
  Model m;
  if (const Value* t = description.top.find("title")) m.title = t->word;
  m.settings = built.settings;
  for (const Override& o : overrides) m.set.push_back(o.name);
  m.structure = make_structure(built.blueprint.topology, built.blueprint.numbers, options);
  m.topology = std::move(built.blueprint.topology);
  m.nominal = std::move(built.blueprint.numbers);
  m.bodies = std::move(built.bodies);
  m.channels = channels_of(m.topology);
  in_file(description, [&] { refuse_long_output(m, description); });
  Derived derived = in_file(description, [&] {
    return read_derived(description, scope_of(description, overrides), m.topology.outputs, m.channels, m.settings);
  });
  m.scalars = std::move(derived.scalars);
  m.limits = std::move(derived.limits);
  m.spectra = std::move(derived.spectra);
  m.filters = in_file(
      description, [&] { return read_filters(description, scope_of(description, overrides), m.topology.outputs, m.settings); });
  m.description = std::move(description);
  return m;
}

Model load_model(const std::string& file, std::span<const Override> overrides, const CompileOptions& options) {
  return make_model(input::draft_of_file(file, language()), overrides, options);
}

Parameters realize(const Model& model, std::span<const Override> overrides) {
  Built built = in_file(model.description, [&] { return build(model.description, overrides, &model, nullptr); });
  if (built.blueprint.topology.groups != model.topology.groups) throw std::logic_error("a realization changed the topology");
  return std::move(built.blueprint.numbers);
}

std::vector<BodyProperties> realize_bodies(const Model& model, std::span<const Override> overrides) {
  const input::Description& d = model.description;
  return in_file(d, [&] {
    const BorrowedScope scope(d, overrides);
    Built built;
    built.blueprint.topology.normal = d.normal;
    Builder b(scope, built.blueprint, model.settings.duration);
    const Differences differences(model, overrides);
    add_bodies(d, overrides, b, built, &differences);
    return std::move(built.bodies);
  });
}

std::vector<double> breakpoints(const Parameters& numbers, double duration) {
  std::vector<double> all;
  for (const auto& s : numbers.signals)
    for (double t : s.breakpoints)
      if (t > 1e-12 * duration && t < duration * (1 - 1e-12)) all.push_back(t);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end(), [&](double a, double b) { return b - a < 1e-12 * duration; }), all.end());
  return all;
}

}  // namespace aleator::core
