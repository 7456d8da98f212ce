#include "propagation/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace aleator::core {

// --- all methods: a file each, and a line here ---

extern const MethodKind monte_carlo_method, latin_hypercube_method, sobol_method, halton_method, polynomial_chaos_method,
    control_variate_method, multilevel_method, first_order_method, morris_method, automatic_method;

std::span<const MethodKind* const> method_kinds() {
  static const MethodKind* const all[] = {
      &monte_carlo_method,     &latin_hypercube_method, &sobol_method,       &halton_method, &polynomial_chaos_method,
      &control_variate_method, &multilevel_method,      &first_order_method, &morris_method, &automatic_method};
  return all;
}

const MethodKind& method_kind(const std::string& name) {
  std::vector<std::string> known;
  for (const MethodKind* k : method_kinds()) {
    if (name == k->name) return *k;
    known.emplace_back(k->name);
  }
  throw std::invalid_argument(fmt::format("there is no such method{}", input::suggestion(name, known)));
}

std::unique_ptr<Method> make_method(const Task& task) { return method_kind(task.study.method).make(task); }

DesignSettings design_of(const Study& s) {
  const MethodKind& kind = method_kind(s.method);
  return {kind.design(s), s.samples, s.seed, s.sensitivity, s.hypercube, s.stages, s.replicates, kind.shared_variables};
}

Plan sampling_plan(const Study& study, const RandomModel& random) { return make_plan(design_of(study), random); }

std::string indivisible(const Study& s) {
  if (!method_kind(s.method).divisible)
    return fmt::format("{} decides during the study which realizations it takes; use a sampling method, or mpirun", s.method);
  if (s.accuracy > 0)
    return "with an accuracy, how many realizations there will be depends on the first ones; give samples instead";
  return "";
}

input::InputError not_studied(const Model& model, const Study& s, const std::string& why) {
  input::Position at;
  if (const input::Value* study = model.description.top.find("study")) {
    const input::Value* method = study->items[0].find("method");
    at = method ? method->at : study->at;
  }
  return input::InputError(at, fmt::format("study: method '{}': {}", s.method, why)).in_file(model.description.file);
}

Reached reached(const Study& study, const results::StudyStatistics& statistics) {
  double worst = 0;
  bool known = false;
  for (const results::ChannelStatistics& c : statistics.channels) {
    const auto look = [&](bool asked, double error) {
      if (!asked || std::isnan(error)) return;  // no scatter
      worst = std::max(worst, error);
      known = true;
    };
    look(study.accuracy_of_mean, c.accuracy.mean);
    look(study.accuracy_of_std, c.accuracy.std);
    look(study.accuracy_of_band, c.accuracy.band);
  }
  const double ratio = worst / study.accuracy;
  return {(known || statistics.realizations > 1) && ratio <= 1, double(statistics.realizations) * ratio * ratio};
}

}  // namespace aleator::core
