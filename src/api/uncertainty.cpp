#include <aleator/uncertainty.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <stdexcept>

#include "api/jacobian.hpp"
#include "base/cancellation.hpp"
#include "dynamics/recorder.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "input/edit_text.hpp"
#include "model/derived.hpp"
#include "model/scope.hpp"
#include "study/nominal.hpp"
#include "study/session.hpp"
#include "study/study_laws.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator {

std::vector<Quantity> quantities(const Model& model) {
  std::vector<Quantity> out;
  const core::LoadedModel& m = model.compiled();
  if (m.random().empty()) return out;
  for (const core::results::ColumnLaw& c : core::laws_of(m.model, m.random(), 1).columns)
    out.push_back({c.name, c.unit, c.law, c.nominal, c.mean, c.std});
  return out;
}

std::vector<Parameter> parameters(const Model& model) {
  const core::LoadedModel& loaded = model.compiled();
  const core::Model& m = loaded.model;
  std::map<std::string, std::pair<std::string, std::string>> random;  // words and unit
  for (const Quantity& q : quantities(model)) random[q.name] = {q.distribution, q.unit};
  std::vector<Parameter> out;
  const auto add = [&](const std::string& name, const std::string& unit, double value) {
    const auto r = random.find(name);
    out.push_back({name, unit, value, r == random.end() ? "" : r->second.first});
  };
  const core::input::Scope scope = core::scope_of(m.description, loaded.model_settings());
  for (std::size_t i = 0; i < m.description.parameters.size(); ++i)
    add(m.description.parameters[i].name, "", scope.parameter(int(i)));
  const int normal = m.topology.normal;
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const core::BodyProperties& b = m.bodies[k];
    const std::string name = m.topology.body_names[k] + ".";
    if (b.is_beam()) {
      for (const auto& [property, unit] : {std::pair("E", "Pa"), {"nu", "-"}, {"density", "kg/m^3"}, {"height", "m"}})
        if (const std::vector<double>& along = b.profile(property); !along.empty()) add(name + property, unit, along[0]);
      continue;
    }
    add(name + "mass", "kg", b.mass);
    for (int i = 0; i < 3; ++i)
      if (i != normal) add(name + "center_of_mass." + "xyz"[i], "m", b.center_of_mass[i]);
    for (const auto& [i, j] : {std::pair(0, 0), {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}})
      if (normal < 0 || (i == normal && j == normal)) add(name + "inertia." + "xyz"[i] + "xyz"[j], "kg m^2", b.inertia[i][j]);
  }
  for (const core::HyperParameter& h : core::hyper_parameters(m)) {
    const auto set = model.settings().find(h.name);
    add(h.name, h.unit, set == model.settings().end() ? h.value : set->second);
  }
  return out;
}

Model with_distribution(const Model& model, const std::string& quantity, const std::string& distribution) {
  const core::LoadedModel& m = model.compiled();
  std::vector<std::string> path = {"uncertain"};
  std::size_t begin = 0;
  for (const std::string& body : m.model.topology.body_names)  // of an instance, whose name has dots itself
    if (body.size() + 1 > begin && quantity.starts_with(body + ".") && body.find('.') != std::string::npos)
      begin = body.size() + 1;
  if (begin > 0) path.push_back(quantity.substr(0, begin - 1));
  for (std::size_t from = begin; from <= quantity.size();) {
    const std::size_t dot = std::min(quantity.find('.', from), quantity.size());
    path.push_back(quantity.substr(from, dot - from));
    from = dot + 1;
  }
  std::vector<core::Override> settings;
  for (const core::Override& o : m.settings)
    if (o.name != quantity && !o.name.starts_with(quantity + ".")) settings.push_back(o);
  try {
    const std::string text = core::input::with_entry(m.model.description.text, path, distribution);
    Model changed(core::load(m.file, core::ModelSources{text, m.model.description.files}, std::move(settings)));
    changed.compiled().random();  // that it exists
    return changed;
  } catch (const core::input::InputError& e) {
    throw e.without_place();  // the file has no such line
  }
}

