#include "dynamics/assembly.hpp"

#include <algorithm>

namespace aleator::core {

namespace {
// Functions of time may supply energy, and so may tabulated dampers and hysteresis.
bool may_be_driven(const Model& model) {
  if (!model.nominal.signals.empty()) return true;
  for (const input::Item& force : model.description.section("forces"))
    if (force.find("damping_characteristic")) return true;
  if (!model.topology.hysteresis.empty()) return true;  // some are not passive
  return false;
}
}  // namespace

template <class T>
Assembly<T>::Assembly(const Model& model, const Realization<T>& realization)
    : model_(&model),
      realization_(&realization),
      carriers_(model.topology.all_carriers()),
      rows_(model.structure.rows),
      relative_(model) {
  const Topology& t = model.topology;
  const Structure& s = model.structure;
  const T* numbers = realization.numbers.data();
  for (size_t g = 0; g < t.groups.size(); ++g)
    groups_.push_back({t.groups[g].kernel, t.groups[g].count, t.groups[g].topology.data(), s.layout.groups[g],
                       s.pair_start[g].data(), s.pair_blocks[g].data()});
  static_gravity_ = reinterpret_cast<const Vec3<T>*>(numbers + s.layout.gravity);
  gravity_ = *static_gravity_;
  body_parameters_ = reinterpret_cast<const RigidBody::Parameters<T>*>(numbers + s.layout.bodies);
  marker_parameters_ = reinterpret_cast<const MarkerParameters<T>*>(numbers + s.layout.markers);

  nodal_parameters_ = reinterpret_cast<const NodalParameters<T>*>(numbers + s.layout.nodal);

  frames_.resize(carriers_.count + 1);
  frames_[carriers_.count].R = Mat3<T>::identity();
  markers_.resize(t.marker_carrier.size());
  directors_.resize(t.nodal.size());
  signals_.resize(realization.signals.size());
  pieces_.resize(realization.signals.size());
  wrench_.resize(carriers_.count + 1);
  gradient_.resize(t.gradient_row.size());
  jacobian_.resize(t.block_row.size());
  residual_.resize(rows_), drift_.resize(rows_), bias_.resize(rows_);
  blocks_.resize(size_t(36) * s.pair_block_count);
  values_.resize(s.pattern.nonzeros());
  weight_.resize(rows_), regularization_.resize(rows_);
  for (const Output& o : t.outputs) channels_ += int(o.channels.size()), dissipates_ = dissipates_ || o.of_work;
  supplies_ = may_be_driven(model);
  const bool shaken = std::any_of(std::begin(t.gravity_signal), std::end(t.gravity_signal), [](int i) { return i >= 0; });

  evaluation_ = {.marker_carrier = t.marker_carrier.data(),
                 .marker_nodal = t.marker_nodal.data(),
                 .marker = markers_.data(),
                 .frame = frames_.data(),
                 .ground = carriers_.count,
                 .nodal = t.nodal.data(),
                 .nodal_parameters = nodal_parameters_,
                 .director = directors_.data(),
                 .position = nullptr,
                 .velocity = nullptr,
                 .gravity = &gravity_,
                 .static_gravity = static_gravity_,
                 .shaken = shaken,
                 .signal = signals_.data(),
                 .turn = nullptr,
                 .number = numbers,
                 .pool = numbers + s.layout.pool,
                 .gradient_block = t.gradient_block.data(),
                 .wrench = wrench_.data(),
                 .residual = residual_.data(),
                 .drift = drift_.data(),
                 .bias = bias_.data(),
                 .gradient = gradient_.data(),
                 .jacobian = jacobian_.data(),
                 .status = &status_};
  find_inertia();
}

// From the mass matrices of continua, which do not change.
template <class T>
void Assembly<T>::find_inertia() {
  std::fill(blocks_.begin(), blocks_.end(), T(0));
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().mass; f && g.kernel->carriers) f(g, evaluation_, T(1), blocks_.data());
  inertia_.resize(size_t(2) * carriers_.count);
  for (int c = 0; c < carriers_.rigid; ++c) {
    inertia_[2 * c] = body_parameters_[c].mass;
    inertia_[2 * c + 1] = trace(body_parameters_[c].inertia) / T(3);
  }
  borrow_inertia();
  for (int c = carriers_.rigid; c < carriers_.count; ++c)
    for (int half = 0; half < 2; ++half) {
      T& largest = inertia_[2 * c + half] = T(0);
      for (int i = 3 * half; i < 3 * half + 3; ++i)
        largest = max(largest, blocks_[size_t(36) * model_->structure.own_block[c] + 7 * i]);
    }
  for (int c = carriers_.first_state; c < carriers_.count; ++c) inertia_[2 * c] = inertia_[2 * c + 1] = T(1);
}

