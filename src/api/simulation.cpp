#include <aleator/simulation.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/cancellation.hpp"
#include "model/drawn_frames.hpp"
#include "study/nominal.hpp"

namespace aleator {

std::vector<double> Trajectory::operator[](std::string_view output) const {
  const auto found = std::find_if(outputs.begin(), outputs.end(), [&](const Channel& c) { return c.name == output; });
  if (found == outputs.end()) throw std::out_of_range(fmt::format("there is no output '{}'", output));
  std::vector<double> out;
  for (size_t i = size_t(found - outputs.begin()); i < values.size(); i += outputs.size()) out.push_back(values[i]);
  return out;
}

Trajectory simulate(const Model& model, const SimulateOptions& options) {
  const core::StopFlag stop(options.stop);
  std::shared_ptr<const core::Model> m;
  try {
    m = core::to_simulate(model.compiled().model, options.on_note, &stop.flag());
  } catch (const core::Cancelled&) {
    Trajectory nothing;
    nothing.outputs = model.outputs();
    nothing.complete = false;
    return nothing;
  }
  std::function<void(double)> progress;
  if (options.on_progress) progress = [&](double t) { options.on_progress(t, m->settings.duration); };
  const core::Trajectory t = core::simulate_nominal(*m, &stop.flag(), options.on_note, progress);
  Trajectory out;
  out.time = t.times;
  out.outputs = model.outputs();
  out.values.assign(t.values.begin(), t.values.end());
  for (const core::DrawnFrame& f : core::drawn_frames(m->topology)) out.bodies.push_back(f.name);
  out.poses.assign(t.poses.begin(), t.poses.end());
  out.integrator = m->modal ? m->settings.integrator : t.integrator;  // perhaps another one had to be tried
  out.step = m->settings.step;
  out.complete = !stop.flag();
  return out;
}

}  // namespace aleator
