#include "dynamics/integrators.hpp"

#include <fmt/format.h>

#include <stdexcept>

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

double tolerance_of(const Settings& settings) {
  return settings.tolerance > 0 ? settings.tolerance : integrator(settings).tolerance;
}

std::unique_ptr<Stepper> make_stepper(Assembly<double>& assembly, const Settings& settings) {
  return integrator(settings).make(assembly, settings);
}

}  // namespace aleator::core
