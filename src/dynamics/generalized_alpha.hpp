// Generalized-α on the index-3 equations, Lie-group form (Brüls, Cardona & Arnold 2012):
//   q₁ = q₀ ∘ exp(h Δ),          Δ  = v₀ + h (½ − β) a₀ + h β a₁
//                                v₁ = v₀ + h (1 − γ) a₀ + h γ a₁
//   (1 − αm) a₁ + αm a₀ = (1 − αf) v̇₁ + αf v̇₀
//   M v̇₁ + k − f + Gᵀ λ₁ = 0,    g(q₁) = 0
// with αm = (2ρ−1)/(ρ+1), αf = ρ/(ρ+1), γ = ½ + αf − αm, β = ¼ (½ + γ)². Newton's unknowns are z, the change of position
// divided by β h² (in inertial axes), and λ; constraint rows are divided by β h², so that the matrix
//   [ cM M T⁻¹ + h γ C + β h² K   Gᵀ ]
//   [ G                          −ε ]            cM = (1 − αm)/(1 − αf)
// tends to that of the index-1 form for small h. Reported accelerations are v̇, never the algorithmic a; at a start a₀ is
// v̇ extrapolated to t₀ + (αm − αf) h and v₀ is shifted by order h² across the constraints, which makes the method of second
// order from the first step on, accelerations and multipliers included (as long as ρ < 1: with ρ = 1 these ring for ever).
#pragma once

#include "dynamics/index1.hpp"
#include "dynamics/integrators.hpp"

namespace aleator::core {

class GeneralizedAlpha final : public Stepper {
 public:
  GeneralizedAlpha(Assembly<double>& assembly, double rho, double tolerance);

  void begin(State<double>& state, double step) override;
  bool step(State<double>& state, double t1) override;
  std::string why() const override { return why_; }
  void evaluate_for_output(State<double>& state, Side side) override;
  long iterations() const override { return iterations_; }

 private:
  void find_jerk(const State<double>& s);
  void soften_jerk(const State<double>& s);
  void find_shift(const State<double>& s);
  void predict(const State<double>& s);
  void predict_again(const State<double>& s, const bool& failed);
  bool iterate(const State<double>& s, double t1, bool converged);
  void update(const State<double>& s);  // next_ and increments_ from a1_
  void newton_residual(double t1);
  void newton_matrix();
  bool correct();  // solves, updates a1_ and λ; lanes whose correction is small enough
  void explain(const State<double>& s, const bool& failed);

  Assembly<double>& assembly_;
  Index1<double> index1_;
  Solver<double> solver_;
  double rho_, tolerance_, am_, af_, gamma_, beta_;
  double h_ = 0;
  State<double> next_;
  AlignedVector<double> a0_, a1_;     // [6 carriers] algorithmic accelerations
  AlignedVector<double> jerk_;        // [6 carriers] v̈ at a start
  AlignedVector<double> shift_;       // [6 carriers] of the velocities at a start …
  bool starting_ = false;             // … and whether the next step has to apply it
  AlignedVector<double> increments_;  // [6 carriers] h Δ
  AlignedVector<double> residual_, rows_, right_, z_;
  AlignedVector<double> start_;  // [size]
  bool frozen_{};                // lanes that have converged or failed
  double previous_size_{};       // of the last correction, in units of the tolerance
  double length_ = 1;            // size of the model, for round-off
  long iterations_ = 0;
  std::string why_;
};

std::unique_ptr<LaneMethod> lane_generalized_alpha(LaneCompiler& compiler, const LaneStart& start, const Settings& settings);

}  // namespace aleator::core
