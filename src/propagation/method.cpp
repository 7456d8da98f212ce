#include "propagation/method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace aleator::core {

// --- all methods: a file each, and a line here ---

extern const MethodKind monte_carlo_method, latin_hypercube_method, sobol_method, halton_method, polynomial_chaos_method,
    control_variate_method, multilevel_method, first_order_method, univariate_reduction_method, morris_method, variability_method,
    automatic_method, subset_simulation_method, form_method, sorm_method, importance_sampling_method, line_sampling_method,
    enhanced_monte_carlo_method;

std::span<const MethodKind* const> method_kinds() {
  static const MethodKind* const all[] = {&monte_carlo_method,
                                          &latin_hypercube_method,
                                          &sobol_method,
                                          &halton_method,
                                          &polynomial_chaos_method,
                                          &control_variate_method,
                                          &multilevel_method,
                                          &first_order_method,
                                          &univariate_reduction_method,
                                          &morris_method,
                                          &variability_method,
                                          &automatic_method,
                                          &subset_simulation_method,
                                          &form_method,
                                          &sorm_method,
                                          &importance_sampling_method,
                                          &line_sampling_method,
                                          &enhanced_monte_carlo_method};
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

std::unique_ptr<Method> make_method(const Task& task) {
  const MethodKind& kind = method_kind(task.study.method);
  if (task.model.modal && kind.motion_alone) {
    std::string others;
    for (const MethodKind* k : method_kinds())
      if (!k->motion_alone) others += fmt::format("{}{}", others.empty() ? "" : ", ", k->name);
    throw std::invalid_argument(fmt::format("{}; modes are studied by {}", kind.motion_alone, others));
  }
  return kind.make(task);
}

std::string monte_carlo_design(const Study&) { return "monte-carlo"; }

DesignSettings design_of(const Study& s) {
  const MethodKind& kind = method_kind(s.method);
  return {kind.design(s), s.samples, s.seed, s.sensitivity, s.hypercube, s.stages, s.replicates, kind.shared_variables};
}

Plan sampling_plan(const Study& study, const RandomModel& random) { return make_plan(design_of(study), random); }

std::string indivisible(const Study& s, long parts) {
  constexpr long least = 50;  // samples of a part that decides on the way
  const MethodKind& kind = method_kind(s.method);
  if (kind.undivided) return fmt::format("{} {}", s.method, kind.undivided);
  if (!kind.divisible && !kind.in_shares)
    return fmt::format("{} decides during the study which realizations it takes; use a sampling method, or mpirun", s.method);
  if (s.accuracy > 0)
    return "with an accuracy, how many realizations there will be depends on the first ones; give samples instead";
  if (kind.in_shares && parts > 1 && s.samples / parts < least)
    return fmt::format(
        "each part needs at least {} samples, and {} make no more than {} such parts; give more samples, or take fewer parts",
        least, s.samples, std::max(1L, s.samples / least));
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

std::vector<double> accuracy_goals(const Study& study, const Model& model) {
  const bool all = study.accuracy_of_output.empty();
  std::vector<double> goals(model.channels.size(), all ? study.accuracy : std::numeric_limits<double>::infinity());
  for (const auto& [name, accuracy] : study.accuracy_of_output) {
    bool known = false;
    for (size_t c = 0; c < goals.size(); ++c) {
      const std::string& channel = model.channels[c].name;
      if (channel != name && !channel.starts_with(name + ".")) continue;  // all components of a vector
      goals[c] = accuracy;
      known = true;
    }
    if (known) continue;
    std::vector<std::string> names;
    for (const Channel& c : model.channels) names.push_back(c.name);
    throw std::invalid_argument(
        fmt::format("'accuracy' names the output '{}', which the model does not have{}", name, input::suggestion(name, names)));
  }
  return goals;
}

Reached reached(const Study& study, const std::vector<double>& goals, const results::StudyStatistics& statistics) {
  Reached r;
  double worst = 0;
  bool known = false;
  for (size_t i = 0; i < statistics.channels.size(); ++i) {
    const results::Accuracy& a = statistics.channels[i].accuracy;
    const auto look = [&](bool asked, double error) {
      if (!asked || std::isnan(error)) return;  // no scatter
      known = true;
      if (!(error / goals[i] > worst)) return;
      worst = error / goals[i];
      r.channel = i, r.error = error;
    };
    look(study.accuracy_of_mean, a.mean);
    look(study.accuracy_of_std, a.std);
    look(study.accuracy_of_band, a.band);
  }
  r.enough = (known || statistics.realizations > 1) && worst <= 1;
  r.wanted_samples = double(statistics.realizations) * worst * worst;
  return r;
}

}  // namespace aleator::core
