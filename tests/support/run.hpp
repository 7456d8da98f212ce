// For tests: a model from text, its simulation with some settings changed, and its outputs by name.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dynamics/simulate.hpp"
#include "model/model.hpp"

namespace aleator::core::test {

Model model_from(const std::string& yaml, const CompileOptions& options = {});
// A file relative to the root of the repository: "examples/five-body.yaml".
Model model_of_file(const std::string& file, const CompileOptions& options = {});

// Settings that replace those of the model, as far as they are given:  run(model, {.integrator = "runge-kutta", .step = 1e-3})
struct Change {
  std::optional<std::string> integrator = {};
  std::optional<double> step = {}, output_step = {}, rho = {}, tolerance = {};
  std::optional<std::string> stabilization = {};
};

struct Result {
  std::vector<std::string> names;  // of the channels: "tip.x", "pull"
  std::vector<double> times;
  Trajectory trajectory;  // with poses
  AssemblyReport assembly;

  std::vector<double> channel(const std::string& name) const;
  // The value at an output time; throws when t is none.
  double at(const std::string& name, double t) const;
  double last(const std::string& name) const { return channel(name).back(); }
};

// Throws SimulationError, as the program would.
Result run(const Model& model, const Change& change = {});
Result run(const std::string& yaml, const Change& change = {});
// Another realization of the model: some of its numbers replaced.
Result run(const Model& model, std::span<const Override> overrides, const Change& change = {});

// Names of all channels of a model.
std::vector<std::string> channel_names(const Model& model);

// The largest |f(t_k) − channel_k| over all output times.
template <class F>
double largest_error(const Result& r, const std::string& name, F&& f) {
  const std::vector<double> values = r.channel(name);
  double worst = 0;
  for (size_t k = 0; k < values.size(); ++k) worst = std::max(worst, std::abs(f(r.times[k]) - values[k]));
  return worst;
}

// 1.5e-3 → "0.0015": numbers for YAML texts, in full precision.
std::string text(double x);

}  // namespace aleator::core::test
