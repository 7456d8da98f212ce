// Generalized-α in lanes: the method of generalized_alpha.hpp, made for speed.
//
// Accelerations and multipliers are predicted by linear extrapolation, factors are kept over steps, and a correction Δ is accepted when
// what it leaves, about θ/(1 − θ) ‖Δ‖, is below the tolerance; θ is the contraction of the iteration, measured now and then by a second
// correction — at a period that shares no factor with that of the factors, or it would always be seen with the same age of them.
// A lane whose iteration contracts slowly gets new factors; its neighbours keep theirs.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/generalized_alpha.hpp"
#include "dynamics/lane_engine.hpp"
#include "dynamics/node_axes.hpp"

namespace aleator::core {

namespace {

constexpr int max_iterations = 15;
constexpr int refactor_iterations = 3;  // new factors after so many corrections in one step
constexpr int refactor_steps = 50;
constexpr int measure_steps = 7;
// The estimate is trusted for tolerances from here on; below, a correction itself must be within the tolerance.
constexpr double loose = 1e-6;
constexpr double singular = 1e-14;      // pivots against those of the index-1 form; stiffness makes those of multipliers small
constexpr double slow = 0.2;            // a contraction that asks for new factors at the next step
constexpr double stalled_factor = 1e4;  // see generalized_alpha.cpp

class LaneGeneralizedAlpha final : public LaneMethod {
 public:
  LaneGeneralizedAlpha(LaneCompiler& c, const LaneStart& start, double rho, double tolerance)
      : c_(c), start_(start), tolerance_(tolerance), axes_(c.model()) {
    am_ = (2 * rho - 1) / (rho + 1);
    af_ = rho / (rho + 1);
    gamma_ = 0.5 + af_ - am_;
    beta_ = 0.25 * (0.5 + gamma_) * (0.5 + gamma_);
    for (const auto& m : c.model().nominal.markers)
      length_ = std::max({length_, std::abs(m.offset.x), std::abs(m.offset.y), std::abs(m.offset.z)});
    const auto& q = c.model().nominal.positions;
    for (int i = 0; i < 3; ++i) {
      double low = std::numeric_limits<double>::infinity(), high = -low;
      for (size_t k = 0; k < c.model().topology.carriers.size(); ++k)
        if (c.model().topology.carriers[k].is_place) low = std::min(low, q[7 * k + i]), high = std::max(high, q[7 * k + i]);
      extent_ = std::max(extent_, high - low);
    }
    a0_ = c.field(6 * c.carriers()), a1_ = c.field(6 * c.carriers()), jerk_ = c.field(6 * c.carriers());
    lambda1_ = c.field(c.rows());
    for (int* s : {&relative_, &frozen_, &wants_, &size_, &contraction_, &measure_, &force_unit_, &moment_unit_})
      *s = c.field(1)[0];
    trace_begin();
    made_.resize(axes_.nodes());
    c.record([&] { kept_.resize(*c.pivots()); });
    Kept kept(c);
    kept.add(kept_.entry.data(), kept_.entry.size());
    kept.add(reinterpret_cast<Traced*>(made_.data()), 9 * made_.size());
    kept.programs({[&](Stores& out) { trace_refactor(out); }, [&](Stores& out) { trace_iterate(out, true); },
                   [&](Stores& out) { trace_iterate(out, false); }},
                  {&refactor_, &first_iteration_, &iterate_});
    trace_advance();
  }

  void begin(LaneRun& run) const override;
  void step(LaneRun& run, double t0, double t1) const override;
  void observe(LaneRun& run) const override {
    if (!run.observed) run.run(observe_);
    run.observed = true;
  }