// Bodies without mass, from those that have one outwards.
template <class T>
void Assembly<T>::borrow_inertia() {
  const Topology& t = model_->topology;
  std::vector<char> has(size_t(carriers_.rigid), 0);
  for (int c = 0; c < carriers_.rigid; ++c) has[size_t(c)] = model_->nominal.bodies[size_t(c)].mass > 0;
  for (bool found = true; found;) {
    found = false;
    const std::vector<char> before = has;
    for (const JointRecord& j : t.joints) {
      if (j.marker_a < 0 || j.marker_b < 0) continue;
      const int a = t.marker_carrier[size_t(j.marker_a)], b = t.marker_carrier[size_t(j.marker_b)];
      for (const auto& [from, to] : {std::pair(a, b), std::pair(b, a)}) {
        if (from < 0 || to < 0 || from >= carriers_.rigid || to >= carriers_.rigid || !before[size_t(from)] || before[size_t(to)])
          continue;
        for (int half = 0; half < 2; ++half)
          inertia_[2 * to + half] =
              has[size_t(to)] ? max(inertia_[2 * to + half], inertia_[2 * from + half]) : inertia_[2 * from + half];
        has[size_t(to)] = 1, found = true;
      }
    }
  }
  // An armature is all there is: rows are measured by 1 kg and 1 kg m².
  for (int c = 0; c < carriers_.rigid; ++c)
    if (!has[size_t(c)]) inertia_[2 * c] = inertia_[2 * c + 1] = T(1);
}

// States of elements have the mass 1.
template <class T>
void Assembly<T>::add_state_inertia(const T* accelerations, T* r) const {
  for (int c = carriers_.first_state; c < carriers_.count; ++c)
    for (int i = 0; i < 6; ++i)
      if (i % 3 < model_->topology.carriers[c].states) r[6 * c + i] += accelerations[6 * c + i];
}
template <class T>
void Assembly<T>::add_state_masses(const T& factor) {
  for (int c = carriers_.first_state; c < carriers_.count; ++c)
    for (int i = 0; i < 6; ++i)
      if (i % 3 < model_->topology.carriers[c].states) blocks_[36 * model_->structure.own_block[c] + 7 * i] += factor;
}

template <class T>
void Assembly<T>::set_signals(double t, Side side) {
  if constexpr (!std::is_same_v<T, Traced>)
    for (size_t s = 0; s < signals_.size(); ++s) {
      const Signal& f = realization_->signals[s];
      const PiecewisePolynomial& p = f.pieces;
      const int piece = pieces_[s] = find_piece(p, t, side, pieces_[s]);
      signals_[s] = evaluate(realization_->numbers.data() + f.coefficients + p.offset(piece), p.degree,
                             place_in_piece(p, piece, t), p.knots[piece + 1] - p.knots[piece]);
    }
}

