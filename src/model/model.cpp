#include "model/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "elements/registry.hpp"
#include "input/expression.hpp"
#include "input/limits.hpp"
#include "model/beams.hpp"
#include "model/colours.hpp"
#include "model/derived.hpp"
#include "model/draft.hpp"
#include "model/initial_motions.hpp"
#include "model/language.hpp"
#include "model/output_filters.hpp"
#include "model/realize_masses.hpp"
#include "model/scope.hpp"
#include "model/suspects.hpp"
#include "processes/language.hpp"

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
  const auto place_of = [&](std::string_view key) { return item.find(key) ? item.find(key)->at : item.at; };
  const auto refuse_times = [&] {
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
  };
  input::ErrorList errors;
  errors.collect([&] {
    errors.attempt([&] {
      s.duration = number("duration", 1);
      s.output_step = number("output_step", s.duration / 200);
      s.step = number("step", std::min(s.duration / 1000, s.output_step));  // what is asked for is resolved
      refuse_times();
    });
    errors.attempt([&] {
      s.rho = number("rho", s.rho);
      if (!(s.rho <= 1))
        throw InputError(item.find("rho")->at, fmt::format("simulation: 'rho' must be between 0 and 1, found {:g}", s.rho));
    });
    errors.attempt([&] { s.tolerance = number("tolerance", 0); });
    errors.attempt([&] { s.accuracy = number("accuracy", 0); });
    errors.attempt([&] {
      if (item.find("accuracy") && item.find("step"))
        throw InputError(item.find("step")->at, "simulation: 'accuracy' determines the step: give either 'accuracy' or 'step'");
    });
  });
  errors.raise();
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
  std::vector<Extent> extents;  // Model::extents; none of a realization, which has the same
  // Of a realization:
  std::vector<char> other_bodies;  // which differ
  size_t entries = 0;              // that are there
  std::vector<std::shared_ptr<const processes::Process>> processes;
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
  explicit Mistakes(const input::Description& d) : errors(d.errors), suspects(d) {}

  input::ErrorList errors;
  Suspects suspects;

  // Runs f for an entry, if that can be judged.
  template <class F>
  void attempt(const Item& item, F&& f) {
    const bool fine = !suspects.touch(item) && errors.attempt(f);
    if (!fine) suspects.add(item.name);
  }
};

// The same without anybody who collects: what is wrong with a realization is thrown at once.
template <class F>
void attempt(Mistakes* mistakes, const Item& item, F&& f) {
  if (mistakes)
    mistakes->attempt(item, f);
  else
    f();
}

// What differs between a model and its realization: what was replaced in either.
class Differences {
 public:
  Differences(const Model& model, std::span<const Override> overrides)
      : model_(model), names_(names_of(model, overrides)), dependents_(model.description, parameters(names_)) {}

