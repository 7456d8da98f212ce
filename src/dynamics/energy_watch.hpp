// A mechanism that nothing drives cannot gain energy: T + V only falls, by dampers and friction. At output times
//   T + V − (its least value so far)  ≤  5 % of the largest T so far  + 10⁻⁶ (T + |V|),
// or time stepping made energy, as a step does that is too long for an impact or beyond the limit of stability. The last term is for what
// Newton's iteration leaves open. A mechanism at rest has only the energy of round-off, which may well grow: it is not watched before
// something moves, as fast as covers 10⁻⁶ of its size (or a radian) in the whole simulation.
// Functions of time (motions, actuators, loads) may do work; so may tabulated dampers. Models with these are not watched.
#pragma once

#include <cmath>

#include "dynamics/assembly.hpp"

namespace aleator::core {

bool nothing_drives(const Model& model);

// The largest speed as drawn lengths, or radians, per simulation.
template <class T>
T liveliness(const Model& model, double size, double duration, const T* velocities);

template <class T>
struct EnergyWatch {
  static constexpr double allowed = 0.05, left_open = 1e-6, at_rest = 1e-6;

  T least{HUGE_VAL};  // T + V so far
  T largest{0};       // T so far
  T size{0};          // T + |V| so far

  // After kinematics: whether energy was made. `lively`: liveliness() of the same state.
  MaskOf<T> sees(const Assembly<T>& a, const T& lively) {
    const T kinetic = a.kinetic_energy(), potential = a.potential_energy(), energy = kinetic + potential;
    least = min(least, energy);
    largest = max(largest, kinetic);
    size = max(size, kinetic + abs(potential));
    return (energy - least > T(allowed) * largest + T(left_open) * size) & (lively > T(at_rest));
  }
};

}  // namespace aleator::core