template <class T>
void Assembly<T>::kinematics(const T* q, const T* v, const T* turns) {
  const PartScope<T> scope(Part::assembly);
  const Topology& topology = model_->topology;
  status_ = {};
  for (int c = 0; c < carriers_.rigid; ++c)
    if (!reduced_ || !relative_.has(c)) frames_[c] = RigidBody::frame(q + 7 * c, v + 6 * c);
  for (int c = carriers_.rigid; c < carriers_.count; ++c) frames_[c] = vector_frame(q + 7 * c, v + 6 * c);
  if (reduced_) relative_.place(q, v, marker_parameters_, frames_.data());
  for (size_t m = 0; m < markers_.size(); ++m) {
    const int n = topology.marker_nodal[m];
    markers_[m] = n < 0 ? marker_frame(frames_[topology.marker_carrier[m]], marker_parameters_[m])
                        : nodal_frame(topology.nodal[n], nodal_parameters_[n], q, v, directors_[n], status_);
  }
  if (reduced_) relative_.turn_markers(markers_.data());
  for (int i = 0; i < 3; ++i)
    if (const int s = topology.gravity_signal[i]; s >= 0) gravity_[i] = (*static_gravity_)[i] + signals_[size_t(s)].f;
  evaluation_.turn = turns;
  evaluation_.position = q;
  evaluation_.velocity = v;
}

template <class T>
void Assembly<T>::constrain() {
  const PartScope<T> scope(Part::assembly);
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().constrain) f(g, evaluation_);
  // Closed by construction; what is left is round-off.
  if (reduced_)
    for (const RelativeJoint& j : relative_.joints()) std::fill_n(residual_.data() + j.row, j.rows, T(0));
}

template <class T>
void Assembly<T>::derivative(const T* q, const T* v, T* out) const {
  carriers_.derivative(q, v, out);
  if (reduced_) relative_.derivative(q, v, out);
}

template <class T>
void Assembly<T>::move(T* q, const T* step) const {
  if (!reduced_) return carriers_.move(q, step, q);
  for (int c = 0; c < carriers_.rigid; ++c)
    if (!relative_.has(c)) RigidBody::move(q + 7 * c, step + 6 * c, q + 7 * c);
  relative_.move(q, step, q);
}

template <class T>
void Assembly<T>::normalize(T* q) const {
  if (!reduced_) return carriers_.normalize(q);
  for (int c = 0; c < carriers_.rigid; ++c)
    if (!relative_.has(c)) RigidBody::normalize(q + 7 * c);
  relative_.normalize(q);
}

template <class T>
void Assembly<T>::whole_velocities(const T* v, T* out) const {
  std::copy_n(v, velocities(), out);
  if (!reduced_) return;
  for (const RelativeJoint& j : relative_.joints())
    for (int i = 0; i < 3; ++i)
      out[6 * j.carrier + i] = frames_[j.carrier].v[i], out[6 * j.carrier + 3 + i] = frames_[j.carrier].omega[i];
}

template <class T>
void Assembly<T>::forces() {
  const PartScope<T> scope(Part::assembly);
  for (int c = 0; c < carriers_.rigid; ++c) wrench_[c] = {body_parameters_[c].mass * gravity_, {}};
  for (int c = carriers_.rigid; c <= carriers_.count; ++c) wrench_[c] = {};
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().force) f(g, evaluation_);
}

template <class T>
void Assembly<T>::add_reactions(const T* lambda, T* out) const {
  const Topology& t = model_->topology;
  for (size_t k = 0; k < jacobian_.size(); ++k) {
    const int carrier = t.block_carrier[k];
    if (carrier == carriers_.count) continue;
    const T l = lambda[t.block_row[k]];
    T* o = out + 6 * carrier;
    for (int i = 0; i < 3; ++i) {
      o[i] += l * jacobian_[k].F[i];
      o[3 + i] += l * jacobian_[k].M[i];
    }
  }
}