struct Ensemble::Data {
  Model model;
  Options options;
  std::unique_ptr<const core::RandomModel> own;  // of chosen inputs
  const core::RandomModel* random;               // that one, or the model's
  std::vector<std::string> inputs;
  std::vector<double> nominal;
  std::vector<Channel> outputs, scalars;
  std::vector<double> time;
  std::shared_ptr<const core::Model> stepped;
  std::unique_ptr<const core::Ensemble> compiled;
  mutable std::once_flag narrow_made;  // when a few samples are asked for
  mutable std::unique_ptr<const core::Ensemble> narrow;
  mutable std::once_flag ranges_known;  // when the first derivative is asked for
  mutable std::vector<core::InputRange> ranges;

  // A few samples in lanes of half the width, which take two thirds of the time. The bits are the same: both instruction sets replay
  // one program, fuse the same operations, and round each as IEEE 754 says.
  const core::Ensemble& for_samples(std::size_t n) const {
    constexpr core::Isa half = core::Isa::avx2;
    if (!options.isa.empty() || compiled->isa() != core::Isa::avx512 || n > std::size_t(core::lanes(half))) return *compiled;
    std::call_once(narrow_made,
                   [&] { narrow = std::make_unique<const core::Ensemble>(*stepped, *random, core::Plan{}, Study().seed, half); });
    return *narrow;
  }
};

namespace {

// Of the random numbers of a model, column by column.
std::vector<core::InputRange> ranges_of(const core::LoadedModel& loaded, const core::RandomModel& random) {
  std::vector<core::InputRange> out;
  for (const core::results::ColumnLaw& c : core::laws_of(loaded.model, random, 1).columns) out.push_back({.spread = c.std});
  const std::vector<std::string>& bounded = loaded.random().columns();  // other inputs have no distribution of their own
  for (const core::Quantity& q : random.quantities()) {
    if (std::find(bounded.begin(), bounded.end(), q.name) == bounded.end()) continue;
    if (!q.scalar || (q.body >= 0 && q.field < 0 && random.body_varies(q.body))) continue;
    core::InputRange& r = out[std::size_t(q.first_column)];
    r.lower = q.scalar->lower(), r.upper = q.scalar->upper();
  }
  return out;
}

}  // namespace

Ensemble::Ensemble(const Model& model) : Ensemble(model, Options{}) {}

Ensemble::Ensemble(const Model& model, Options options) : data_(new Data{model, std::move(options)}) {
  const core::LoadedModel& m = model.compiled();
  if (!data_->options.inputs.empty())
    data_->own = std::make_unique<const core::RandomModel>(m.model, m.settings, data_->options.inputs);
  data_->random = data_->own ? data_->own.get() : &m.random();
  const core::RandomModel& random = *data_->random;
  data_->inputs = random.columns();
  data_->outputs = model.outputs();
  for (const core::DerivedScalar& d : m.model.scalars) data_->scalars.push_back({d.name, d.unit});
  const core::input::Scope scope = core::scope_of(m.model.description, m.model_settings());
  for (const std::string& name : data_->inputs) {
    const double value = core::nominal_number(m.model, scope, name);
    data_->nominal.push_back(std::isnan(value) ? 0 : value);  // variables of fields
  }
  const core::Isa isa = core::isa_of(data_->options.isa);
  const Study defaults;
  const core::Plan plan = core::make_plan({.samples = defaults.samples}, random);
  if (random.empty())
    data_->stepped = core::to_simulate(m.model, {});
  else if (core::is_open(m.model.settings))
    data_->stepped = core::with_choice(m.model, core::choose_for_study(m.model, random, plan, defaults.seed, isa), {});
  else
    data_->stepped = {std::shared_ptr<const core::Model>(), &m.model};
  data_->time = core::output_times(m.model.settings.duration, m.model.settings.output_step);
  data_->compiled = std::make_unique<const core::Ensemble>(*data_->stepped, random, plan, defaults.seed, isa);
}

Ensemble::~Ensemble() = default;
Ensemble::Ensemble(Ensemble&&) noexcept = default;
Ensemble& Ensemble::operator=(Ensemble&&) noexcept = default;

const std::vector<std::string>& Ensemble::inputs() const { return data_->inputs; }
const std::vector<double>& Ensemble::nominal() const { return data_->nominal; }
const std::vector<Channel>& Ensemble::outputs() const { return data_->outputs; }
const std::vector<Channel>& Ensemble::scalars() const { return data_->scalars; }
const std::vector<double>& Ensemble::time() const { return data_->time; }
const std::string& Ensemble::integrator() const { return data_->stepped->settings.integrator; }
double Ensemble::step() const { return data_->stepped->settings.step; }

