#include "identification/free_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cancellation.hpp"
#include "base/parallel.hpp"
#include "design/plan.hpp"
#include "dynamics/errors.hpp"
#include "ensemble/choose_for_study.hpp"
#include "ensemble/ensemble.hpp"
#include "model/language.hpp"
#include "study/nominal.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core {

using inference::IdentificationStudy;
using input::InputError;
using results::FreeParameter;

namespace {

[[noreturn]] void refuse(const IdentificationStudy& study, input::Position at, const std::string& why) {
  throw InputError(at, why).in_file(study.file);
}

// The value of a number of the model: a parameter, or the mass of a body.
double number_written(const Model& model, const std::string& name) {
  const auto& parameters = model.description.parameters;
  const input::Scope scope(model.description);
  for (size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name) return scope.parameter(int(i));
  for (size_t b = 0; b < model.bodies.size(); ++b)
    if (name == model.topology.body_names[b] + ".mass") return model.bodies[b].mass;
  return FreeParameter::unknown;
}

FreeParameter free_parameter(const Model& model, const std::string& name) {
  FreeParameter p;
  p.name = name;
  if (kind_of_setting(model.description, name) == SettingKind::hyper_parameter) {
    const HyperParameter h = hyper_parameter(model, name);
    p.unit = h.unit;
    p.written = h.value;
  } else {
    p.written = number_written(model, name);
    if (name.ends_with(".mass")) p.unit = "kg";
  }
  return p;
}

// Why a response to the random numbers as such would depend on the distributions, or they have no density; empty: neither.
std::string no_inputs(const RandomModel& random, bool in_laws_alone) {
  if (!in_laws_alone) return "a free parameter is a number of the model itself";
  for (const Quantity& q : random.quantities()) {
    if (q.field >= 0) return fmt::format("{} is a number of a random field", q.name);
    if (!q.scalar) return fmt::format("{} is not a single number", q.name);
    if (!q.same_as.empty()) return fmt::format("{} follows {}", q.name, q.same_as);
    if (!q.scalar->has_density()) return fmt::format("{} is discrete", q.name);
    if (q.is_mass() && random.body_varies(q.body)) return fmt::format("{} depends on other random numbers", q.name);
  }
  if (!random.dependences().empty()) return "random numbers of the model depend on each other";
  return "";
}

}  // namespace

FreeModel::FreeModel(IdentificationStudy& study, const RunOptions& options, const std::vector<std::string>& allowed,
                     const std::atomic<bool>* stop)
    : threads_(options.threads), stop_(stop), description_(input::draft_of_file(study.model, language(), allowed)) {
  if (!description_.errors.empty()) load(study.model, {}, allowed);  // which throws all that is wrong
  for (const inference::NamedNumber& s : study.set) set_.push_back({s.name, s.value});
  model_ = model_at(set_);
  const bool of_laws = study.method != IdentificationStudy::Method::least_squares;
  input::ErrorList errors;
  errors.collect([&] {
    for (const inference::FreeName& f : study.free) errors.attempt([&] { add_parameter(study, f); });
  });
  errors.raise();
  inference::complete_ranges(study, model_->topology.normal >= 0, [&](const std::string& name) {
    for (const FreeParameter& p : parameters_)
      if (p.name == name) return p.written;
    return FreeParameter::unknown;
  });
  for (size_t i = 0; i < parameters_.size(); ++i) parameters_[i].from = study.free[i].from, parameters_[i].to = study.free[i].to;
  random_ = std::make_unique<const RandomModel>(*model_, set_);
  const RandomModel& random = *random_;
  for (const Quantity& q : random.quantities())
    if (q.same_as.empty()) random_variables_ += int(q.columns.size());
  why_no_inputs_ = no_inputs(random, in_laws_alone_);
  if (of_laws && random.empty())
    refuse(study, study.model_at,
           fmt::format("nothing is uncertain in {}: there is no distribution to identify (least-squares identifies parameters "
                       "of the model itself)",
                       study.model));
  if (is_open(model_->settings)) {
    DesignSettings s{.samples = study.samples > 0 ? study.samples : Study{}.samples, .seed = study.seed};
    model_ = with_choice(*model_, choose_for_study(*model_, random, make_plan(s, random), s.seed, best_isa()), options.on_note);
  }
  random_ = std::make_unique<const RandomModel>(*model_, set_);  // of the model that is simulated
  times_ = simulate_model(*model_, model_->nominal, {.stop = stop_}).times;
  throw_if_cancelled();
}