  const Model& model() const { return model_; }
  const input::Dependents& dependents() const { return dependents_; }
  // Whether a body is another one than nominally.
  bool has_body(const Item& item) const {
    for (const std::string_view name : names_)
      if (override_names(name, item)) return true;
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
  out.bodies.resize(items.size()), out.other_bodies.resize(items.size());
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
      const bool same = differences && !differences->has_body(item);
      if (differences) out.other_bodies[i] = !same;
      const auto add = [&] {
        if (rigid && same) {
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

// Whether an entry adds to a realization what it adds to the model, between two extents: it mentions nothing that differs, acts on bodies that do not
// differ, and takes no numbers from other entries. `other_bodies`: which bodies differ.
bool repeats(const Item& item, bool refers_to_entries, const Extent& from, const Extent& to, const Differences& differences,
             const std::vector<char>& other_bodies) {
  const Model& m = differences.model();
  const Topology& t = m.topology;
  if (t.states > 0) return false;  // entries with states renumber the ground
  if (refers_to_entries && !from.same_numbers(to)) return false;
  if (to.signals > from.signals && !m.processes.empty()) return false;  // a process differs without being mentioned
  for (int i = from.markers; i < to.markers; ++i) {
    const int carrier = t.marker_carrier[size_t(i)];
    if (carrier < 0 || (carrier < t.ground() && other_bodies[size_t(t.carriers[size_t(carrier)].body)])) return false;
  }
  return !differences.dependents().contain(item);
}

void add_elements(std::string_view entry, const std::vector<Item>& items, const std::vector<ElementType>& types, Builder& b,
                  Built& out, const Differences* differences, Mistakes* mistakes) {
  for (const bool second_round : {false, true})
    for (const Item& item : items) {
      const auto type = std::find_if(types.begin(), types.end(), [&](const ElementType& t) { return t.kind.key == item.kind; });
      if (type->needs_joints != second_round) continue;
      if (b.nominal) {
        const Model& m = differences->model();
        const Extent &from = m.extents[out.entries], &to = m.extents[out.entries + 1];
        ++out.entries;
        if (repeats(item, second_round || entry == "output", from, to, *differences, out.other_bodies)) {
          b.repeat(from, to, m.topology, m.nominal);
          continue;
        }
      } else if (!differences) {
        out.extents.push_back(b.extent());
      }
      attempt(mistakes, item, [&] { on_behalf_of(entry, item, [&] { type->build(item, b); }); });
    }
}

void refuse_unknown(const input::Description& d, const Override& o) {
  for (const auto& p : d.parameters)
    if (p.name == o.name) return;
  for (const Item& item : d.section("bodies"))
    if (override_names(o.name, item)) return;  // checked where the body is built
  for (const Item& item : d.section("processes"))
    if (override_names(o.name, item)) return;  // likewise
  std::vector<std::string> known;
  for (const auto& p : d.parameters) known.push_back(p.name);
  for (const Item& item : d.section("bodies")) known.push_back(item.name + (item.kind.empty() ? ".mass" : ".E"));
  throw InputError({}, fmt::format("nothing named '{}' can be set{}", o.name, input::suggestion(o.name, known)));
}

// `NAME.draw` and `NAME.z1`, … : which realization of a process it is. `NAME.normals`, from methods for rare events alone: all other numbers of it.
ProcessNumbers numbers_in(std::shared_ptr<const processes::Process> process, std::span<const Override> overrides) {
  ProcessNumbers r{std::move(process)};
  const processes::Process& p = *r.process;
  std::vector<double>& leading = r.leading;
  leading.assign(p.leading.size(), 0.0);
  for (const Override& o : overrides) {
    if (!o.name.starts_with(p.name + ".")) continue;
    const std::string what = o.name.substr(p.name.size() + 1);
    bool known = what == "draw";
    if (known) r.draw = o.value;
    if (what == "normals" && o.along.size() == p.other_numbers()) {
      leading.insert(leading.end(), o.along.begin(), o.along.end());
      continue;
    }
    for (size_t i = 0; i < p.leading.size() && !known; ++i)
      if (what == fmt::format("z{}", i + 1)) leading[i] = o.value, known = true;
    if (!known)
      throw InputError(
          {}, fmt::format("'{}' cannot be set: a process has '{}.draw'{}", o.name, p.name,
                          p.leading.empty() ? "" : fmt::format(" and '{0}.z1' to '{0}.z{1}'", p.name, p.leading.size())));
  }
  if (!(r.draw >= 0 && r.draw <= 1))
    throw InputError({}, fmt::format("'{}.draw' must be between 0 and 1, found {:g}", p.name, r.draw));
  return r;
}

RealizedProcess realized(const ProcessNumbers& n) {
  if (n.draw == 0) return {n.process};
  return {n.process, n.draw, numbers_of(*n.process, n.draw, n.leading), false};
}

// The nominal one, unless its parameters differ.
std::shared_ptr<const processes::Process> process_of(const Item& item, const input::Scope& scope, double duration,
                                                     const std::shared_ptr<const processes::Process>& nominal,
                                                     const Differences* differences) {
  if (nominal && !differences->dependents().contain(item)) return nominal;
  return std::make_shared<const processes::Process>(processes::read(item, scope, duration, nominal.get()));
}

void add_processes(const input::Description& d, std::span<const Override> overrides, const input::Scope& scope, Builder& b,
                   Built& out, const Differences* differences, Mistakes* mistakes) {
  const std::vector<Item>& items = d.section("processes");
  for (size_t i = 0; i < items.size(); ++i) {
    const Item& item = items[i];
    const auto add = [&] {
      for (const Item& other : d.section("bodies"))
        if (other.name == item.name) throw InputError(item.at, "has the name of a body; give it another");
      out.processes.push_back(
          process_of(item, scope, out.settings.duration, differences ? differences->model().processes[i] : nullptr, differences));
      b.processes[item.name] = realized(numbers_in(out.processes.back(), overrides));
    };
    attempt(mistakes, item, [&] { on_behalf_of("process", item, add); });
  }
}

// Numbers of `gravity` are those of the realization; what depends on time is added to them.
Vec3<double> gravity_of(const input::Description& d, Builder& b, Topology& topology) {
  const Value* given = d.top.find("gravity");
  if (!given) return {};
  if (given->items.size() != 3) throw InputError(given->at, "'gravity' must be a vector, as in [0, 0, -9.81]");
  Vec3<double> gravity;
  for (int i = 0; i < 3; ++i) {
    const Item& f = given->items[size_t(i)];
    const bool constant = f.kind == "constant";
    if (constant) gravity[i] = b.number(f.subject.number);
    if (d.normal == i && !(constant && gravity[i] == 0))
      throw InputError(given->at, "in a planar model gravity must lie in the plane");
    if (!constant) topology.gravity_signal[i] = b.signal(f);
  }
  return gravity;
}

// Bodies without mass whose motion nothing determines, as far as one can tell without numbers: the solver finds the others.
void refuse_loose(const input::Description& d, const Built& built, Mistakes* mistakes) {
  if (mistakes && !mistakes->errors.empty()) return;
  for (size_t i = 0; i < built.bodies.size(); ++i) {
    if (built.bodies[i].is_beam() || built.bodies[i].mass != 0) continue;
    const Item& body = d.section("bodies")[i];
    int joints = 0;
    for (const JointRecord& j : built.blueprint.topology.joints) {
      if (j.kind == "gear" || (j.first != body.name && j.second != body.name)) continue;
      const auto& items = d.section("joints");
      const auto item = std::find_if(items.begin(), items.end(), [&](const Item& e) { return e.name == j.name; });
      joints += j.kind == "fixed" || item->find("armature") ? 2 : 1;
    }
    if (joints >= 2) continue;
    const Value* mass = body.find("mass");
    attempt(mistakes, body, [&] {
      throw InputError(
          mass ? mass->at : body.at,
          fmt::format("body '{}': without a mass it must join others by at least two joints, or its joint must have an "
                      "'armature'",
                      body.name));
    });
  }
}

// A realization has as much of everything as its model.
void reserve(Blueprint& b, const Model& m) {
  const auto like = [](auto& to, const auto& from) { to.reserve(from.size()); };
  Topology& t = b.topology;
  const Topology& s = m.topology;
  like(t.body_names, s.body_names), like(t.carriers, s.carriers);
  like(t.marker_carrier, s.marker_carrier), like(t.marker_nodal, s.marker_nodal), like(t.nodal, s.nodal);
  like(t.groups, s.groups), like(t.joints, s.joints), like(t.forces, s.forces), like(t.rows, s.rows);
  like(t.gradient_row, s.gradient_row), like(t.gradient_marker, s.gradient_marker), like(t.gradient_block, s.gradient_block);
  like(t.block_row, s.block_row), like(t.block_carrier, s.block_carrier), like(t.turn_coordinate, s.turn_coordinate);
  Parameters& n = b.numbers;
  like(n.bodies, m.nominal.bodies), like(n.markers, m.nominal.markers), like(n.groups, m.nominal.groups);
  like(n.pool, m.nominal.pool), like(n.signals, m.nominal.signals), like(n.nodal, m.nominal.nodal);
  like(n.positions, m.nominal.positions), like(n.velocities, m.nominal.velocities);
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
    if (mistakes->suspects.contain(key)) return;
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
    reserve(out.blueprint, *nominal);
    differences.emplace(*nominal, overrides);
    b.expected = &nominal->topology.nodal;
    if (out.settings.duration == nominal->settings.duration) b.nominal = &nominal->nominal;
    b.dependents = &differences->dependents();
  }
  const Differences* const differing = differences ? &*differences : nullptr;
  add_processes(d, overrides, scope, b, out, differing, mistakes);
  of_top("gravity", [&] { out.blueprint.numbers.gravity = gravity_of(d, b, out.blueprint.topology); });
  add_bodies(d, overrides, b, out, differing, mistakes);
  if (!nominal)
    for (const Item& item : d.section("bodies")) attempt(mistakes, item, [&] { colour_of(item); });  // refuses what is none
  if (out.bodies.empty() && !(mistakes && !mistakes->errors.empty()))
    throw InputError(end_of(d), "the model has no bodies: at least one is needed, below 'bodies:'");
  for (const Item& item : d.section("initial_motions"))
    attempt(mistakes, item, [&] { add_initial_motion(item, b, out.blueprint); });
  add_elements("joint", d.section("joints"), joint_types(), b, out, differing, mistakes);
  if (!nominal) refuse_loose(d, out, mistakes);
  add_elements("force", d.section("forces"), force_types(), b, out, differing, mistakes);
  add_elements("output", d.section("outputs"), output_types(), b, out, differing, mistakes);
  if (!nominal) out.extents.push_back(b.extent());
  if (b.nominal && b.extent() != nominal->extents.back()) throw std::logic_error("a realization changed the topology");
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

// What needs the mechanism as a whole.
static void look_at_derived(const input::Description& d, std::span<const Override> overrides, const Built& built,
                            Mistakes& mistakes) {
  const input::Scope scope = scope_of(d, overrides);
  for (const char* section : {"outputs", "scalars"})
    for (const Item& item : d.section(section))
      if (const Value* limits = item.find("limits"); limits && !mistakes.suspects.in_numbers_of(item))
        for (const auto& [key, value] : limits->items[0].fields) mistakes.errors.attempt([&] { scope(value.number); });
  if (mistakes.suspects.contain("outputs")) return;
  std::vector<Channel> channels = channels_of(built.blueprint.topology);
  for (const Item& output : d.section("outputs"))
    if (mistakes.suspects.contain(output.name)) channels.push_back({output.name, ""});  // it exists
  for (const std::string& name : d.suspect)
    if (name.starts_with("outputs.")) channels.push_back({name.substr(8), ""});  // the reader has left it out
  for (const Item& item : d.section("scalars"))
    mistakes.attempt(item, [&] { derived_scalar(item, scope, channels, built.settings); });
}

Model draft_of_model(input::Description description, std::span<const Override> all, const CompileOptions& options) {
  Model m;
  Built built;
  std::vector<Override> overrides;  // of things that exist
  {
    bool finished = false;
    Mistakes mistakes(description);
    mistakes.errors.collect([&] {
      for (const Override& o : all)
        if (mistakes.errors.attempt([&] { refuse_unknown(description, o); })) overrides.push_back(o);
      built = build(description, overrides, nullptr, &mistakes);
      look_at_derived(description, overrides, built, mistakes);
      finished = true;
    });
    if (!finished)  // nobody misses what was not built
      for (const char* key : {"parameters", "bodies", "outputs"}) mistakes.suspects.add(key);
    description.errors = std::move(mistakes.errors);
    const auto& names = mistakes.suspects.names();
    description.suspect.assign(names.begin(), names.end());
    std::sort(description.suspect.begin(), description.suspect.end());
  }
  if (const Value* t = description.top.find("title")) m.title = t->word;
  m.settings = built.settings;
  for (const Override& o : overrides) m.set.push_back(o.name);
  const bool complete = description.errors.empty();
  if (complete) m.structure = make_structure(built.blueprint.topology, built.blueprint.numbers, options);
  m.topology = std::move(built.blueprint.topology);
  m.nominal = std::move(built.blueprint.numbers);
  m.extents = std::move(built.extents);
  m.drawn_markers = std::move(built.blueprint.drawn_markers);
  m.bodies = std::move(built.bodies);
  m.processes = std::move(built.processes);
  m.channels = channels_of(m.topology);
  if (complete)
    description.errors.collect([&] {
      refuse_long_output(m, description);
      const input::Scope scope = scope_of(description, overrides);
      Derived derived = read_derived(description, scope, m.topology.outputs, m.channels, m.settings);
      m.scalars = std::move(derived.scalars);
      m.limits = std::move(derived.limits);
      m.spectra = std::move(derived.spectra);
      m.filters = read_filters(description, scope, m.topology.outputs, m.settings);
    });
  m.description = std::move(description);
  return m;
}

Model make_model(input::Description description, std::span<const Override> overrides, const CompileOptions& options) {
  Model m = draft_of_model(std::move(description), overrides, options);
  m.description.errors.raise(m.description.file);
  return m;
}

Model load_model(const std::string& file, std::span<const Override> overrides, const CompileOptions& options) {
  return make_model(input::draft_of_file(file, language()), overrides, options);
}

Parameters realize(const Model& model, std::span<const Override> overrides) {
  Parameters numbers;
  realize(model, overrides, numbers);
  return numbers;
}

void realize(const Model& model, std::span<const Override> overrides, Parameters& to) {
  if (!realize_masses(model, overrides, to)) to = realize_by_building(model, overrides);
}

Parameters realize_by_building(const Model& model, std::span<const Override> overrides) {
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

ProcessNumbers process_numbers(const Model& model, size_t index, std::span<const Override> overrides) {
  const input::Description& d = model.description;
  return in_file(d, [&] {
    const BorrowedScope scope(d, overrides);
    const Differences differences(model, overrides);
    return numbers_in(
        process_of(d.section("processes")[index], scope, model.settings.duration, model.processes[index], &differences),
        overrides);
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
