// The arithmetic of one step of Radau IIA, order 5, three stages, on the index-2 equations of motion. Coordinates y are local to the step,
//   q = q₀ ∘ exp(y),   v = T(y) ẏ          (T = I for places and for vectors of nodes; the tangent operator for rotations)
// and the stages c₁ < c₂ < c₃ = 1 collocate
//   y_i = h Σ a_ij ẏ_j,    v_i = v₀ + h Σ a_ij v̇_j,     M v̇_i + k − f + Gᵀλ_i = 0,     G v_i + g_t = 0.
// Everything follows from ẏ_i ("rates") and λ_i explicitly. Newton's unknowns are the changes of v̇_i, in inertial axes, and of λ_i. With
// A⁻¹ = X diag(μ) X⁻¹ they fall apart into a real system and a complex one,
//   [ M + (h/μ) C + (h/μ)² K   Gᵀ ]
//   [ G                       −ε ]          the constraints of velocity having been multiplied by A⁻¹/h,
// whose matrices are kept (simplified Newton).
//
// Matrices are made and used in axes that turn with the nodes (node_axes.hpp).
//
// Positions are corrected after the step, G δ = −g, with the real matrix as metric: nothing
// stiff is bent by the correction.
//
// This class has no branch on data and allocates nothing after construction: all lanes do the same. What differs between lanes are
// the masks `frozen` and `renew`. When to iterate and when to renew is up to Radau (radau.hpp), which looks at `size` alone.
#pragma once

#include <memory>

#include "dynamics/newton_border.hpp"
#include "numerics/complex.hpp"

namespace aleator::core {

template <class T>
class RadauStep {
 public:
  static constexpr int stages = 3;
  static double node(int stage);  // c_i

  RadauStep(Assembly<T>& assembly, double tolerance);
  // `symmetric`: the matrices are, and so are the pivots of the program (newton_symmetry.hpp).
  void use(std::shared_ptr<const LuProgram> program, bool symmetric = false);

  // In lanes, instead: matrices in two parts, symmetric ones (newton_border.hpp).
  void use(std::shared_ptr<const NewtonBorder> border);

  // --- given by the driver -----------------------------------------------------------------------------------------------
  T h;                                     // size of the step
  double time[stages] = {};                // of the stages …
  AlignedVector<Jet<T>> signals[stages];   // … or, when not empty, the functions of time there
  MaskOf<T> frozen{};                      // lanes whose stages do not change any more
  AlignedVector<T> positions;              // [7 carriers] at the start of the step; finish() moves them to its end
  AlignedVector<T> velocities;             // [6 carriers] likewise
  AlignedVector<T> turns;                  // [angles] measured at the start
  AlignedVector<T> accelerations, lambda;  // [6 carriers], [rows] by finish(): those of the last stage
  Energies<T> work;  // until the start of the step; finish() goes on to its end, if the assembly accounts for it

  // --- given back ---------------------------------------------------------------------------------------------------------
  T size{};                // by iterate(): of the correction, in units of the tolerance
  T turn{};                // by finish(): of the step, squared (turn_limit.hpp)
  MaskOf<T> failed{};      // by iterate(), renew(): elements that could not be evaluated, pivots that vanished
  AlignedVector<T> error;  // [6 carriers] by finish(): the estimated error of the positions, and of states; empty unless wanted
  const AlignedVector<T>& real_values() const { return real_values_; }
  const AlignedVector<T>& correction() const { return correction_[stages - 1]; }
  AlignedVector<T> open;  // [rows] by finish(): what the correction of the positions leaves open, ε ν …
  AlignedVector<T> gap;   // … and what was open before it

  // --- the work -------------------------------------------------------------------------------------------------------------
  // Velocities of the stages: those of the previous step's polynomial, or in lanes `constant` those of the start.
  void predict(const MaskOf<T>& constant);
  // New matrices, at the present second stage, in lanes `which`; the others keep theirs.
  void renew(const MaskOf<T>& which);
  // One iteration: residuals, solution, correction of the stages that are not frozen, size. `remembered`: the number of iterations before this
  // one with the same matrices, whose corrections are to be combined with this one (Anderson's acceleration); none: −1.
  void iterate(int remembered = -1);
  // The first half of an iteration, by hand: the correction and its size; and stages moved along a correction, `along` of the rates and multipliers.
  void find_correction();
  const AlignedVector<T>& found() const { return step_now_; }
  void move(const AlignedVector<T>& along, const T& part);
  // To the end of the step, positions corrected.
  void finish();
  // Errors of the positions are estimated by finish() from now on.
  void estimate() { error.resize(velocities.size()); }
  // At a start: there is no previous step to predict from, velocities are taken as constant.
  void forget();
  // Coordinates, velocities, accelerations and positions of the stages from the rates, after these were set from outside.
  void find_stages();

