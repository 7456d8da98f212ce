#include "support/run.hpp"
#include "support/places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "model/language.hpp"

namespace aleator::core::test {

Model model_from(const std::string& yaml, const CompileOptions& options) {
  return make_model(input::read_text(yaml, "test.yaml", language()), {}, options);
}

Model model_of_file(const std::string& file, const CompileOptions& options) {
  return load_model(source_folder() + "/" + file, {}, options);
}

std::vector<std::string> channel_names(const Model& model) {
  std::vector<std::string> names;
  for (const Output& o : model.topology.outputs)
    for (const std::string& c : o.channels) names.push_back(c.empty() ? o.name : o.name + "." + c);
  return names;
}

std::vector<double> Result::channel(const std::string& name) const {
  const auto at = std::find(names.begin(), names.end(), name);
  if (at == names.end()) throw std::out_of_range("no channel '" + name + "'");
  std::vector<double> values(times.size());
  for (size_t k = 0; k < times.size(); ++k) values[k] = trajectory.values[k * names.size() + (at - names.begin())];
  return values;
}

double Result::at(const std::string& name, double t) const {
  const double close = 1e-9 * std::max(1.0, times.back());
  for (size_t k = 0; k < times.size(); ++k)
    if (std::abs(times[k] - t) < close) return channel(name)[k];
  throw std::out_of_range(fmt::format("{} is not an output time", t));
}

static Result run_numbers(Model model, const Parameters& numbers, const Change& c) {
  Settings& s = model.settings;
  s.integrator = c.integrator.value_or(s.integrator);
  s.step = c.step.value_or(s.step);
  s.output_step = c.output_step.value_or(s.output_step);
  s.rho = c.rho.value_or(s.rho);
  s.tolerance = c.tolerance.value_or(s.tolerance);
  s.stabilization = c.stabilization.value_or(s.stabilization);
  Result r;
  SimulateOptions options;
  options.poses = true;
  options.compile = false;  // tests/equivalence/compiled_simulation.cpp compares
  r.names = channel_names(model);
  r.trajectory = simulate_model(model, numbers, options, &r.assembly);
  r.times = r.trajectory.times;
  return r;
}

Result run(const Model& model, const Change& change) { return run_numbers(model, model.nominal, change); }
Result run(const std::string& yaml, const Change& change) { return run(model_from(yaml), change); }
Result run(const Model& model, std::span<const Override> overrides, const Change& change) {
  return run_numbers(model, realize(model, overrides), change);
}

Redundancy redundancy(const Model& model) {
  const Realization<double> r = make_realization<double>(model, std::span(&model.nominal, 1));
  Assembly<double> assembly(model, r);
  const State<double> state = assemble(assembly);
  return find_redundancy(assembly, state);
}

std::string text(double x) { return fmt::format("{:.17g}", x); }

}  // namespace aleator::core::test
