#include "dynamics/generalized_alpha_step.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/energy_watch.hpp"
#include "dynamics/turn_limit.hpp"
#include "numerics/sparse_ldl.hpp"

namespace aleator::core {

namespace {

// Pivots of a recording against those of the index-1 form: stiffness makes those of multipliers small.
constexpr double singular = 1e-14;

// The one realization of the scalar code and the lanes have always rounded a few sums and products in their own way. Results depend on it in
// their last bits, so it stays.
template <class T>
constexpr bool recorded = std::is_same_v<T, Traced>;

}  // namespace

template <class T>
GeneralizedAlphaStep<T>::GeneralizedAlphaStep(Assembly<T>& assembly, Index1<T>& index1, double rho, bool follow)
    : am((2 * rho - 1) / (rho + 1)),
      af(rho / (rho + 1)),
      gamma(0.5 + af - am),
      beta(0.25 * (0.5 + gamma) * (0.5 + gamma)),
      assembly_(assembly),
      index1_(index1),
      solver_(singular),
      axes_(assembly.model()),
      violation_(assembly.model()),
      size_(size_as_drawn(assembly.model())) {
  const int n = assembly.velocities();
  for (auto* x : {&a0, &a1, &jerk, &velocities, &increments, &z, &change, &shift_, &end.velocities, &end.accelerations})
    x->resize(n);
  for (auto* x : {&rows, &end.lambda}) x->resize(assembly.rows());
  for (auto* x : {&right_, &given_}) x->resize(assembly.model().structure.size);
  end.positions.resize(size_t(7) * assembly.carriers().count);
  end.turns.resize(assembly.model().topology.turns);
  for (const auto& m : assembly.model().nominal.markers)
    length_ = std::max({length_, std::abs(m.offset.x), std::abs(m.offset.y), std::abs(m.offset.z)});
  for (auto* x : {&made_, &spins_}) x->resize(follow ? axes_.nodes() : 0);
}

template <class T>
void GeneralizedAlphaStep<T>::use(std::shared_ptr<const NewtonPattern> newton) {
  newton_ = std::move(newton);
  prescribed_ = std::make_unique<Prescribed<T>>(assembly_.model(), *newton_);
  factors_.resize(*newton_->lu);
  values_.resize(size_t(newton_->pattern.nonzeros()));
}

template <class T>
double GeneralizedAlphaStep<T>::regularization(double step) const {
  return std::clamp(0.5 * std::numeric_limits<double>::epsilon() * length_ / (beta * step * step), 1e-11, 1e-6);
}

template <class T>
bool GeneralizedAlphaStep<T>::is_noisy(double step) const {
  constexpr double seen = 1e-6;  // m/s²: from h = 30 µs on, in a mechanism of 1 m
  return std::numeric_limits<double>::epsilon() * length_ > seen * beta * step * step;
}

template <class T>
void GeneralizedAlphaStep<T>::tangent(const State<T>& s, const T* increments_or_null) {
  assembly_.tangent(T(increments_or_null ? (1 - am) / (1 - af) : 1.0), h * T(gamma), h * h * T(beta), s.accelerations.data(),
                    s.lambda.data(), increments_or_null);
}

// --- a start --------------------------------------------------------------------------------------------------------------------

// v̈ from a tiny step: only its first digits matter.
template <class T>
MaskOf<T> GeneralizedAlphaStep<T>::find_jerk(const State<T>& s) {
  end = s;
  end.t = time;
  const T small = T(tiny) * h, half = T(0.5) * small * small;
  for (size_t i = 0; i < increments.size(); ++i) {
    increments[i] = small * s.velocities[i] + half * s.accelerations[i];
    end.velocities[i] = s.velocities[i] + small * s.accelerations[i];
  }
  assembly_.carriers().move(s.positions.data(), increments.data(), end.positions.data());
  const MaskOf<T> bad = index1_.evaluate(end, Side::right);
  index1_.accelerations(end);
  const T rate = T(1) / small;
  for (size_t i = 0; i < jerk.size(); ++i) jerk[i] = rate * (end.accelerations[i] - s.accelerations[i]);
  return bad;
}

// A beam has motions much faster than the step (of its thickness, say). A load that sets in, or damping, makes their v̈ huge, and
// h v̈ in a₀ would set them ringing so hard that the iteration fails. What the step can follow is  (M + γh C + βh² K)⁻¹ M v̈  on the
// constraints: slow motions change by order h (a₀ by h²), fast ones come down to the size of v̇.
template <class T>
MaskOf<T> GeneralizedAlphaStep<T>::soften_jerk(const State<T>& s) {
  assembly_.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  assembly_.constrain();
  assembly_.forces();
  std::copy(jerk.begin(), jerk.end(), z.begin());
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const Vec3<T> turning = assembly_.frames()[b].R * Vec3<T>{z[6 * b + 3], z[6 * b + 4], z[6 * b + 5]};
    for (int i = 0; i < 3; ++i) z[6 * b + 3 + i] = turning[i];
  }
  std::fill(rows.begin(), rows.end(), T(0));
  assembly_.gather(z.data(), rows.data(), given_.data());
  assembly_.regularize(T(1e-11));
  assembly_.mass_matrix();
  const SparsePattern& p = assembly_.model().structure.pattern;
  std::fill(right_.begin(), right_.end(), T(0));
  for (int c = 0; c < p.n; ++c)
    for (int k = p.column_start[c]; k < p.column_start[c + 1]; ++k) right_[p.row[k]] += assembly_.values()[k] * given_[c];
  tangent(s, nullptr);
  if (!solver_.prepared()) prepare();
  const MaskOf<T> bad = solver_.renew(assembly_, MaskOf<T>(true));
  solver_.solve(right_.data());
  assembly_.scatter(right_.data(), jerk.data(), rows.data());
  return bad;
}