 private:
  Traced h() const { return c_.read(c_.step); }
  AlignedVector<Traced> velocities_from(const Field& f) const {
    AlignedVector<Traced> x(f.count);
    for (int i = 0; i < f.count; ++i) x[i] = c_.model().structure.dof[i] >= 0 ? c_.read(f[i]) : Traced(0);
    return x;
  }
  AlignedVector<Traced> all_from(const Field& f) const {
    AlignedVector<Traced> x;
    c_.read(f, x);
    return x;
  }
  void regularize() const { c_.assembly().regularize(c_.read(relative_)); }
  struct Forces {
    Traced force, moment;
  };
  Forces forces_of_inertia(const AlignedVector<Traced>& accelerations) const;
  void add_reactions(const AlignedVector<Traced>& lambda, Forces& f) const;
  void store_units(Stores& out, const AlignedVector<Traced>& a1) const;
  void trace_begin();
  void trace_refactor(Stores& out);
  void trace_iterate(Stores& out, bool is_first);
  void trace_advance();

  // The end of the step as a₁ has it.
  struct End {
    State<Traced> state;
    AlignedVector<Traced> increments;
  };
  End end_of(const State<Traced>& s, const AlignedVector<Traced>& a0, const AlignedVector<Traced>& a1) const;
  void evaluate(const State<Traced>& s) const {
    Assembly<Traced>& a = c_.assembly();
    a.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
    a.constrain();
    a.forces();
  }
  void tangent(const State<Traced>& s, const Traced* increments) const {
    const Traced step = h();
    c_.assembly().tangent(Traced(increments ? (1 - am_) / (1 - af_) : 1.0), step * Traced(gamma_), step * step * Traced(beta_),
                          s.accelerations.data(), s.lambda.data(), increments);
  }

