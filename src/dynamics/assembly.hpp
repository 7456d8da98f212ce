// Forces, constraints and matrices of one realization (or of all of them, recorded) at (t, state): the equations of motion
//   residual  r = M v̇ + k(v) − f(t, q, v) + Gᵀλ,      g(t, q) = 0,      G v + g_t = 0,      G v̇ + bias = 0.
// Rows and unknowns that belong to rotations are in inertial axes: a turn δφ = R δθ, an angular acceleration α = R Ω̇.
// Unknowns of ANCF nodes are their vectors. States of elements are velocities with the mass 1 (elements/carrier.hpp).
// One thread owns one Assembly; nothing is allocated after construction.
#pragma once

#include "dynamics/relative_motion.hpp"
#include "dynamics/state.hpp"
#include "model/model.hpp"
#include "numerics/sparse_lu.hpp"

namespace aleator::core {

template <class T>
class Assembly {
 public:
  Assembly(const Model& model, const Realization<T>& realization);

  const Model& model() const { return *model_; }
  const Realization<T>& realization() const { return *realization_; }
  const Carriers& carriers() const { return carriers_; }
  int velocities() const { return 6 * carriers_.count; }  // those that do not exist or are locked included
  int rows() const { return rows_; }

  // --- evaluation, in this order -----------------------------------------------------------------------------------------
  // Functions of time. At a kink `side` says which limit is meant. (Those of Traced numbers are set by whoever records.)
  void set_signals(double t, Side side);
  Jet<T>* signals() { return signals_.data(); }
  // Frames of bodies and markers.
  void kinematics(const T* q, const T* v, const T* turns);
  void kinematics(double t, Side side, const T* q, const T* v, const T* turns) {
    set_signals(t, side);
    kinematics(q, v, turns);
  }
  // Until it is switched off again, positions and velocities that are handed in are reduced (relative_motion.hpp). Nothing is where there
  // are no such bodies.
  void read_reduced(bool on) { reduced_ = on && relative_.any(); }
  bool reads_reduced() const { return reduced_; }
  const RelativeMotion<T>& relative() const { return relative_; }
  void constrain();  // residual, drift, bias, jacobian of evaluation()
  void forces();     // wrench of evaluation(): everything but constraints, gravity included

  // r, [6 carriers]; needs kinematics, constrain, forces.
  void residual(const T* accelerations, const T* lambda, T* r) const;
  // M a alone, [6 carriers]; needs kinematics.
  void inertia_forces(const T* accelerations, T* out) const;
  // G v + g_t, [rows]
  void velocity_residual(T* out) const;
  // --- states, reduced or not as kinematics reads them ----------------------------------------------------------------------
  // q̇ as a plain vector, q moved by a step, q normalised.
  void derivative(const T* q, const T* v, T* out) const;
  void move(T* q, const T* step) const;
  void normalize(T* q) const;
  // Whole → reduced and, after kinematics, reduced → whole.
  void reduce(T* q, T* v) const { relative_.reduce(marker_parameters_, q, v); }
  void restore(T* q, T* v) const { relative_.restore(marker_parameters_, frames_.data(), q, v); }
  // After kinematics: motions of whole bodies reduced, and small reduced changes made whole (relative_motion.hpp); nothing to do where states are whole.
  void reduce_motion(T* motion) const {
    if (reduced_) relative_.reduce_motion(frames_.data(), motion);
  }
  void spread(T* dv, T* dq = nullptr) const {
    if (reduced_) relative_.spread(evaluation_.position, markers_.data(), frames_.data(), dv, dq);
  }
  // After kinematics, of a state: velocities of whole bodies.
  void whole_velocities(const T* v, T* out) const;
  // out += Gᵀ λ in inertial axes, [6 carriers]
  void add_reactions(const T* lambda, T* out) const;

  // --- matrices: fill values() ----------------------------------------------------------------------------------------------
  // [M Gᵀ; G −ε]
  void mass_matrix();
  // The derivative of the residual:  cM ∂r/∂v̇ T⁻¹ + cC ∂r/∂v T⁻¹ + cK ∂r/∂q, bordered by G. `increments` are the rotation
  // vectors over the step ([6 carriers], T = I when null).
  void tangent(const T& cM, const T& cC, const T& cK, const T* accelerations, const T* lambda, const T* increments);
  const AlignedVector<T>& values() const { return values_; }

  // [size] ↔ [6 carriers] + [rows]. Scatter turns rotational parts into body axes.
  void gather(const T* full, const T* rows_part, T* out) const;
  void scatter(const T* in, T* full, T* rows_part) const;

  // New measured angles, counted on from the old ones.
  void update_turns(T* turns) const;