void FreeModel::add_parameter(const IdentificationStudy& study, const inference::FreeName& f) {
  const bool of_laws = study.method != IdentificationStudy::Method::least_squares;
  const SettingKind kind = kind_of_setting(description_, f.name);
  if (kind == SettingKind::nothing) {
    std::vector<std::string> known;
    if (of_laws)
      for (const HyperParameter& h : hyper_parameters(*model_)) known.push_back(h.name);
    for (const auto& p : model_->description.parameters) known.push_back(p.name);
    refuse(study, f.at, fmt::format("free '{}': {} has no such number{}", f.name, study.model, input::suggestion(f.name, known)));
  }
  if (kind == SettingKind::field_variable)
    refuse(study, f.at, fmt::format("free '{}' is a random number of a field, different in every specimen", f.name));
  if (kind == SettingKind::hyper_parameter && !of_laws)
    refuse(
        study, f.at,
        fmt::format("free '{}' is a parameter of a distribution, which least-squares cannot identify: use maximum-likelihood or "
                    "bayesian, or free numbers of the model itself",
                    f.name));
  in_laws_alone_ = in_laws_alone_ && kind == SettingKind::hyper_parameter;
  parameters_.push_back(free_parameter(*model_, f.name));
}

std::shared_ptr<const Model> FreeModel::model_at(std::span<const Override> overrides) const {
  if (model_ && in_laws_alone_) return model_;
  Model model = make_model(description_, split_settings(description_, overrides).model);
  if (model_) model.settings = model_->settings;
  return std::make_shared<const Model>(std::move(model));
}

std::vector<std::string> FreeModel::outputs() const {
  std::vector<std::string> names;
  for (const Channel& c : model_->channels) names.push_back(c.name);
  return names;
}

void FreeModel::observe(const std::vector<std::string>& channels) {
  observed_.clear();
  const std::vector<std::string> all = outputs();
  for (const std::string& c : channels) observed_.push_back(int(std::find(all.begin(), all.end(), c) - all.begin()));
}

inference::Responses FreeModel::responses(std::span<const double> values, long samples, std::uint64_t seed) const {
  try {
    return simulated(overrides(values), samples, seed);
  } catch (const InputError& e) {
    throw ImpossibleLaw(e);
  } catch (const SimulationError& e) {  // of the nominal model; realizations fail one by one
    throw ImpossibleLaw(InputError({}, e.what()));
  }
}

inference::Responses FreeModel::simulated(const std::vector<Override>& set, long samples, std::uint64_t seed) const {
  const std::shared_ptr<const Model> model = model_at(set);
  const RandomModel random(*model, set);
  // A Latin hypercube: of each variable all parts are there, and the likelihood depends less on the seed.
  const Plan plan = make_plan({.name = "latin-hypercube", .samples = samples, .seed = seed}, random);
  const Ensemble ensemble(*model, random, plan, seed);
  inference::Responses out;
  out.times = times_;
  out.channels = int(observed_.size());
  out.values.reserve(size_t(samples) * times_.size() * observed_.size());
  EnsembleOptions options;
  options.threads = threads_;
  options.stop = stop_;
  const size_t channels = model->channels.size();
  ensemble.run(options, [&](SimulatedRow&& r) {
    ++simulated_;
    const size_t before = out.values.size();
    if (r.ok)
      for (size_t t = 0; t < times_.size(); ++t)
        for (const int c : observed_) out.values.push_back(r.values[t * channels + size_t(c)]);
    // An output may have no value although the motion has.
    if (r.ok && std::all_of(out.values.begin() + long(before), out.values.end(), [](double x) { return std::isfinite(x); }))
      return;
    out.values.resize(before);
    ++failed_;
  });
  throw_if_cancelled();
  return out;
}

std::vector<std::shared_ptr<const Distribution>> FreeModel::laws(std::span<const double> values) const {
  std::vector<std::shared_ptr<const Distribution>> out;
  try {
    const RandomModel random(*model_, overrides(values));
    for (const Quantity& q : random.quantities()) out.push_back(q.scalar);
  } catch (const InputError& e) {
    throw ImpossibleLaw(e);
  }
  return out;
}

std::vector<std::vector<double>> FreeModel::draw_inputs(std::span<const double> values, long samples, std::uint64_t seed) const {
  std::vector<std::vector<double>> out;
  try {
    const RandomModel random(*model_, overrides(values));
    const Plan plan = make_plan({.name = "latin-hypercube", .samples = samples, .seed = seed}, random);
    for (long k = 0; k < samples; ++k) out.push_back(sample_of(random, plan, seed, k));
  } catch (const InputError& e) {
    throw ImpossibleLaw(e);
  }
  return out;
}

