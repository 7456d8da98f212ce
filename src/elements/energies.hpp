// What functions of time do to a mechanism, and what it dissipates: at a moment as powers, over a time as their integrals.
//   d(T + V)/dt = supplied − dissipated,      supplied = Σ F(t) · v + Σ u(t) q̇ + λᵀ g_t
// by loads, actuators and prescribed motions; dampers, friction, stops and damped continua dissipate. A tabulated damper does either.
#pragma once

#include <vector>

#include "numerics/scalar.hpp"

namespace aleator::core {

template <class T>
struct Energies {
  T supplied{0};        // negative where energy goes out through a drive
  T exchanged{0};       // the same without signs, one by one: how large an error may be
  T dissipated{0};      // filled only where somebody asks
  std::vector<T> each;  // [integrals] of single forces and joints, by output

  ALEATOR_HD void supply(const T& power) {
    supplied += power;
    exchanged += abs(power);
  }
  ALEATOR_HD void add(const T& weight, const Energies& e) {
    supplied += weight * e.supplied;
    exchanged += weight * e.exchanged;
    dissipated += weight * e.dissipated;
    if (each.size() < e.each.size()) each.resize(e.each.size(), T(0));
    for (size_t i = 0; i < e.each.size(); ++i) each[i] += weight * e.each[i];
  }
};

}  // namespace aleator::core