  LaneCompiler& c_;
  const LaneStart& start_;
  double tolerance_, am_ = 0, af_ = 0, gamma_ = 0, beta_ = 0, length_ = 1;
  double extent_ = 0;  // of the model as drawn
  Field a0_, a1_, jerk_, lambda1_;
  int relative_ = 0;                      // slot: regularisation of the constraints
  int frozen_ = 0;                        // slot: lanes that have converged or failed
  int wants_ = 0;                         // slot: lanes that get new factors
  int size_ = 0;                          // slot: of the last correction, in units of the tolerance
  int contraction_ = 0;                   // slot: θ
  int measure_ = 0;                       // slot: a second one is wanted, to measure θ
  int force_unit_ = 0, moment_unit_ = 0;  // slots: reciprocals of what corrections are measured in
  NodeAxes<Traced> axes_;
  LuFactors<Traced> kept_;          // factors, kept over steps …
  std::vector<Mat3<Traced>> made_;  // … and the axes of nodes when they were made
  int accelerate_ = 0, find_jerk_ = 0, soften_ = 0, shift_ = 0, observe_ = 0, refactor_ = 0, first_iteration_ = 0, iterate_ = 0,
      advance_ = 0;
  bool flexible_ = false;
};

void LaneGeneralizedAlpha::trace_begin() {
  Assembly<Traced>& a = c_.assembly();
  Index1<Traced>& index1 = c_.index1();
  flexible_ = a.carriers().count > a.carriers().rigid;
  accelerate_ = c_.program([&](Stores& out) {
    State<Traced> s = c_.state(c_.node);
    const TracedMask bad = index1.evaluate(s, Side::right);
    index1.accelerations(s);
    c_.store_velocities(out, c_.accelerations, s.accelerations);
    out.add(c_.lambda, s.lambda);
    c_.store_failure(out, bad);
  });
  observe_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    evaluate(s);
    AlignedVector<Traced> seen(c_.channels());
    a.observe(s.accelerations.data(), s.lambda.data(), seen.data());
    out.add(c_.outputs, seen);
  });
  // v̈ from a tiny step
  find_jerk_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    State<Traced> next = s;
    const Traced small = Traced(1e-4) * h(), half = Traced(0.5) * small * small;
    AlignedVector<Traced> increments(s.velocities.size()), jerk(s.velocities.size());
    for (size_t i = 0; i < increments.size(); ++i) {
      increments[i] = small * s.velocities[i] + half * s.accelerations[i];
      next.velocities[i] = s.velocities[i] + small * s.accelerations[i];
    }
    a.carriers().move(s.positions.data(), increments.data(), next.positions.data());
    const TracedMask bad = index1.evaluate(next, Side::right);
    index1.accelerations(next);
    const Traced rate = Traced(1) / small;
    for (size_t i = 0; i < jerk.size(); ++i) jerk[i] = rate * (next.accelerations[i] - s.accelerations[i]);
    c_.store_velocities(out, jerk_, jerk);
    c_.store_failure(out, bad);
  });
  // (M + γh C + βh² K)⁻¹ M v̈ on the constraints
  soften_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    AlignedVector<Traced> z = velocities_from(jerk_), rows(c_.rows());
    evaluate(s);
    for (int b = 0; b < a.carriers().rigid; ++b) {
      const Vec3<Traced> turning = a.frames()[b].R * Vec3<Traced>{z[6 * b + 3], z[6 * b + 4], z[6 * b + 5]};
      for (int i = 0; i < 3; ++i) z[6 * b + 3 + i] = turning[i];
    }
    const SparsePattern& p = c_.model().structure.pattern;
    AlignedVector<Traced> given(p.n), right(p.n);
    a.gather(z.data(), rows.data(), given.data());
    a.regularize(Traced(1e-11));
    a.mass_matrix();
    for (int column = 0; column < p.n; ++column)
      for (int k = p.column_start[column]; k < p.column_start[column + 1]; ++k) right[p.row[k]] += a.values()[k] * given[column];
    tangent(s, nullptr);
    LuFactors<Traced> factors(*c_.pivots());
    const TracedMask bad = factor_against(*c_.pivots(), singular, a.values().data(), factors);
    solve(*c_.pivots(), factors, right.data());
    a.scatter(right.data(), z.data(), rows.data());
    c_.store_velocities(out, jerk_, z);
    c_.store_failure(out, bad);
  });
  // a₀ = v̇ + (αm − αf) h v̈, and the shift of the velocities across the constraints
  shift_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    const AlignedVector<Traced> jerk = velocities_from(jerk_);
    const Traced step = h(), factor = step * step * Traced(1.0 / 6 - beta_ + 0.5 * (gamma_ - 0.5)),
                 group = step * step * Traced(1.0 / 12);
    AlignedVector<Traced> a0(jerk.size());
    State<Traced> shifted = s;
    for (size_t i = 0; i < a0.size(); ++i) {
      a0[i] = s.accelerations[i] + Traced(am_ - af_) * step * jerk[i];
      shifted.velocities[i] += factor * jerk[i];
    }
    for (int b = 0; b < a.carriers().rigid; ++b) {
      const Traced *v = &s.velocities[6 * b], *acceleration = &s.accelerations[6 * b];
      const Vec3<Traced> turning =
          group * cross(Vec3<Traced>{v[3], v[4], v[5]}, Vec3<Traced>{acceleration[3], acceleration[4], acceleration[5]});
      for (int i = 0; i < 3; ++i) shifted.velocities[6 * b + 3 + i] += turning[i];
    }
    State<Traced> projected = shifted;
    const TracedMask bad = index1.evaluate(projected, Side::right);
    index1.project_velocities(projected);
    AlignedVector<Traced> v(a0.size());
    for (size_t i = 0; i < v.size(); ++i) v[i] = s.velocities[i] + (shifted.velocities[i] - projected.velocities[i]);
    c_.store_velocities(out, c_.node.velocities, v);
    c_.store_velocities(out, a0_, a0);
    AlignedVector<Traced> guess(a0.size());  // v̇ and λ stay what they are
    for (size_t i = 0; i < guess.size(); ++i) guess[i] = Traced(1 / (1 - am_)) * (s.accelerations[i] - Traced(am_) * a0[i]);
    c_.store_velocities(out, a1_, guess);
    out.add(lambda1_, s.lambda);
    store_units(out, guess);
    c_.store_failure(out, bad);
  });
}