// Across the constraints the velocities of the method differ from the true ones by h² (c v̈ + Ω×Ω̇/12), c = 1/6 − β + (γ−½)/2: that
// is how h v₀ + h² (½−β) a₀ + h² β a₁ agrees up to h³ with the increment between two points of the constraints. From true velocities,
// accelerations and multipliers would ring with an amplitude of order h (Arnold, Brüls & Cardona 2015).
template <class T>
MaskOf<T> GeneralizedAlphaStep<T>::find_start(const State<T>& s) {
  const T factor = h * h * T(1.0 / 6 - beta + 0.5 * (gamma - 0.5)), group = recorded<T> ? h * h * T(1.0 / 12) : h * h / T(12);
  end.t = s.t;
  std::copy(s.positions.begin(), s.positions.end(), end.positions.begin());
  std::copy(s.turns.begin(), s.turns.end(), end.turns.begin());
  for (size_t i = 0; i < a0.size(); ++i) {
    a0[i] = s.accelerations[i] + T(am - af) * h * jerk[i];
    shift_[i] = factor * jerk[i];
    end.velocities[i] = s.velocities[i] + shift_[i];
  }
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const T *v = &s.velocities[6 * b], *a = &s.accelerations[6 * b];
    const Vec3<T> turning = group * cross(Vec3<T>{v[3], v[4], v[5]}, Vec3<T>{a[3], a[4], a[5]});
    for (int i = 0; i < 3; ++i) {
      T &shift = shift_[6 * b + 3 + i], &moved = end.velocities[6 * b + 3 + i];
      if constexpr (recorded<T>)
        moved += turning[i];
      else
        shift += turning[i], moved = v[3 + i] + shift;
    }
  }
  // Its part across the constraints is what projection takes away. A recording has no factors from before.
  std::copy(end.velocities.begin(), end.velocities.end(), velocities.begin());
  const MaskOf<T> bad = recorded<T> ? index1_.evaluate(end, Side::right) : index1_.evaluate_again(end, Side::right);
  index1_.project_velocities(end);
  for (size_t i = 0; i < velocities.size(); ++i)
    if constexpr (recorded<T>)
      velocities[i] = s.velocities[i] + (velocities[i] - end.velocities[i]);
    else
      velocities[i] = s.velocities[i] + (shift_[i] + (s.velocities[i] - end.velocities[i]));
  return bad;
}

