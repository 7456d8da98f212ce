#include "api/model_check.hpp"

#include <stdexcept>

#include "study/study_laws.hpp"

namespace aleator::core {

constexpr int draws_of_each = 4000;

CheckedModel check(const aleator::Model& model) {
  CheckedModel c{model, study_of(model), {}, {}, {}, {}};
  const Model& m = c.model();
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> state = assemble(a, &c.assembly);
  c.redundancy = find_redundancy(a, state);
  find_contradictions(a, state, m.settings.duration, c.redundancy);
  c.breakpoints.assign(r.breakpoints.begin(), r.breakpoints.end());
  if (!c.random().empty()) c.draws = draw_columns(c.random(), c.study.seed, draws_of_each);
  return c;
}

PlannedStudy planned(const aleator::Model& model, const Study& study) {
  const LoadedModel& m = model.compiled();
  const Task task{m.model, m.random(), study, 0, m.settings};
  try {
    return {make_method(task)->plan().samples, study.accuracy > 0 || method_kind(study.method).decides_size};
  } catch (const std::invalid_argument& e) {
    throw not_studied(m.model, study, e.what());
  }
}

std::vector<std::string> channel_names(const Output& output) {
  std::vector<std::string> names;
  for (const auto& c : output.channels) names.push_back(c.empty() ? output.name : output.name + "." + c);
  return names;
}

}  // namespace aleator::core