LaneGeneralizedAlpha::End LaneGeneralizedAlpha::end_of(const State<Traced>& s, const AlignedVector<Traced>& a0,
                                                       const AlignedVector<Traced>& a1) const {
  const Traced step = h(), h2a = step * step * Traced(0.5 - beta_), h2b = step * step * Traced(beta_),
               ha = step * Traced(1 - gamma_), hb = step * Traced(gamma_);
  const Traced m1((1 - am_) / (1 - af_)), m0(am_ / (1 - af_)), f0(af_ / (1 - af_));
  End e{s, AlignedVector<Traced>(a1.size())};
  for (size_t i = 0; i < a1.size(); ++i) {
    e.increments[i] = multiply_add(h2b, a1[i], multiply_add(h2a, a0[i], step * s.velocities[i]));
    e.state.velocities[i] = multiply_add(hb, a1[i], multiply_add(ha, a0[i], s.velocities[i]));
    e.state.accelerations[i] = m1 * a1[i] + m0 * a0[i] - f0 * s.accelerations[i];
  }
  c_.assembly().carriers().move(s.positions.data(), e.increments.data(), e.state.positions.data());
  return e;
}

// The largest force and moment that belong to accelerations.
LaneGeneralizedAlpha::Forces LaneGeneralizedAlpha::forces_of_inertia(const AlignedVector<Traced>& x) const {
  Forces f;
  for (int c = 0; c < c_.carriers(); ++c)
    for (int half = 0; half < 2; ++half) {
      Traced largest(0);
      for (int i = 6 * c + 3 * half; i < 6 * c + 3 * half + 3; ++i) largest = max(largest, abs(x[i]));
      Traced& sum = half == 0 && c_.model().topology.carriers[c].is_place ? f.force : f.moment;
      sum = max(sum, c_.assembly().inertia(c, half) * largest);
    }
  return f;
}

// … and to multipliers.
void LaneGeneralizedAlpha::add_reactions(const AlignedVector<Traced>& lambda, Forces& f) const {
  AlignedVector<Traced> forces(size_t(6) * c_.carriers());
  c_.assembly().add_reactions(lambda.data(), forces.data());
  for (int c = 0; c < c_.carriers(); ++c)
    for (int i = 0; i < 6; ++i) {
      if (c_.model().structure.dof[6 * c + i] < 0) continue;
      Traced& largest = i < 3 && c_.model().topology.carriers[c].is_place ? f.force : f.moment;
      largest = max(largest, abs(forces[6 * c + i]));
    }
}

// Corrections are measured as forces, against the largest force of inertia; a moment is such a force on an arm of the model's size. Below is
// round-off of positions. What is stored are reciprocals of the units.
void LaneGeneralizedAlpha::store_units(Stores& out, const AlignedVector<Traced>& a1) const {
  const Assembly<Traced>& a = c_.assembly();
  const Traced step = h(), tolerance(tolerance_);
  const Traced round_off = Traced(16 * std::numeric_limits<double>::epsilon() / beta_) / (step * step);
  Traced heaviest(0), roundest(0);
  for (int c = 0; c < c_.carriers(); ++c)
    for (int half = 0; half < 2; ++half) {
      Traced& largest = half == 0 && c_.model().topology.carriers[c].is_place ? heaviest : roundest;
      largest = max(largest, a.inertia(c, half));
    }
  const Forces f = forces_of_inertia(a1);
  out.add(force_unit_, Traced(1) / (tolerance * f.force + round_off * Traced(length_) * heaviest));
  out.add(moment_unit_,
          Traced(1) / (tolerance * max(f.moment, Traced(extent_) * f.force) + max(round_off * roundest, Traced(1e-300))));
}

void LaneGeneralizedAlpha::trace_refactor(Stores& out) {
  End e = end_of(c_.state(c_.node), velocities_from(a0_), velocities_from(a1_));
  e.state.lambda = all_from(lambda1_);
  evaluate(e.state);
  regularize();
  tangent(e.state, e.increments.data());
  LuFactors<Traced> fresh(*c_.pivots());
  const TracedMask bad = factor_against(*c_.pivots(), singular, c_.assembly().values().data(), fresh);
  const TracedMask wanted = c_.read(wants_) != Traced(0);
  for (size_t k = 0; k < fresh.entry.size(); ++k) kept_.entry[k] = select(wanted, fresh.entry[k], kept_.entry[k]);
  for (int n = 0; n < axes_.nodes(); ++n) {
    const Mat3<Traced> now = axes_.at(e.state.positions.data(), n);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) made_[n][i][j] = select(wanted, now[i][j], made_[n][i][j]);
  }
  c_.store_failure(out, bad & wanted);
}