std::vector<std::vector<double>> FreeModel::responses_to(const std::vector<std::vector<double>>& inputs) const {
  std::vector<std::vector<double>> out(inputs.size());
  if (inputs.empty()) return out;
  const Plan plan = plan_of(inputs);
  if (!compiled_) compiled_ = std::make_unique<const Ensemble>(*model_, *random_, plan, 1);
  EnsembleOptions options;
  options.threads = threads_;
  options.stop = stop_;
  const size_t channels = model_->channels.size();
  Ensemble(*compiled_, plan, 1).run(options, [&](SimulatedRow&& r) {
    ++simulated_;
    std::vector<double>& row = out[size_t(r.row)];
    if (r.ok)
      for (size_t t = 0; t < times_.size(); ++t)
        for (const int c : observed_) row.push_back(r.values[t * channels + size_t(c)]);
    if (r.ok && std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); })) return;
    row.clear();
    ++failed_;
  });
  throw_if_cancelled();
  return out;
}

Parameters FreeModel::numbers_at(std::span<const double> values) const {
  return realize(*model_, split_settings(description_, overrides(values)).model);
}

// Two points show which numbers of the model depend on the parameters.
void FreeModel::compile_one() const {
  constexpr double searched = 100;  // simulations, at least
  if (one_ || !compiling_pays(*model_, model_->settings, searched)) return;
  std::vector<Parameters> shown;
  for (const double place : {0.3, 0.7}) try {
      shown.push_back(numbers_at(values(std::vector<double>(parameters_.size(), place))));
    } catch (const InputError&) {  // no mechanism there
    }
  try {
    one_ = std::make_unique<const CompiledSimulation>(*model_, shown, model_->settings);
  } catch (const SimulationError&) {  // the model as written does not start
  }
}

std::vector<std::vector<double>> FreeModel::nominal(const std::vector<std::vector<double>>& points) const {
  std::vector<std::vector<double>> out(points.size());
  compile_one();
  each_in_parallel(points.size(), [&](size_t k) {
    ++simulated_;
    try {
      const Parameters numbers = numbers_at(points[k]);
      const Trajectory t = one_ ? (*one_)(numbers, {.stop = stop_}) : simulate_model(*model_, numbers, {.stop = stop_});
      throw_if_cancelled();
      for (size_t i = 0; i < times_.size(); ++i)
        for (const int c : observed_) out[k].push_back(t.values[i * model_->channels.size() + size_t(c)]);
    } catch (const SimulationError&) {
      ++failed_;
    } catch (const InputError&) {
      ++failed_;
    }
  });
  throw_if_cancelled();
  return out;
}

std::vector<Override> FreeModel::overrides(std::span<const double> values) const {
  std::vector<Override> out = set_;
  for (size_t i = 0; i < parameters_.size(); ++i) {
    std::erase_if(out, [&](const Override& o) { return o.name == parameters_[i].name; });
    out.push_back({parameters_[i].name, values[i]});
  }
  return out;
}

// A likelihood changes with the ratio of a spread to the true one: over a wide range evenly in the logarithm, and all of its hill
// would be in the first hundredth of an interval that is taken as it is.
bool FreeModel::logarithmic(int parameter) const {
  const FreeParameter& p = parameters_[size_t(parameter)];
  return p.from > 0 && p.to >= 20 * p.from;
}

double FreeModel::value(int parameter, double place) const {
  const FreeParameter& p = parameters_[size_t(parameter)];
  if (!logarithmic(parameter)) return p.from + (p.to - p.from) * place;
  return std::clamp(p.from * std::pow(p.to / p.from, place), p.from, p.to);
}

double FreeModel::place(int parameter, double value) const {
  const FreeParameter& p = parameters_[size_t(parameter)];
  return logarithmic(parameter) ? std::log(value / p.from) / std::log(p.to / p.from) : (value - p.from) / (p.to - p.from);
}

double FreeModel::log_slope(int parameter, double place) const {
  const FreeParameter& p = parameters_[size_t(parameter)];
  return logarithmic(parameter) ? std::log(value(parameter, place) * std::log(p.to / p.from)) : std::log(p.to - p.from);
}

std::vector<double> FreeModel::values(std::span<const double> place) const {
  std::vector<double> out;
  for (int i = 0; i < dimensions(); ++i) out.push_back(value(i, place[size_t(i)]));
  return out;
}

std::vector<double> FreeModel::written() const {
  std::vector<double> out;
  for (const FreeParameter& p : parameters_)
    out.push_back(p.written >= p.from && p.written <= p.to ? p.written : (p.from + p.to) / 2);
  return out;
}

}  // namespace aleator::core
