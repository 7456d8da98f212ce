// The arithmetic of one step of generalized-α on the index-3 equations, Lie-group form (Brüls, Cardona & Arnold 2012):
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
//
// This class has no branch on data and allocates nothing after construction: all lanes do the same. When to iterate, when to renew the
// factors, and how small a correction must be is up to its drivers, generalized_alpha.cpp and lane_generalized_alpha.cpp.
#pragma once

#include "dynamics/index1.hpp"
#include "dynamics/node_axes.hpp"
#include "dynamics/prescribed.hpp"
#include "dynamics/violation.hpp"

namespace aleator::core {

template <class T>
class GeneralizedAlphaStep {
 public:
  static constexpr double tiny = 1e-4;  // of a step: over this time v̈ is measured

  // `follow`: factors are kept while the mechanism moves, and turn with the nodes of flexible bodies (node_axes.hpp).
  GeneralizedAlphaStep(Assembly<T>& assembly, Index1<T>& index1, double rho, bool follow);

  const double am, af, gamma, beta;
  double length() const { return length_; }  // of the model, for the round-off of positions
  double size() const { return size_; }      // of the mechanism as drawn
  bool flexible() const { return assembly_.carriers().flexible(); }
  // The regularisation of constraints with steps of this size. As much as makes the constraints give way by round-off only: in a
  // singular position, where multipliers are not determined, this keeps round-off of g / (β h²) out of them.
  double regularization(double h) const;
  // Accelerations and multipliers come from g / (β h²). Whether its round-off is seen in them with steps of this size: then those of outputs
  // are taken from the index-1 form, which has the same forces at the same positions and velocities, and no h in it.
  bool is_noisy(double h) const;

  // --- given by the driver -----------------------------------------------------------------------------------------------
  T h{};                  // size of the step
  double time = 0;        // of its end; in find_jerk(), of the end of the tiny step (recordings have functions of time instead)
  AlignedVector<T> a0;    // [6 carriers] algorithmic accelerations at the start of the step …
  AlignedVector<T> a1;    // [6 carriers] … and at its end: Newton's unknowns, with the multipliers of `end`
  State<T> end;           // by find_end() from a1; its turns and multipliers are the driver's
  AlignedVector<T> jerk;  // [6 carriers] v̈ at a start, by find_jerk()
  Energies<T> w0, w1;     // w₁ by find_work(); at a start w₀ is the power

  // --- given back ---------------------------------------------------------------------------------------------------------
  AlignedVector<T> velocities;  // [6 carriers] by find_start(): those to start with
  AlignedVector<T> increments;  // [6 carriers] by find_end(): h Δ
  AlignedVector<T> z, rows;     // [6 carriers], [rows] by solve(): the correction, in inertial axes

  // --- a start, in this order; s has consistent velocities and their accelerations. Each returns lanes that failed -----------------
  MaskOf<T> find_jerk(const State<T>& s);
  MaskOf<T> soften_jerk(const State<T>& s);  // for flexible models
  MaskOf<T> find_start(const State<T>& s);   // a₀ and the velocities to start with

  // --- a step from s ------------------------------------------------------------------------------------------------------------
  // A first guess: v̇ and λ stay what they are.
  void hold(const State<T>& s);
  // Positions, velocities and accelerations of the end, as a₁ has them.
  void find_end(const State<T>& s);
  // The assembly at the end.
  void evaluate();
  // After evaluate: −r in z, −g/(β h²) + ε λ in rows.
  void find_residual();
  // After evaluate: new factors in lanes `which`; the others keep theirs. Lanes that failed.
  MaskOf<T> renew(const MaskOf<T>& which);
  // After find_residual: the correction.
  void solve();
  // a₁ and λ corrected, in lanes that are not frozen.
  void apply(const MaskOf<T>& frozen);
  // After the last find_end: angles are counted on.
  void count_turns();
  // After it: how far bodies turned in the step, squared (turn_limit.hpp).
  T turn() const;
  // After the last find_end: constraints that cannot be closed; g = β h² ε λ is left of them, ε of regularize(relative).
  MaskOf<T> violates(const T& relative) const;
  std::string violation() const;  // of one realization, in words
  // After evaluate, at the last multipliers: power at the end, and the work until then. It is one more velocity of the method: with w₀, w₁ for
  // the algorithmic a₀, a₁, and the power for v̇.
  void find_work(const State<T>& s);
  // A first guess of the step after this one: v̇ and λ change as they did in this one, from s.
  void extrapolate(const State<T>& s, AlignedVector<T>& next_a1, AlignedVector<T>& next_lambda) const;

  // --- the same by predictions ----------------------------------------------------------------------------------------------------
  // Lanes keep the end of the step as it was predicted, instead of its start: most steps have one iteration, and that begins with nothing to compute.
  struct Ahead {
    State<T> end;             // orientations of rigid bodies are those of the start
    AlignedVector<T> turn;    // [6 carriers] h Δ of rigid bodies, by which they turn
    AlignedVector<T> a1;      // [6 carriers]
    AlignedVector<T> before;  // [6 carriers] v̇ at the start
  };
  AlignedVector<T> change;  // [6 carriers] of a₁, since it was predicted
  // Instead of find_end(): the prediction, changed. (Increments are those of rotations only.)
  void find_end(const Ahead& ahead);
  // After it, instead of apply().
  void apply_change(const MaskOf<T>& frozen);
  // After it: the prediction of the next step, with v̇ that changes as it did in this one,
  //   v̇ = 2 v̇₁ − v̇₀,    a₁' = a₁ + D,    D = (v̇₁ − a₁ + (1 − αf) (v̇₁ − v̇₀)) / (1 − αm).
  void predict(Ahead& ahead) const;

  // Pivots of the index-1 form, before factors are kept.
  void prepare() { solver_.prepare(assembly_, index1_.solver().program()); }
  // Factors of steps are those of this matrix; bodies whose motion is prescribed are solved for apart.
  void use(std::shared_ptr<const NewtonPattern> newton);
  // Calls f(array, length) with every array that must be kept between steps, besides what the driver has given; the rest follows.
  template <class F>
  void each_kept(F&& f) {
    f(factors_.entry.data(), factors_.entry.size());
    if (prescribed_) prescribed_->each_kept(f);
    f(reinterpret_cast<T*>(made_.data()), 9 * made_.size());
  }

 private:
  void tangent(const State<T>& s, const T* increments_or_null);
  void turn_correction();
  bool turns(size_t i) const { return i < 6 * size_t(assembly_.carriers().rigid) && i % 6 >= 3; }
  MaskOf<T> renew_kept(const MaskOf<T>& which);

  Assembly<T>& assembly_;
  Index1<T>& index1_;
  Solver<T> solver_;
  std::shared_ptr<const NewtonPattern> newton_;  // of lanes; a single realization has solver_
  std::unique_ptr<Prescribed<T>> prescribed_;
  LuFactors<T> factors_;
  AlignedVector<T> values_;  // [nonzeros of newton_]
  NodeAxes<T> axes_;
  Violation violation_;
  double length_ = 1, size_;
  AlignedVector<T> shift_;               // [6 carriers] of the velocities at a start
  AlignedVector<T> right_, given_;       // [size]
  AlignedVector<Mat3<T>> made_, spins_;  // [nodes that are followed] axes when the factors were made, and turns since
};

extern template class GeneralizedAlphaStep<double>;
extern template class GeneralizedAlphaStep<Traced>;

}  // namespace aleator::core