  // ε of each row: `relative` times its weight, an estimate of the diagonal of G M⁻¹ Gᵀ taken when weigh_rows was called.
  void set_regularization(double relative) { weigh_rows(), regularize(T(relative)); }
  void weigh_rows();
  void set_weights(const double* weights);
  void regularize(const T& relative);
  const AlignedVector<T>& weights() const { return weight_; }
  const AlignedVector<T>& regularization() const { return regularization_; }

  void observe(const T* accelerations, const T* lambda, T* out) const;  // all channels of all outputs
  int channels() const { return channels_; }
  // The channels of outputs of work alone; needs kinematics. `start`: T + V then.
  void observe_work(const Energies<T>& work, const T& start, T* out) const;
  // Of all bodies, gravity, springs and stops; needs kinematics.
  T kinetic_energy() const;
  T potential_energy() const;
  // Whether integrators add up work: something may supply energy, or somebody asks for what is dissipated.
  bool accounts() const { return supplies_ || dissipates_; }
  bool counts_dissipation() const { return dissipates_; }
  void count_dissipation() { dissipates_ = true; }
  // After kinematics and constrain: power of functions of time, dissipation if it is counted.
  const Energies<T>& power(const T* lambda);

  const Evaluation<T>& evaluation() const { return evaluation_; }
  const std::vector<Group>& groups() const { return groups_; }
  const BodyFrame<T>* frames() const { return frames_.data(); }
  const RigidBody::Parameters<T>* body_parameters() const { return body_parameters_; }  // [rigid]
  // How heavy each half of a carrier is: mass and mean moment of inertia of a body, diagonal of the mass matrix of vectors. A body without mass
  // counts as much as the heaviest that a joint connects it to; one that moves an armature alone as 1 kg and 1 kg m².
  const T& inertia(int carrier, int half) const { return inertia_[2 * carrier + half]; }
  const Vec3<T>& gravity() const { return gravity_; }
  Status<T>& status() { return status_; }

 private:
  void find_inertia();
  void borrow_inertia();
  void add_borders();
  void add_state_inertia(const T* accelerations, T* r) const;
  void add_state_masses(const T& factor);
  Observation<T> observation(const T* accelerations, const T* lambda) const;

  const Model* model_;
  const Realization<T>* realization_;
  Carriers carriers_;
  int rows_, channels_ = 0;
  bool supplies_ = false, dissipates_ = false, reduced_ = false;
  RelativeMotion<T> relative_;
  std::vector<Group> groups_;
  const Vec3<T>* static_gravity_;  // what has a potential
  Vec3<T> gravity_;                // with functions of time
  const RigidBody::Parameters<T>* body_parameters_;
  const MarkerParameters<T>* marker_parameters_;
  const NodalParameters<T>* nodal_parameters_;
  AlignedVector<BodyFrame<T>> frames_;        // [carriers + 1] by kinematics
  AlignedVector<Directors<T>> directors_;     // [nodal markers] by kinematics
  AlignedVector<MarkerFrame<T>> markers_;     // [markers] by kinematics
  AlignedVector<Jet<T>> signals_;             // [signals] by kinematics
  std::vector<int> pieces_;                   // [signals] current piece, as a hint
  AlignedVector<Wrench<T>> wrench_;           // [carriers + 1] by forces
  AlignedVector<Wrench<T>> gradient_;         // [gradients] by constrain
  AlignedVector<Wrench<T>> jacobian_;         // [blocks] by constrain
  AlignedVector<T> residual_, drift_, bias_;  // [rows] by constrain
  AlignedVector<T> blocks_;                   // [pair blocks][36] by tangent and mass_matrix
  AlignedVector<T> values_;                   // [nonzeros]
  AlignedVector<T> inertia_;                  // [2 carriers] by find_inertia
  AlignedVector<T> weight_;                   // [rows] by weigh_rows
  AlignedVector<T> regularization_;           // [rows] by regularize
  Energies<T> power_;                         // by power
  Status<T> status_;
  Evaluation<T> evaluation_;
};

// Positions and velocities are reduced until the end of the scope.
template <class T>
class ReducedScope {
 public:
  explicit ReducedScope(Assembly<T>& assembly) : assembly_(assembly) { assembly.read_reduced(true); }
  ~ReducedScope() { assembly_.read_reduced(false); }
  ReducedScope(const ReducedScope&) = delete;
  ReducedScope& operator=(const ReducedScope&) = delete;

 private:
  Assembly<T>& assembly_;
};

extern template class Assembly<double>;
extern template class Assembly<Traced>;
extern template class Assembly<Dual>;

}  // namespace aleator::core