template <class T>
void Assembly<T>::residual(const T* accelerations, const T* lambda, T* r) const {
  const PartScope<T> scope(Part::assembly);
  for (int b = 0; b < carriers_.rigid; ++b) {
    const BodyFrame<T>& f = frames_[b];
    const auto& p = body_parameters_[b];
    const T* a = accelerations + 6 * b;
    const Vec3<T> turning = f.R * (p.inertia * Vec3<T>{a[3], a[4], a[5]} +
                                   RigidBody::gyroscopic(p.inertia, model_->structure.shared_inertia[b], f.omega));
    for (int i = 0; i < 3; ++i) {
      r[6 * b + i] = p.mass * a[i] - wrench_[b].F[i];
      r[6 * b + 3 + i] = turning[i] - wrench_[b].M[i];
    }
  }
  for (int c = carriers_.rigid; c < carriers_.count; ++c)
    for (int i = 0; i < 3; ++i) {
      r[6 * c + i] = -wrench_[c].F[i];
      r[6 * c + 3 + i] = -wrench_[c].M[i];
    }
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().inertia) f(g, evaluation_, accelerations, r);
  add_state_inertia(accelerations, r);
  add_reactions(lambda, r);
}

template <class T>
void Assembly<T>::inertia_forces(const T* accelerations, T* out) const {
  const PartScope<T> scope(Part::assembly);
  std::fill_n(out, velocities(), T(0));
  for (int b = 0; b < carriers_.rigid; ++b) {
    const T* a = accelerations + 6 * b;
    const Vec3<T> turning = frames_[b].R * (body_parameters_[b].inertia * Vec3<T>{a[3], a[4], a[5]});
    for (int i = 0; i < 3; ++i) out[6 * b + i] = body_parameters_[b].mass * a[i], out[6 * b + 3 + i] = turning[i];
  }
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().inertia) f(g, evaluation_, accelerations, out);
  add_state_inertia(accelerations, out);
}

template <class T>
void Assembly<T>::velocity_residual(T* out) const {
  const Topology& t = model_->topology;
  std::copy(drift_.begin(), drift_.end(), out);
  for (size_t k = 0; k < jacobian_.size(); ++k) {
    const BodyFrame<T>& f = frames_[t.block_carrier[k]];
    out[t.block_row[k]] += dot(jacobian_[k].F, f.v) + dot(jacobian_[k].M, f.w);
  }
  if (reduced_)
    for (const RelativeJoint& j : relative_.joints()) std::fill_n(out + j.row, j.rows, T(0));
}

template <class T>
void Assembly<T>::add_borders() {
  const Structure& s = model_->structure;
  for (const Move& m : s.from_pairs) values_[m.to] += blocks_[m.from];
  const T* J = reinterpret_cast<const T*>(jacobian_.data());
  for (const Move& m : s.from_jacobian) values_[m.to] += J[m.from];
  for (const Move& m : s.from_jacobian_transposed) values_[m.to] += J[m.from];
  for (int r = 0; r < rows_; ++r) values_[s.row_diagonal[r]] = s.row_active[r] ? -regularization_[r] : T(-1);
}

// A 3×3 block of a body's own 6×6 block
template <class T>
static void add_block(T* block, int row, int column, const Mat3<T>& m) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) block[6 * (row + i) + column + j] += m[i][j];
}

template <class T>
void Assembly<T>::mass_matrix() {
  const PartScope<T> scope(Part::assembly);
  std::fill(values_.begin(), values_.end(), T(0));
  std::fill(blocks_.begin(), blocks_.end(), T(0));
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().mass) f(g, evaluation_, T(1), blocks_.data());
  add_state_masses(T(1));
  for (int b = 0; b < carriers_.rigid; ++b) {
    const auto& p = body_parameters_[b];
    const Mat3<T>& R = frames_[b].R;
    T* block = blocks_.data() + 36 * model_->structure.own_block[b];
    add_block(block, 0, 0, p.mass * Mat3<T>::identity());
    add_block(block, 3, 3, RigidBody::turned_inertia(R, p.inertia, model_->structure.shared_inertia[b]));
  }
  add_borders();
}

