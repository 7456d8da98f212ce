// Explicit Runge–Kutta methods (tableau.hpp) on the index-1 form; constraints kept by projection after each step, by Baumgarte's terms,
// or not at all. Orientations are integrated as quaternions and normalised.
#pragma once

#include "dynamics/index1.hpp"
#include "dynamics/stepper.hpp"
#include "dynamics/tableau.hpp"

namespace aleator::core {

template <class T>
class RungeKutta final : public Stepper<T> {
 public:
  enum class Stabilization { projection, baumgarte, none };
  RungeKutta(Assembly<T>& assembly, const Tableau& tableau, Stabilization stabilization);

  void begin(State<T>& state, double step) override;
  MaskOf<T> step(State<T>& state, double t1) override;
  void evaluate_for_output(State<T>& state, Side side) override;

 private:
  MaskOf<T> derivative(State<T>& s, Side side, int stage);
  void find_pull();
  const T* pull() const { return pull_.empty() ? nullptr : pull_.data(); }

  Assembly<T>& assembly_;
  Index1<T> index1_;
  const Tableau& tableau_;
  Stabilization stabilization_;
  double stiffness_ = 0;   // a of Baumgarte's terms −2a ġ − a² g …
  AlignedVector<T> pull_;  // … and the terms at the last node, [rows]; empty without them
  State<T> stage_;
  std::vector<AlignedVector<T>> dq_, dv_;  // derivatives at the stages, [7 carriers] and [6 carriers]
};

extern template class RungeKutta<double>;

}  // namespace aleator::core
