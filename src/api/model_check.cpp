#include "api/model_check.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "study/run_record.hpp"
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

std::vector<RandomProperties> random_properties(const aleator::Model& model) {
  const Model& m = model.compiled().model;
  std::vector<RandomProperties> found(m.bodies.size());
  const int draws = 3;  // a discrete distribution may give the nominal value once
  const RandomModel* random = nullptr;
  std::vector<std::vector<double>> columns;
  try {
    random = &model.compiled().random();
    if (!random->empty()) columns = draw_columns(*random, 1, draws);
  } catch (const std::exception&) {  // check() will say why there are no draws
  }
  if (columns.empty()) return found;
  for (size_t k = 0; k < size_t(draws); ++k) {
    std::vector<double> sample;
    for (const auto& c : columns) sample.push_back(c[k]);
    std::vector<BodyProperties> drawn;
    try {
      drawn = realize_bodies(m, random->overrides(sample));
    } catch (const input::InputError&) {
      continue;  // these values are no mechanism
    }
    for (size_t b = 0; b < drawn.size() && b < found.size(); ++b) {
      const BodyProperties &x = drawn[b], &nominal = m.bodies[b];
      RandomProperties& f = found[b];
      f.mass |= x.mass != nominal.mass;
      for (int i = 0; i < 3; ++i) {
        f.center_of_mass |= x.center_of_mass[i] != nominal.center_of_mass[i];
        for (int j = 0; j < 3; ++j) f.inertia |= x.inertia[i][j] != nominal.inertia[i][j];
      }
      f.beam |= x.length != nominal.length || x.E != nominal.E || x.nu != nominal.nu || x.density != nominal.density;
    }
  }
  return found;
}

std::vector<std::string> driven_directions(const Model& model, const JointRecord& joint) {
  std::vector<std::string> driven;
  for (const input::Item& item : model.description.section("joints")) {
    const input::Value* const motion = item.name == joint.name ? item.find("motion") : nullptr;
    if (!motion) continue;
    if (motion->by_direction.empty()) driven.push_back("length");  // of a rod
    for (const auto& [word, value] : motion->by_direction) {
      const bool along = word == "along", about = word == "about", any = word.empty();
      std::string name = word;
      for (const FreeDirection& f : joint.free)
        if (any || (f.coordinate.kind == Coordinate::angle ? about : along)) name = f.name;
      driven.push_back(name);
    }
  }
  return driven;
}

PlannedStudy planned(const aleator::Model& model, const Study& study) {
  const LoadedModel& m = model.compiled();
  try {
    const std::shared_ptr<const RandomModel> random = m.random_of(study);
    std::shared_ptr<const Model> studied{std::shared_ptr<const Model>(), &m.model};  // owned by the caller
    if (study.what == "modes") studied = std::make_shared<const Model>(modal_model(m.model, modal_request(study)));
    const Task task{*studied, *random, study, 0, m.settings};
    const MethodKind& kind = method_kind(study.method);
    PlannedStudy plan{make_method(task)->plan().samples, study.accuracy > 0 || kind.decides_size, ""};
    if (kind.in_shares) plan.realizations = study.samples;  // its first rows are not all
    plan.size = kind.size ? kind.size(study) : fmt::format("{}{} samples", plan.at_most ? "at most " : "", plan.realizations);
    return plan;
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