template <class T>
void Assembly<T>::tangent(const T& cM, const T& cC, const T& cK, const T* accelerations, const T* lambda, const T* increments) {
  const PartScope<T> scope(Part::assembly);
  std::fill(values_.begin(), values_.end(), T(0));
  std::fill(blocks_.begin(), blocks_.end(), T(0));
  TangentSink<T> sink{&evaluation_, nullptr, blocks_.data(), cK, cC};
  for (const Group& g : groups_) {
    if (const auto f = g.kernel->functions<T>().tangent) f(g, evaluation_, sink);
    if (const auto f = g.kernel->functions<T>().constraint_tangent) f(g, evaluation_, lambda, sink);
    if (const auto f = g.kernel->functions<T>().inertia_tangent)
      f(g, evaluation_, cM, accelerations, increments, sink);
    else if (const auto of_mass = g.kernel->functions<T>().mass)
      of_mass(g, evaluation_, cM, blocks_.data());
  }
  add_state_masses(cM);
  for (int b = 0; b < carriers_.rigid; ++b) {
    const auto& p = body_parameters_[b];
    const BodyFrame<T>& f = frames_[b];
    const T* a = accelerations + 6 * b;
    const Vec3<T> momentum = p.inertia * f.omega;
    const Vec3<T> turning = p.inertia * Vec3<T>{a[3], a[4], a[5]} + cross(f.omega, momentum);
    // ∂/∂Ω (Ω × JΩ) = Ω~J − (JΩ)~;  turning the body turns the whole inertial moment: −(R·turning)~
    Mat3<T> own = cM * p.inertia + cC * (skew(f.omega) * p.inertia - skew(momentum));
    if (increments) own = own * inverse_tangent(Vec3<T>{increments[6 * b + 3], increments[6 * b + 4], increments[6 * b + 5]});
    T* block = blocks_.data() + 36 * model_->structure.own_block[b];
    add_block(block, 0, 0, (cM * p.mass) * Mat3<T>::identity());
    add_block(block, 3, 3, f.R * (own * transpose(f.R)) - cK * skew(f.R * turning));
  }
  add_borders();
}

template <class T>
void Assembly<T>::gather(const T* full, const T* rows_part, T* out) const {
  const Structure& s = model_->structure;
  for (int i = 0; i < velocities(); ++i)
    if (s.dof[i] >= 0) out[s.dof[i]] = full[i];
  for (int r = 0; r < rows_; ++r) out[s.dofs + r] = s.row_active[r] ? rows_part[r] : T(0);
}

template <class T>
void Assembly<T>::scatter(const T* in, T* full, T* rows_part) const {
  const Structure& s = model_->structure;
  for (int b = 0; b < carriers_.count; ++b) {
    Vec3<T> turn;
    for (int i = 0; i < 3; ++i) {
      full[6 * b + i] = s.dof[6 * b + i] >= 0 ? in[s.dof[6 * b + i]] : T(0);
      turn[i] = s.dof[6 * b + 3 + i] >= 0 ? in[s.dof[6 * b + 3 + i]] : T(0);
    }
    if (b < carriers_.rigid) turn = transposed_times(frames_[b].R, turn);
    for (int i = 0; i < 3; ++i) full[6 * b + 3 + i] = turn[i];
  }
  for (int r = 0; r < rows_; ++r) rows_part[r] = in[s.dofs + r];
}

template <class T>
void Assembly<T>::update_turns(T* turns) const {
  for (const Coordinate& c : model_->topology.turn_coordinate) turns[c.turn] = measure(c, evaluation_).value;
}

// Of each row: |G|² in the metric of the inverse masses, an estimate of the diagonal of G M⁻¹ Gᵀ. A body turns about its joints,
// not about itself: a small bob on a long arm counts with the inertia that the arm gives it, or ε would be too soft for it.
template <class T>
void Assembly<T>::weigh_rows() {
  const Topology& t = model_->topology;
  AlignedVector<T> inertia = inertia_;
  for (int c = 0; c < carriers_.rigid; ++c) inertia[2 * c + 1] = max(inertia[2 * c + 1], T(1e-12) * inertia[2 * c]);
  for (size_t m = 0; m < markers_.size(); ++m) {
    const int c = t.marker_carrier[m];
    const Vec3<T>& arm = marker_parameters_[m].offset;
    if (c >= 0 && c < carriers_.rigid) inertia[2 * c + 1] = max(inertia[2 * c + 1], T(0.1) * inertia[2 * c] * dot(arm, arm));
  }
  std::fill(weight_.begin(), weight_.end(), T(0));
  for (size_t k = 0; k < jacobian_.size(); ++k) {
    const int c = t.block_carrier[k];
    if (c == carriers_.count) continue;
    const T second = t.carriers[c].vectors == 1 ? T(0) : dot(jacobian_[k].M, jacobian_[k].M) / inertia[2 * c + 1];
    weight_[t.block_row[k]] += dot(jacobian_[k].F, jacobian_[k].F) / inertia[2 * c] + second;
  }
  for (T& w : weight_) w = max(w, T(1e-12));
}

