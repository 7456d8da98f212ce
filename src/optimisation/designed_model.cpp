#include "optimisation/designed_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cancellation.hpp"
#include "model/scope.hpp"
#include "study/nominal.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core::optimisation {

using input::InputError;

DesignedModel::DesignedModel(const DesignStudy& study, const RunOptions& options, const std::vector<std::string>& allowed,
                             const std::atomic<bool>* stop)
    : study_(study), allowed_(allowed), stop_(stop), options_(options), base_(load(study.model, study.set, allowed)) {
  input::ErrorList errors;
  errors.collect([&] {
    for (const Chosen& c : study.chosen) errors.attempt([&] { check(c); });
  });
  errors.raise(study.file);
  if (base_->random().empty())
    throw InputError(study.model_at,
                     fmt::format("nothing is uncertain in {}: a design needs `uncertain:` or `processes:`, or its "
                                 "statistics are those of one motion",
                                 study.model))
        .in_file(study.file);
  search_ = search_study(study, base_->study());
  verification_ = verification_study(study, search_);
  if (search_.seed == verification_.seed) {
    const input::Value* verify = study.description.top.find("verify");
    throw InputError(
        verify ? verify->at : input::Position{},
        fmt::format("'verify' must have another seed than the search, found {} for both: it would confirm whatever was found",
                    search_.seed))
        .in_file(study.file);
  }
}

void DesignedModel::check(const Chosen& c) const {
  const input::Description& d = base_->model.description;
  const SettingKind kind = kind_of_setting(d, c.name);
  for (const Quantity& q : base_->random().quantities())
    if (q.name == c.name || std::find(q.columns.begin(), q.columns.end(), c.name) != q.columns.end())
      throw InputError(c.at,
                       fmt::format("choose '{0}': it is uncertain in {1}, so its value cannot be chosen; a parameter of its "
                                   "distribution can, as {0}.mean",
                                   c.name, study_.model));
  if (kind == SettingKind::nothing) {
    std::vector<std::string> known;
    for (const auto& p : d.parameters) known.push_back(p.name);
    for (const HyperParameter& h : hyper_parameters(base_->model)) known.push_back(h.name);
    throw InputError(c.at,
                     fmt::format("choose '{}': {} has no such number{}", c.name, study_.model, input::suggestion(c.name, known)));
  }
  if (kind == SettingKind::field_variable)
    throw InputError(c.at, fmt::format("choose '{}': it is a random number of a field, different in every realization", c.name));
}

double DesignedModel::written(size_t parameter) const {
  const std::string& name = study_.chosen[parameter].name;
  if (kind_of_setting(base_->model.description, name) == SettingKind::hyper_parameter)
    return hyper_parameter(base_->model, name).value;
  return nominal_number(base_->model, scope_of(base_->model.description, base_->model_settings()), name);
}

double DesignedModel::constant(const std::string& name) const {
  const input::Description& d = base_->model.description;
  const auto number = [&](bool upper) {
    std::vector<Override> all = study_.set;
    for (const Chosen& c : study_.chosen) all.push_back({c.name, upper ? c.to : c.from});
    return nominal_number(base_->model, scope_of(d, split_settings(d, all).model), name);
  };
  const double x = number(false);
  if (!std::isnan(x) && x != number(true))
    throw InputError({},
                     fmt::format("'{}' depends on the chosen parameters in {}: write the expression itself", name, study_.model));
  for (const Quantity& q : base_->random().quantities())
    if (!std::isnan(x) && q.name == name)
      throw InputError({}, fmt::format("'{}' is uncertain in {}: use a number, or a parameter that is not", name, study_.model));
  return x;
}

std::vector<double> DesignedModel::values(std::span<const double> place) const {
  std::vector<double> out;
  for (size_t k = 0; k < place.size(); ++k) out.push_back(study_.chosen[k].value(place[k]));
  return out;
}

std::vector<Override> DesignedModel::overrides(std::span<const double> values) const {
  std::vector<Override> out = study_.set;
  for (size_t k = 0; k < values.size(); ++k) out.push_back({study_.chosen[k].name, values[k]});
  return out;
}

std::shared_ptr<const LoadedModel> DesignedModel::model_at(std::span<const double> values) const {
  return load(study_.model, overrides(values), allowed_);
}

void DesignedModel::choose_stepping(const Study& study) {
  stepping_ = base_->model.settings;
  if (!is_open(stepping_)) return;
  StudyRequest q;
  q.model = model_at(values(std::vector<double>(study_.chosen.size(), 0.5)));
  q.study = study;
  q.options.on_note = options_.on_note;
  q.options.isa = options_.isa;
  stepping_ = stepped(q, study)->settings;
}

SessionResult DesignedModel::study_at(std::span<const double> values, const Study& study, const RunOptions& options) const {
  StudyRequest q;
  q.model = model_at(values);
  q.study = study;
  q.options = options;
  q.options.threads = options_.threads;
  q.options.isa = options_.isa;
  q.stepping = stepping_;
  q.stop = stop_;
  SessionResult out = run_session(q);
  if (out.outcome == Outcome::interrupted || (stop_ && *stop_)) throw Cancelled{};
  return out;
}

}  // namespace aleator::core::optimisation