void LaneGeneralizedAlpha::trace_iterate(Stores& out, bool is_first) {
  Assembly<Traced>& a = c_.assembly();
  const AlignedVector<Traced> a0 = velocities_from(a0_);
  AlignedVector<Traced> a1 = velocities_from(a1_);
  End e = end_of(c_.state(c_.node), a0, a1);
  e.state.lambda = all_from(lambda1_);
  evaluate(e.state);
  regularize();
  const Traced step = h(), bh2 = step * step * Traced(beta_), scale = Traced(-1) / bh2;
  AlignedVector<Traced> z(a1.size()), rows(c_.rows()), right(c_.pivots()->n);
  a.residual(e.state.accelerations.data(), e.state.lambda.data(), z.data());
  for (Traced& x : z) x = -x;
  for (int r = 0; r < c_.rows(); ++r) rows[r] = scale * a.evaluation().residual[r] + a.regularization()[r] * e.state.lambda[r];
  a.gather(z.data(), rows.data(), right.data());
  std::vector<Mat3<Traced>> spins;
  for (int n = 0; n < axes_.nodes(); ++n) spins.push_back(axes_.turn(n, made_[n], axes_.at(e.state.positions.data(), n)));
  axes_.into(spins.data(), right.data());
  solve(*c_.pivots(), kept_, right.data());
  axes_.out_of(spins.data(), right.data());
  a.scatter(right.data(), z.data(), rows.data());

  Forces change = forces_of_inertia(z);
  add_reactions(rows, change);
  const Traced size = max(change.force * c_.read(force_unit_), change.moment * c_.read(moment_unit_));
  const TracedMask first(is_first), frozen = is_first ? TracedMask{} : c_.read(frozen_) != Traced(0);
  const Traced before = c_.read(size_), theta_before = c_.read(contraction_);
  const Traced measured = size / max(before, Traced(1e-300));
  const Traced theta = select(first | frozen, theta_before, max(min(measured, Traced(0.9)), Traced(0.3) * theta_before));
  const TracedMask measure = first & (c_.read(measure_) != Traced(0));
  // θ/(1 − θ) Δ with a factor of four in hand: θ differs from step to step
  const TracedMask small = (Traced(4) * theta * size <= Traced(1) - theta) & (!measure) & TracedMask(tolerance_ >= loose);
  const TracedMask stalled = (size <= Traced(stalled_factor)) & (size > Traced(0.5) * before) & !first;
  const TracedMask converged = (size <= Traced(1)) | small | stalled;

  for (int b = 0; b < a.carriers().rigid; ++b) {
    const Traced* d = &e.increments[6 * b];
    const Vec3<Traced> turn =
        inverse_tangent_times(Vec3<Traced>{d[3], d[4], d[5]}, Vec3<Traced>{z[6 * b + 3], z[6 * b + 4], z[6 * b + 5]});
    for (int i = 0; i < 3; ++i) z[6 * b + 3 + i] = turn[i];
  }
  for (size_t i = 0; i < a1.size(); ++i) a1[i] = select(frozen, a1[i], a1[i] + z[i]);
  AlignedVector<Traced> lambda = e.state.lambda;
  for (int r = 0; r < c_.rows(); ++r) lambda[r] = select(frozen, lambda[r], lambda[r] + rows[r]);
  c_.store_velocities(out, a1_, a1);
  out.add(lambda1_, lambda);
  const TracedMask bad = a.status().failed & !frozen;
  out.add(size_, select(frozen, before, size));
  out.add(contraction_, theta);
  out.add(frozen_, select(frozen | converged | bad, Traced(1), Traced(0)));
  c_.store_failure(out, bad);
}