// --- a step ---------------------------------------------------------------------------------------------------------------------

template <class T>
void GeneralizedAlphaStep<T>::hold(const State<T>& s) {
  for (size_t i = 0; i < a1.size(); ++i) a1[i] = T(1 / (1 - am)) * (s.accelerations[i] - T(am) * a0[i]);
  std::copy(s.lambda.begin(), s.lambda.end(), end.lambda.begin());
  std::copy(s.turns.begin(), s.turns.end(), end.turns.begin());
}

template <class T>
void GeneralizedAlphaStep<T>::find_end(const State<T>& s) {
  const T h2a = h * h * T(0.5 - beta), h2b = h * h * T(beta), ha = h * T(1 - gamma), hb = h * T(gamma);
  const T m1((1 - am) / (1 - af)), m0(am / (1 - af)), f0(af / (1 - af));
  for (size_t i = 0; i < a1.size(); ++i) {
    increments[i] = multiply_add(h2b, a1[i], multiply_add(h2a, a0[i], h * s.velocities[i]));
    end.velocities[i] = multiply_add(hb, a1[i], multiply_add(ha, a0[i], s.velocities[i]));
    end.accelerations[i] = m1 * a1[i] + m0 * a0[i] - f0 * s.accelerations[i];
  }
  assembly_.carriers().move(s.positions.data(), increments.data(), end.positions.data());
}

template <class T>
void GeneralizedAlphaStep<T>::evaluate() {
  assembly_.kinematics(time, Side::left, end.positions.data(), end.velocities.data(), end.turns.data());
  assembly_.constrain();
  assembly_.forces();
}

template <class T>
void GeneralizedAlphaStep<T>::find_residual() {
  const T bh2 = recorded<T> ? h * h * T(beta) : T(beta) * h * h, scale = T(-1) / bh2;
  assembly_.residual(end.accelerations.data(), end.lambda.data(), z.data());
  for (T& x : z) x = -x;
  for (int r = 0; r < assembly_.rows(); ++r)
    rows[r] = scale * assembly_.evaluation().residual[r] + assembly_.regularization()[r] * end.lambda[r];
}

template <class T>
MaskOf<T> GeneralizedAlphaStep<T>::renew(const MaskOf<T>& which) {
  tangent(end, increments.data());
  if (!newton_ && !solver_.prepared()) prepare();
  const MaskOf<T> bad = newton_ ? renew_kept(which) : solver_.renew(assembly_, which);
  for (size_t n = 0; n < made_.size(); ++n) {
    const Mat3<T> now = axes_.made_at(end.positions.data(), int(n));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) made_[n][i][j] = select(which, now[i][j], made_[n][i][j]);
  }
  return bad;
}

template <class T>
MaskOf<T> GeneralizedAlphaStep<T>::renew_kept(const MaskOf<T>& which) {
  prescribed_->keep(assembly_.values().data(), which);
  newton_->select(assembly_.values().data(), values_.data());
  LuFactors<T> fresh(*newton_->lu);
  const MaskOf<T> bad = newton_->is_symmetric ? factor_symmetric_against(*newton_->lu, singular, values_.data(), fresh)
                                              : factor_against(*newton_->lu, singular, values_.data(), fresh);
  for (size_t k = 0; k < fresh.entry.size(); ++k) factors_.entry[k] = select(which, fresh.entry[k], factors_.entry[k]);
  return bad;
}

