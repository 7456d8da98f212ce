// A mechanism that nothing drives cannot gain energy: T + V only falls, by dampers and friction. At output times
//   T + V − (its least value so far)  ≤  5 % of the largest T so far  + round-off,
// or time stepping made energy, as a step does that is too long for an impact or beyond the limit of stability.
// Functions of time (motions, actuators, loads) may do work; so may tabulated dampers. Models with these are not watched.
#pragma once

#include <cmath>

#include "dynamics/assembly.hpp"

namespace aleator::core {

bool nothing_drives(const Model& model);

template <class T>
struct EnergyWatch {
  static constexpr double allowed = 0.05, round_off = 1e-10;

  T least{HUGE_VAL};  // T + V so far
  T largest{0};       // T so far
  T size{0};          // T + |V| so far

  // After kinematics: whether energy was made.
  MaskOf<T> sees(const Assembly<T>& a) {
    const T kinetic = a.kinetic_energy(), potential = a.potential_energy(), energy = kinetic + potential;
    least = min(least, energy);
    largest = max(largest, kinetic);
    size = max(size, kinetic + abs(potential));
    return energy - least > T(allowed) * largest + T(round_off) * size;
  }
};

}  // namespace aleator::core
