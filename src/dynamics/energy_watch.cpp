#include "dynamics/energy_watch.hpp"

namespace aleator::core {

bool nothing_drives(const Model& model) {
  if (!model.nominal.signals.empty()) return false;
  for (const input::Item& force : model.description.section("forces"))
    if (force.find("damping_characteristic")) return false;
  return true;
}

}  // namespace aleator::core