template <class T>
void GeneralizedAlphaStep<T>::solve() {
  assembly_.gather(z.data(), rows.data(), right_.data());
  if (prescribed_) prescribed_->before(assembly_, right_.data());
  for (size_t n = 0; n < made_.size(); ++n) spins_[n] = axes_.turn_since(made_[n], end.positions.data(), int(n));
  if (!spins_.empty()) axes_.into(spins_.data(), right_.data());
  if (newton_ && newton_->is_symmetric)
    solve_symmetric(*newton_->lu, factors_, right_.data());
  else if (newton_)
    aleator::core::solve(*newton_->lu, factors_, right_.data());
  else
    solver_.solve(right_.data());
  if (!spins_.empty()) axes_.out_of(spins_.data(), right_.data());
  if (prescribed_) prescribed_->after(assembly_, right_.data());
  assembly_.scatter(right_.data(), z.data(), rows.data());
}

// From turns in inertial axes to changes of a₁.
template <class T>
void GeneralizedAlphaStep<T>::turn_correction() {
  for (int b = 0; b < assembly_.carriers().rigid; ++b) {
    const T* d = &increments[6 * b];
    const Vec3<T> turn = inverse_tangent_times(Vec3<T>{d[3], d[4], d[5]}, Vec3<T>{z[6 * b + 3], z[6 * b + 4], z[6 * b + 5]});
    for (int i = 0; i < 3; ++i) z[6 * b + 3 + i] = turn[i];
  }
}

template <class T>
void GeneralizedAlphaStep<T>::apply(const MaskOf<T>& frozen) {
  turn_correction();
  for (size_t i = 0; i < a1.size(); ++i) a1[i] = select(frozen, a1[i], a1[i] + z[i]);
  for (int r = 0; r < assembly_.rows(); ++r) end.lambda[r] = select(frozen, end.lambda[r], end.lambda[r] + rows[r]);
}

template <class T>
void GeneralizedAlphaStep<T>::find_end(const Ahead& ahead) {
  const T h2b = h * h * T(beta), hb = h * T(gamma), m1((1 - am) / (1 - af));
  for (size_t i = 0; i < a1.size(); ++i) {
    increments[i] = turns(i) ? multiply_add(h2b, change[i], ahead.turn[i]) : h2b * change[i];
    end.velocities[i] = multiply_add(hb, change[i], ahead.end.velocities[i]);
    end.accelerations[i] = multiply_add(m1, change[i], ahead.end.accelerations[i]);
    a1[i] = ahead.a1[i] + change[i];
  }
  assembly_.carriers().move(ahead.end.positions.data(), increments.data(), end.positions.data());
}

template <class T>
void GeneralizedAlphaStep<T>::apply_change(const MaskOf<T>& frozen) {
  turn_correction();
  for (size_t i = 0; i < a1.size(); ++i) change[i] = select(frozen, change[i], change[i] + z[i]);
  for (int r = 0; r < assembly_.rows(); ++r) end.lambda[r] = select(frozen, end.lambda[r], end.lambda[r] + rows[r]);
}

// From v₁ = v* + hγ z on, z being the change:
//   v*' = v₁ + h (1−γ) a₁ + hγ a₁' = v* + h a₁ + hγ (z + D),    q*' = q₁ + h v₁ + h² (½−β) a₁ + h²β a₁' = q* + h v* + ½h² a₁ + h²γ z + h²β (z + D)
template <class T>
void GeneralizedAlphaStep<T>::predict(Ahead& ahead) const {
  const T h2b = h * h * T(beta), h2g = h * h * T(gamma), half = T(0.5) * (h * h), hb = h * T(gamma);
  const T k1(1 / (1 - am)), k2((1 - af) / (1 - am));
  for (size_t i = 0; i < a1.size(); ++i) {
    const T vd = end.accelerations[i], more = vd - ahead.before[i], D = multiply_add(k1, vd - a1[i], k2 * more);
    const bool is_turn = turns(i);
    T& moved = is_turn ? ahead.turn[i] : ahead.end.positions[7 * (i / 6) + i % 6];
    moved = is_turn ? h * ahead.end.velocities[i] : multiply_add(h, ahead.end.velocities[i], moved);
    moved = multiply_add(h2b, is_turn ? D : change[i] + D, multiply_add(h2g, change[i], multiply_add(half, a1[i], moved)));
    ahead.end.velocities[i] = multiply_add(hb, change[i] + D, multiply_add(h, a1[i], ahead.end.velocities[i]));
    ahead.end.accelerations[i] = vd + more;
    ahead.a1[i] = a1[i] + D;
    ahead.before[i] = vd;
  }
  for (int b = 0; b < assembly_.carriers().rigid; ++b)
    std::copy_n(&end.positions[size_t(7 * b + 3)], 4, &ahead.end.positions[size_t(7 * b + 3)]);
}