std::vector<double> Ensemble::draw(std::size_t n, std::uint64_t seed) const {
  const core::RandomModel& random = data_->model.compiled().random();
  std::vector<std::size_t> columns;  // of the inputs among what is random
  for (const std::string& name : data_->inputs)
    columns.push_back(std::size_t(std::find(random.columns().begin(), random.columns().end(), name) - random.columns().begin()));
  std::vector<double> x;
  x.reserve(n * data_->inputs.size());
  for (std::size_t k = 0; k < n; ++k) {
    const std::vector<double> sample = random.sample(seed, k);
    for (std::size_t c = 0; c < columns.size(); ++c)
      x.push_back(columns[c] < sample.size() ? sample[columns[c]] : data_->nominal[c]);
  }
  return x;
}

Responses Ensemble::evaluate(std::span<const double> x, const std::stop_token& token) const {
  const std::size_t columns = data_->inputs.size();
  if (columns == 0) throw std::invalid_argument("nothing is uncertain in this model: it has no inputs");
  if (x.size() % columns != 0)
    throw std::invalid_argument(fmt::format("a sample has {} numbers, and {} are no whole number of samples", columns, x.size()));
  std::vector<std::vector<double>> table(x.size() / columns);
  for (std::size_t k = 0; k < table.size(); ++k) {
    table[k].assign(x.begin() + long(k * columns), x.begin() + long((k + 1) * columns));
    for (std::size_t c = 0; c < columns; ++c)
      if (!std::isfinite(table[k][c]))
        throw std::invalid_argument(fmt::format("sample {}: {} is not finite", k, data_->inputs[c]));
  }
  Responses out;
  out.samples = table.size();
  out.time = data_->time;
  out.outputs = data_->outputs;
  const std::size_t each = out.time.size() * out.outputs.size();
  out.values.assign(out.samples * each, std::numeric_limits<double>::quiet_NaN());
  const core::LoadedModel& model = data_->model.compiled();
  const core::RandomModel& random = *data_->random;
  out.scalars = data_->scalars;
  out.scalar_values.assign(out.samples * out.scalars.size(), std::numeric_limits<double>::quiet_NaN());
  if (table.empty()) return out;
  const core::StopFlag stop(token);
  const core::Ensemble& compiled = data_->for_samples(out.samples);
  const core::Ensemble rows(compiled, core::plan_of(std::move(table)), 1);
  core::EnsembleOptions options;
  options.threads = data_->options.threads;
  options.smaller_steps = data_->options.retry;
  options.stop = &stop.flag();
  rows.run(options, [&](core::SimulatedRow&& r) {
    if (!r.ok) {
      out.failures.push_back({std::size_t(r.row), r.failed_at, r.why});
      return;
    }
    std::copy(r.values.begin(), r.values.end(), out.values.begin() + r.row * long(each));
    double* scalar = out.scalar_values.data() + std::size_t(r.row) * out.scalars.size();
    const core::Derived own =
        random.levels_vary() ? core::realize_derived(model.model, random.overrides(r.sample)) : core::Derived{};
    for (const core::DerivedScalar& d : random.levels_vary() ? own.scalars : model.model.scalars)
      *scalar++ = core::reduce(d.settings, out.time, r.values.data() + d.channel, int(out.outputs.size()));
  });
  out.complete = !stop.flag();
  return out;
}

Jacobian Ensemble::jacobian(std::span<const double> x, const std::vector<std::string>& with_respect_to,
                            const std::stop_token& stop) const {
  std::vector<std::size_t> columns;
  for (const std::string& name : with_respect_to.empty() ? data_->inputs : with_respect_to) {
    const auto found = std::find(data_->inputs.begin(), data_->inputs.end(), name);
    if (found == data_->inputs.end()) throw std::invalid_argument(fmt::format("'{}' is no input of this model", name));
    columns.push_back(std::size_t(found - data_->inputs.begin()));
  }
  std::call_once(data_->ranges_known, [&] {
    if (!data_->random->empty()) data_->ranges = ranges_of(data_->model.compiled(), *data_->random);
  });
  return core::differentiate(*this, x, columns, data_->ranges, stop);
}

}  // namespace aleator
