#include "dynamics/integrators.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "dynamics/controlled.hpp"
#include "dynamics/divided.hpp"

namespace aleator::core {

const std::vector<Integrator>& integrators() {
  static const std::vector<Integrator> all = [] {
    std::vector<Integrator> list;
#define ALEATOR_ADD(id, word) list.push_back(id##_integrator), list.back().name = word;
    ALEATOR_INTEGRATORS(ALEATOR_ADD)
#undef ALEATOR_ADD
    return list;
  }();
  return all;
}

const Integrator& integrator(const Settings& settings) {
  for (const Integrator& i : integrators())
    if (i.name == settings.integrator) return i;
  throw std::invalid_argument(fmt::format("there is no integrator '{}'", settings.integrator));
}

bool follows_output_times(const Settings& settings) { return integrator(settings).chooses_steps || settings.step_tolerance > 0; }

double tolerance_of(const Settings& settings) {
  const double own = integrator(settings).tolerance;
  // Where `tolerance` is that of steps, Newton's iteration has to be more accurate than these.
  if (settings.step_tolerance > 0) return std::min(own, 1e-2 * settings.step_tolerance);
  return settings.tolerance > 0 ? settings.tolerance : own;
}

std::unique_ptr<Stepper> make_stepper(Assembly<double>& assembly, const Settings& settings) {
  std::unique_ptr<Stepper> stepper = integrator(settings).make(assembly, settings);
  if (!(settings.step_tolerance > 0)) {
    const Integrator& i = integrator(settings);
    if (i.is_explicit || i.chooses_steps) return stepper;
    return std::make_unique<Divided>(std::move(stepper));
  }
  return std::make_unique<Controlled>(std::move(stepper), assembly.model(), settings.step_tolerance, try_limit(settings));
}

}  // namespace aleator::core