template <class T>
void GeneralizedAlphaStep<T>::count_turns() {
  if (end.turns.empty()) return;
  assembly_.kinematics(time, Side::left, end.positions.data(), end.velocities.data(), end.turns.data());
  assembly_.update_turns(end.turns.data());
}

template <class T>
T GeneralizedAlphaStep<T>::turn() const {
  const T turned = max(largest_turn(assembly_, increments.data()), h * h * largest_turn(assembly_, end.velocities.data()));
  return end.turns.empty() ? turned : max(turned, h * h * fastest_rotation(assembly_));
}

template <class T>
void GeneralizedAlphaStep<T>::find_work(const State<T>& s) {
  const double scale = 1 / (1 - am);
  end.power = assembly_.power(end.lambda.data());
  w1 = {};
  w1.add(T(scale * (1 - af)), end.power), w1.add(T(scale * af), s.power), w1.add(T(-scale * am), w0);
  end.work = s.work;
  end.work.add(h * T(1 - gamma), w0), end.work.add(h * T(gamma), w1);
  // A power that changes its sign rings, unless it is small: then work is known up to h times it, and the watch is told so.
  const T rings = T(0.5 / EnergyWatch<T>::of_work) * h * (end.power.exchanged + s.power.exchanged);
  end.work.exchanged += select(end.power.supplied * s.power.supplied < T(0), rings, T(0));
}

template <class T>
MaskOf<T> GeneralizedAlphaStep<T>::violates(const T& relative) const {
  return violation_.is_too_large(h * h * T(beta) * relative,
                                 [&](int r) { return assembly_.weights()[size_t(r)] * end.lambda[size_t(r)]; });
}

template <class T>
std::string GeneralizedAlphaStep<T>::violation() const {
  std::vector<double> open(end.lambda.size());
  if constexpr (!recorded<T>)
    for (size_t r = 0; r < open.size(); ++r) open[r] = beta * h * h * assembly_.regularization()[r] * end.lambda[r];
  return violation_.message(open, time);
}

template <class T>
void GeneralizedAlphaStep<T>::extrapolate(const State<T>& s, AlignedVector<T>& next_a1, AlignedVector<T>& next_lambda) const {
  const double unit = 1 / (1 - am);
  for (size_t i = 0; i < a1.size(); ++i) {
    const T vd = end.accelerations[i], ahead = vd + (vd - s.accelerations[i]);
    if constexpr (recorded<T>)  // the same with fewer operations
      next_a1[i] = T((2 - af) * unit) * vd - (T((1 - af) * unit) * s.accelerations[i] + T(am * unit) * a1[i]);
    else
      next_a1[i] = T(unit) * (T(1 - af) * ahead + T(af) * vd - T(am) * a1[i]);
  }
  next_lambda = end.lambda;
  for (size_t r = 0; r < next_lambda.size(); ++r) next_lambda[r] += next_lambda[r] - s.lambda[r];
}

template class GeneralizedAlphaStep<double>;
template class GeneralizedAlphaStep<Traced>;

}  // namespace aleator::core