template <class T>
void Assembly<T>::set_weights(const double* weights) {
  for (int r = 0; r < rows_; ++r) weight_[r] = T(weights[r]);
}

template <class T>
void Assembly<T>::regularize(const T& relative) {
  for (int r = 0; r < rows_; ++r) regularization_[r] = relative * weight_[r];
}

template <class T>
Observation<T> Assembly<T>::observation(const T* accelerations, const T* lambda) const {
  return {&evaluation_, frames_.data(), body_parameters_, carriers_.rigid,     carriers_.count, accelerations,
          lambda,       rows_,          groups_.data(),   int(groups_.size()), *static_gravity_};
}

template <class T>
void Assembly<T>::observe(const T* accelerations, const T* lambda, T* out) const {
  if constexpr (!std::is_same_v<T, Dual>) {
    const PartScope<T> scope(Part::observation);
    const Observation<T> s = observation(accelerations, lambda);
    for (const Output& o : model_->topology.outputs) {
      o.function<T>()(o, s, out);
      out += o.channels.size();
    }
  }
}

template <class T>
void Assembly<T>::observe_work(const Energies<T>& work, const T& start, T* out) const {
  if constexpr (!std::is_same_v<T, Dual>) {
    Observation<T> s = observation(nullptr, nullptr);
    s.work = &work, s.start = start;
    for (const Output& o : model_->topology.outputs) {
      if (o.of_work) o.function<T>()(o, s, out);
      out += o.channels.size();
    }
  }
}

template <class T>
const Energies<T>& Assembly<T>::power(const T* lambda) {
  Energies<T>& sum = power_;
  sum.supplied = sum.exchanged = sum.dissipated = T(0);
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().power) f(g, evaluation_, dissipates_, sum);
  for (int c = 0; evaluation_.shaken && c < carriers_.rigid; ++c)
    sum.supply(body_parameters_[c].mass * dot(evaluation_.base_load(), frames_[c].v));
  // M v̇ = … − Gᵀλ and G v = −g_t: the power of constraints that move
  for (int r = 0; supplies_ && r < rows_; ++r) sum.supply(lambda[r] * drift_[r]);
  if constexpr (!std::is_same_v<T, Dual>) {
    const Observation<T> s = observation(nullptr, lambda);
    sum.each.resize(size_t(model_->topology.integrals));
    for (const Output& o : model_->topology.outputs)
      if (o.integral >= 0) o.rate<T>()(o, s, &sum.each[size_t(o.integral)]);
  }
  return sum;
}

template <class T>
T Assembly<T>::kinetic_energy() const {
  T sum(0);
  for (int c = 0; c < carriers_.rigid; ++c) sum += RigidBody::kinetic_energy(body_parameters_[c], frames_[c]);
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().kinetic_energy)
      for (int i = 0; i < g.count; ++i) sum += f(g, i, evaluation_);
  return sum;
}

template <class T>
T Assembly<T>::potential_energy() const {
  T sum(0);
  for (int c = 0; c < carriers_.rigid; ++c) sum -= body_parameters_[c].mass * dot(*static_gravity_, frames_[c].x);
  for (const Group& g : groups_)
    if (const auto f = g.kernel->functions<T>().energy) sum += f(g, evaluation_);
  return sum;
}

template class Assembly<double>;
template class Assembly<Traced>;
template class Assembly<Dual>;

}  // namespace aleator::core