  // Calls f(array, length) with every array that must be kept between these calls, besides the state; the rest follows.
  template <class F>
  void each_kept(F&& f) {
    for (int i = 0; i < stages; ++i) {
      f(rate_[i].data(), rate_[i].size()), f(multiplier_[i].data(), multiplier_[i].size());
      f(reinterpret_cast<T*>(spin_[i].data()), 9 * spin_[i].size());
    }
    f(reinterpret_cast<T*>(made_.data()), 9 * made_.size());
    f(real_factors_.entry.data(), real_factors_.entry.size());
    f(reinterpret_cast<T*>(complex_factors_.entry.data()), 2 * complex_factors_.entry.size());
  }
  // Likewise, what the next step is predicted from: a step that is done again must get it back.
  template <class F>
  void each_past(F&& f) {
    for (auto& x : before_) f(x.data(), x.size());
  }

 private:
  void set_signals(int stage);
  void evaluate(int stage);                 // the assembly at a stage
  void find_turns(const MaskOf<T>& which);  // S of all nodes at the stages
  void gather_right_sides(int stage);
  void solve();
  template <class N>
  void solve(LuFactors<N>& factors, N* x);
  void find_rates();
  void take_systems();
  void correct();
  void combine(int remembered);
  void apply();
  void measure();
  void add_work();
  void begin_error();
  void finish_error();

  Assembly<T>& assembly_;
  const Structure& structure_;
  NodeAxes<T> axes_;
  double tolerance_, length_ = 1;
  AlignedVector<Mat3<T>> made_;            // [nodes] axes when the matrices were made
  AlignedVector<Mat3<T>> spin_[stages];    // [nodes] S
  std::vector<char> border_;               // [nonzeros] entries of G, Gᵀ and ε
  AlignedVector<T> rate_[stages];          // [6 carriers] ẏ_i
  AlignedVector<T> coordinate_[stages];    // [6 carriers] y_i
  AlignedVector<T> velocity_[stages];      // [6 carriers] v_i
  AlignedVector<T> acceleration_[stages];  // [6 carriers] v̇_i
  AlignedVector<T> position_[stages];      // [7 carriers] q_i
  AlignedVector<T> multiplier_[stages];    // [rows] λ_i
  AlignedVector<T> before_[stages + 1];    // [6 carriers] velocities at the previous step's start and stages
  AlignedVector<T> right_[stages];         // [size] −r_i and −(G v_i + g_t), in the axes of the matrices
  AlignedVector<T> give_[stages];          // [size] λ_i in these axes
  AlignedVector<T> change_[stages];        // [size] of v̇_i and λ_i
  AlignedVector<T> moved_[stages];         // [size] of y_i …
  AlignedVector<T> speed_[stages];         // … and, in recordings, of ẏ_i where that is no turn of a body
  AlignedVector<T> correction_[stages];    // [6 carriers] of v̇_i, inertial axes
  AlignedVector<T> turn_[stages];          // [6 carriers] of y_i
  static constexpr int memory = 8;
  AlignedVector<T> step_now_,
      step_before_;  // [3 (6 carriers + rows)] corrections of rates and multipliers: this one, and the last as applied
  AlignedVector<T> plain_before_;             // the last one as computed
  AlignedVector<T> steps_[memory];            // what was applied …
  AlignedVector<T> differences_[memory];      // … and by how much that changed the correction
  AlignedVector<T> full_, rows_;              // [6 carriers], [rows]
  AlignedVector<T> real_;                     // [size]
  AlignedVector<Complex<T>> complex_;         // [size]
  AlignedVector<T> damping_, stiffness_;      // [nonzeros]
  AlignedVector<T> real_values_;              // [nonzeros]
  AlignedVector<Complex<T>> complex_values_;  // [nonzeros]
  void find_gradients(int stage);             // of the border, by the assembly

  std::shared_ptr<const LuProgram> program_;
  std::shared_ptr<const NewtonBorder> bordered_;
  std::unique_ptr<BorderGradients<T>> gradients_;
  bool symmetric_ = false;
  LuFactors<T> real_factors_, new_real_factors_;
  LuFactors<Complex<T>> complex_factors_, new_complex_factors_;
};

extern template class RadauStep<double>;
extern template class RadauStep<Traced>;

}  // namespace aleator::core