// The end of the step becomes the node; v̇ and λ of the next one are extrapolated.
void LaneGeneralizedAlpha::trace_advance() {
  advance_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    const AlignedVector<Traced> a1 = velocities_from(a1_);
    End e = end_of(s, velocities_from(a0_), a1);
    e.state.lambda = all_from(lambda1_);
    if (c_.turns.count > 0) {
      c_.assembly().kinematics(e.state.positions.data(), e.state.velocities.data(), e.state.turns.data());
      c_.assembly().update_turns(e.state.turns.data());
      out.add(c_.turns, e.state.turns);
    }
    c_.store_state(out, c_.node, e.state);
    c_.store_velocities(out, c_.accelerations, e.state.accelerations);
    out.add(c_.lambda, e.state.lambda);
    c_.store_velocities(out, a0_, a1);
    store_units(out, a1);
    AlignedVector<Traced> guess(a1.size());
    for (size_t i = 0; i < guess.size(); ++i) {
      const Traced vd = e.state.accelerations[i], ahead = vd + (vd - s.accelerations[i]);
      guess[i] = Traced(1 / (1 - am_)) * (Traced(1 - af_) * ahead + Traced(af_) * vd - Traced(am_) * a1[i]);
    }
    c_.store_velocities(out, a1_, guess);
    AlignedVector<Traced> lambda = e.state.lambda;
    for (int r = 0; r < c_.rows(); ++r) lambda[r] += lambda[r] - s.lambda[r];
    out.add(lambda1_, lambda);
    Traced sum(0);
    for (size_t i = 0; i < a1.size(); ++i) sum += e.state.velocities[i] + a1[i];
    const TracedMask frozen = c_.read(frozen_) != Traced(0);
    c_.store_failure(out, (!frozen) | !(abs(sum) < Traced(1e300)));
  });
}

void LaneGeneralizedAlpha::begin(LaneRun& run) const {
  run.run(start_.project);
  run.run(accelerate_);
  run.observed = false;
  observe(run);
  const double step = run.value(c_.step, 0);
  run.signals(c_.signals, run.time + 1e-4 * step, Side::right);
  run.run(find_jerk_);
  run.signals(c_.signals, run.time, Side::right);
  if (flexible_) run.run(soften_);
  run.run(shift_);
  run.set(relative_, std::clamp(0.5 * std::numeric_limits<double>::epsilon() * length_ / (beta_ * step * step), 1e-11, 1e-6));
  run.set(contraction_, 0.5);
  run.count = 0;
}

void LaneGeneralizedAlpha::step(LaneRun& run, double, double t1) const {
  run.signals(c_.signals, t1, Side::left);
  const auto refactor_where = [&](auto&& condition) {
    bool some = false;
    for (int lane = 0; lane < run.width(); ++lane) {
      const bool wanted = condition(lane);
      run.slot(wants_)[lane] = wanted ? 1 : 0;
      some = some || wanted;
    }
    if (some) run.run(refactor_), ++run.profile.factorisations;
  };
  const bool due = run.count % refactor_steps == 0;
  refactor_where([&](int lane) { return due || (run.value(contraction_, lane) > slow && run.count % 2 == 1); });
  run.set(measure_, run.count % measure_steps == 1 ? 1 : 0);
  for (int k = 0; k < max_iterations; ++k) {
    if (k > 0 && k % refactor_iterations == 0) refactor_where([&](int lane) { return run.value(frozen_, lane) == 0; });
    run.run(k == 0 ? first_iteration_ : iterate_);
    ++run.profile.iterations;
    bool all = true;
    for (int lane = 0; lane < run.width(); ++lane) all = all && run.value(frozen_, lane) != 0;
    if (all) break;
  }
  run.run(advance_);
  ++run.count;
  run.observed = false;
}

}  // namespace

std::unique_ptr<LaneMethod> lane_generalized_alpha(LaneCompiler& c, const LaneStart& start, const Settings& s) {
  return std::make_unique<LaneGeneralizedAlpha>(c, start, s.rho, tolerance_of(s));
}

}  // namespace aleator::core
