// A mechanism cannot gain more energy than drives and loads supply. With the work W of these, B = T + V − W only falls, by dampers and
// friction. Between any two output times s < t
//   B(t) − B(s)  ≤  5 % of the largest T so far  +  2 % of the energy exchanged with drives and loads from s to t  +  10⁻⁶ (T + |V|),
// or time stepping made energy, as a step does that is too long for an impact or beyond the limit of stability. The second term is for
// the error of W, which is integrated with the motion: 2 % is what a method of second order makes of an oscillation with thirteen steps per period,
// (2π/13)²/12. The last term is for what Newton's iteration leaves open. A mechanism at rest has only the energy of round-off, which may well
// grow: it is not watched before something moves, as fast as covers 10⁻⁶ of its size (or a radian) in the whole simulation.
// What is dissipated is not counted here: a step too long for a damper makes nonsense of it, and need not make energy.
#pragma once

#include <cmath>

#include "dynamics/assembly.hpp"

namespace aleator::core {

// The largest speed as drawn lengths, or radians, per simulation.
template <class T>
T liveliness(const Model& model, double size, double duration, const T* velocities);

template <class T>
struct EnergyWatch {
  static constexpr double allowed = 0.05, of_work = 0.02, left_open = 1e-6, at_rest = 1e-6;

  T least{HUGE_VAL};  // B − 2 % of the energy exchanged, so far
  T largest{0};       // T so far
  T size{0};          // T + |V| so far
  T gained{0};        // the largest left side less the second term, so far, where something moves
  T energy{0};        // T + V, now

  // After kinematics: whether energy was made. `lively`: liveliness() of the same state.
  MaskOf<T> sees(const Assembly<T>& a, const Energies<T>& work, const T& lively) {
    const T kinetic = a.kinetic_energy(), potential = a.potential_energy();
    energy = kinetic + potential;
    const T balance = energy - work.supplied - T(of_work) * work.exchanged;
    least = min(least, balance);
    largest = max(largest, kinetic);
    size = max(size, kinetic + abs(potential));
    const T gain = select(lively > T(at_rest), balance - least, T(0));
    gained = max(gained, gain);
    return gain > T(allowed) * largest + T(left_open) * size;
  }
};

// When dissipation is counted, nothing of the energy must be left over: T + V since the start − work + what was dissipated.
struct EnergyBalance {
  double worst = 0, off = 0, off_at = 0;  // the one that exceeds the error of work most: by how much, itself, when

  void look(double since_start, const Energies<double>& work, double t) {
    const double left_over = since_start - work.supplied + work.dissipated;
    const double more = std::abs(left_over) - EnergyWatch<double>::of_work * (work.exchanged + std::abs(work.dissipated));
    if (more > worst) worst = more, off = left_over, off_at = t;
  }
  // The largest T, and T + |V|, of the motion.
  bool is_off(double largest, double size) const {
    return worst > EnergyWatch<double>::allowed * largest + EnergyWatch<double>::left_open * size;
  }
};

}  // namespace aleator::core
