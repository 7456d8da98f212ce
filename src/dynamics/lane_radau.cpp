// Radau IIA in lanes: the arithmetic is RadauStep's, recorded; when to iterate and when to renew matrices is decided as in radau.cpp,
// lane by lane. Lanes that do not converge with fresh matrices are left to the single realization, which can do more.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/lane_engine.hpp"
#include "dynamics/radau.hpp"
#include "dynamics/turn_limit.hpp"
#include "numerics/sparse_ldl.hpp"

namespace aleator::core {

namespace {

constexpr int renew_every = 20;  // steps: matrices are no older
// With tolerances from `loose` on, contraction is measured by a second correction after so many steps at least, and first ones are judged by it: their
// size is a bound, above what they are. Below, a first one is judged by the root of what was measured.
constexpr double loose = 1e-6;
constexpr int measure_every = 30;
// From here on, what joints hold is solved for apart: multipliers, which nobody measures, converge more slowly then than accelerations, since those of all
// stages have the gradients of the middle one.
constexpr double bordered = 1e-4;
constexpr double forgotten = 0.3;  // what was measured before counts so much
constexpr double slow = 0.25;      // contraction from which on they are renewed before the next step
constexpr int limit = 10;          // iterations with matrices that were kept …
constexpr int patient_limit = 20;  // … and with new ones every
constexpr int patient_renewal = 4;
constexpr double stalled = 1e-5;  // see radau.cpp

class LaneRadau final : public LaneMethod {
 public:
  LaneRadau(LaneCompiler& c, const LaneStart& start, double tolerance, double step_tolerance)
      : start_(start),
        violation_(c.model()),
        stalled_(std::min(1e4, stalled / tolerance)),
        is_loose_(tolerance >= loose),
        signals_(c.signals),
        failed_(c.failed) {
    if (step_tolerance > 0) prepare_errors(c);
    for (Slots& f : stage_signals_) f = c.field(c.signals.count);
    for (int* s : {&frozen_, &which_, &size_, &bad_, &contraction_, &trusted_, &since_, &age_, &stale_}) *s = c.field(1)[0];
    c.record([&] {
      step_ = std::make_unique<RadauStep<Traced>>(c.assembly(), tolerance);
      const bool symmetric =
          !c.asymmetric.empty() && std::find(c.asymmetric.begin(), c.asymmetric.end(), 1) == c.asymmetric.end();
      step_->use(c.pivots(), symmetric && has_symmetric_pivots(*c.pivots()));
      if (symmetric && tolerance >= bordered && !c.random_values.empty())
        if (auto border = NewtonBorder::find(c.model(), c.nominal_values, c.random_values)) step_->use(std::move(border));
      if (error_ >= 0) step_->estimate();
    });
    trace(c, step_tolerance);
    trace_decisions(c);
  }

  bool can_be_traced() const override { return true; }
  int active() const override { return active_; }
  std::vector<int> of_resized() const override { return {stale_, constant_}; }
  void begin(LaneRun& run) const override;
  void step(LaneRun& run, double t0, double t1) const override;
  void observe(LaneRun& run) const override {
    if (!run.observed) run.run(observe_);
    run.observed = true;
  }
  int error() const override { return error_; }
  int turn() const override { return turn_; }
  std::vector<Slots> kept() const override { return kept_; }
  void resized(LaneRun& run, int lane) const override;
  void pass_signals(LaneRun& run, double t0, double t1) const override;

 private:
  void trace(LaneCompiler& c, double step_tolerance);
  void prepare_errors(LaneCompiler& c);
  void store_error(LaneCompiler& c, const StepError<Traced>& measure, Stores& out) const;
  template <class Wanted>
  void renew(LaneRun& run, Wanted&& wanted) const;
  void attempt(LaneRun& run, int every, int most) const;
  void trace_decisions(LaneCompiler& c);
  int judgement(LaneCompiler& c, int iteration, bool patient);
  void tell_iterations(LaneRun& run) const;
  void tell_attempt(LaneRun& run, bool patient) const;
  static bool is(const LaneRun& run, int slot, int lane) { return run.value(slot, lane) != 0; }

  const LaneStart& start_;
  Violation violation_;
  double stalled_;
  bool is_loose_;
  Slots signals_, stage_signals_[3];
  int failed_;
  int frozen_ = 0, which_ = 0, size_ = 0, bad_ = 0;  // slots of the programs
  int contraction_ = 0, trusted_ = 0, since_ = 0, age_ = 0,
      stale_ = 0;  // slots of the driver; steps since contraction was measured
  int open_ = 0, observe_ = 0, predict_ = 0, renew_ = 0, iterate_ = 0, finish_ = 0;  // programs
  std::unique_ptr<RadauStep<Traced>> step_;
  // Decisions as programs, for devices, and what these remember.
  int previous_ = 0, hopeless_ = 0, done_ = 0, open_lanes_ = 0;  // slots
  int freeze_failed_ = 0, due_ = 0, want_open_ = 0, renewed_ = 0, prepare_ = 0, settle_ = 0, give_up_ = 0, stepped_ = -1;
  int judge_[2][3] = {};  // [patient or not] the first iteration, the second, a later one
  // When steps are adapted:
  int error_ = -1, turn_ = -1, constant_ = -1;  // slots; the last: lanes whose step before was of another size
  int active_ = -1;                             // slot, for devices
  Slots positions_, first_, reach_,
      past_;  // positions of the node, and at the beginning; the largest so far; what steps are predicted from
  std::vector<Slots> kept_;
};

void LaneRadau::prepare_errors(LaneCompiler& c) {
  error_ = c.field(1)[0], turn_ = c.field(1)[0], constant_ = c.field(1)[0], active_ = c.field(1)[0];
  positions_ = c.node.positions;
  first_ = c.field(positions_.count), reach_ = c.field(2), past_ = c.field(4 * 6 * c.carriers());
  kept_ = {c.node.positions, c.node.velocities, c.turns, c.lambda, c.accelerations, c.outputs, reach_, past_, {c.failed, 1}};
}

void LaneRadau::store_error(LaneCompiler& c, const StepError<Traced>& measure, Stores& out) const {
  AlignedVector<Traced> first(step_->positions.size());
  for (size_t i = 0; i < first.size(); ++i) first[i] = c.moves(int(i)) ? c.read(first_[int(i)]) : step_->positions[i];
  const Largest<Traced> reach = measure.reach(step_->positions.data(), first.data(), {c.read(reach_[0]), c.read(reach_[1])});
  out.add(reach_[0], reach.places), out.add(reach_[1], reach.turns);
  out.add(error_, error_with_turn(measure.size(step_->error.data(), reach), step_->turn));
  out.add(turn_, step_->turn);
}

void LaneRadau::trace(LaneCompiler& c, double step_tolerance) {
  RadauStep<Traced>& r = *step_;
  Assembly<Traced>& a = c.assembly();
  Index1<Traced>& index1 = c.index1();
  Kept kept(c);
  c.record([&] {
    const State<Traced> s = c.state(c.node);
    for (size_t i = 0; i < s.positions.size(); ++i)
      c.moves(int(i)) ? kept.add(&r.positions[i], c.node.positions[int(i)]) : kept.add_known(&r.positions[i], s.positions[i]);
    for (size_t i = 0; i < s.velocities.size(); ++i) {
      const bool active = c.model().structure.dof[i] >= 0;
      active ? kept.add(&r.velocities[i], c.node.velocities[int(i)]) : kept.add_known(&r.velocities[i], Traced(0));
      active ? kept.add(&r.accelerations[i], c.accelerations[int(i)]) : kept.add_known(&r.accelerations[i], Traced(0));
    }
    for (size_t i = 0; i < s.turns.size(); ++i) kept.add(&r.turns[i], c.turns[int(i)]);
    r.work.each.resize(size_t(c.model().topology.integrals));
    std::vector<Traced*> work = {&r.work.supplied, &r.work.exchanged, &r.work.dissipated};
    for (Traced& x : r.work.each) work.push_back(&x);
    for (int i = 0; i < c.work.count; ++i) kept.add(work[size_t(i)], c.work[i]);
    for (size_t i = 0; i < s.lambda.size(); ++i) kept.add(&r.lambda[i], c.lambda[int(i)]);
  });
  r.each_kept([&](Traced* x, size_t n) { kept.add(x, n); });
  // What is locked has no past: a slot would make positions that never move depend on it.
  int next = past_.first;
  c.record([&] {
    r.each_past([&](Traced* x, size_t n) {
      if (error_ < 0) return kept.add(x, n);
      for (size_t i = 0; i < n; ++i, ++next)
        c.model().structure.dof[i] >= 0 ? kept.add(x + i, next) : kept.add_known(x + i, Traced(0));
    });
  });
  const StepError<Traced> measure(a, step_tolerance);

  const auto ready = [&] {
    r.h = c.read(c.step);
    a.regularize(Traced(1e-11));
    for (int i = 0; i < 3; ++i) {
      r.signals[i].resize(size_t(stage_signals_[i].count) / 3);
      for (size_t k = 0; k < r.signals[i].size(); ++k) {
        const int at = stage_signals_[i][3 * int(k)];
        r.signals[i][k] = {c.read(at), c.read(at + 1), c.read(at + 2)};
      }
    }
    r.find_stages();
  };
  const auto mask = [&](int slot) { return c.read(slot) != Traced(0); };
  const auto number = [](const TracedMask& m) { return select(m, Traced(1), Traced(0)); };
  const auto node_state = [&] {
    State<Traced> s;
    s.positions = r.positions, s.velocities = r.velocities, s.turns = r.turns, s.accelerations = r.accelerations;
    s.lambda = r.lambda;
    c.use_signals(c.signals);
    return s;
  };
  kept.programs({[&](Stores& out) {  // open
                   State<Traced> s = node_state();
                   const TracedMask bad = index1.evaluate(s, Side::right);
                   index1.accelerations(s);
                   r.accelerations = s.accelerations, r.lambda = s.lambda;
                   r.forget();
                   AlignedVector<Traced> seen(c.channels());
                   a.observe(s.accelerations.data(), s.lambda.data(), seen.data());
                   out.add(c.outputs, seen);
                   c.store_failure(out, bad);
                 },
                 [&](Stores& out) {  // observe
                   State<Traced> s = node_state();
                   const TracedMask bad = index1.evaluate(s, Side::left);
                   index1.accelerations(s);
                   AlignedVector<Traced> seen(c.channels());
                   a.observe(s.accelerations.data(), s.lambda.data(), seen.data());
                   out.add(c.outputs, seen);
                   c.store_failure(out, bad);
                 },
                 [&](Stores&) {  // predict
                   ready();
                   r.frozen = mask(frozen_);
                   r.predict(error_ < 0 ? TracedMask{} : mask(constant_));
                 },
                 [&](Stores& out) {  // renew
                   ready();
                   r.renew(mask(which_));
                   out.add(bad_, number(r.failed));
                 },
                 [&](Stores& out) {  // iterate
                   ready();
                   r.frozen = mask(frozen_);
                   r.iterate();
                   out.add(size_, r.size);
                   out.add(bad_, number(r.failed));
                 },
                 [&](Stores& out) {  // finish
                   ready();
                   r.finish();
                   Traced sum(0);
                   for (const Traced& x : r.positions) sum += x;
                   for (const Traced& x : r.velocities) sum += x;
                   TracedMask bad = violation_.is_too_large(r.open.data(), r.gap.data()) | !(abs(sum) < Traced(1e300));
                   if (error_ < 0) bad = bad | turns_too_far(r.turn);
                   c.store_failure(out, bad);
                   if (error_ >= 0) store_error(c, measure, out);
                 }},
                {&open_, &observe_, &predict_, &renew_, &iterate_, &finish_});
}

template <class Wanted>
void LaneRadau::renew(LaneRun& run, Wanted&& wanted) const {
  bool some = false;
  for (int lane = 0; lane < run.width(); ++lane) {
    const bool w = wanted(lane);
    run.slot(which_)[lane] = w;
    some = some || w;
  }
  if (!some) return;
  run.run(renew_);
  ++run.profile.factorisations;
  for (int lane = 0; lane < run.width(); ++lane)
    if (is(run, which_, lane) && is(run, bad_, lane)) run.slot(failed_)[lane] = 1;
}

// Newton's iteration in the lanes that are not frozen, which they are when it has converged. `every` > 0: new matrices so often.
void LaneRadau::attempt(LaneRun& run, int every, int most) const {
  constexpr int widest = 8;
  double previous[widest];
  bool hopeless[widest] = {};
  for (int lane = 0; lane < run.width(); ++lane) {
    previous[lane] = std::numeric_limits<double>::infinity();
    if (is(run, frozen_, lane)) continue;
    double& trusted = run.slot(trusted_)[lane];
    if (!is_loose_) trusted = std::min(0.9, std::sqrt(trusted));  // the first correction is judged by earlier steps
    run.slot(since_)[lane] += 1;
  }
  for (int k = 0; k < most; ++k) {
    if (every > 0 && k % every == 0) renew(run, [&](int lane) { return !is(run, frozen_, lane) && !hopeless[lane]; });
    run.run(iterate_);
    ++run.profile.iterations;
    bool done = true;
    for (int lane = 0; lane < run.width(); ++lane) {
      if (is(run, frozen_, lane) || hopeless[lane]) continue;
      const double size = run.value(size_, lane);
      if (!std::isfinite(size) || is(run, bad_, lane)) hopeless[lane] = true;
      double& trusted = run.slot(trusted_)[lane];
      if (k > 0) {
        const double measured = size / previous[lane];
        trusted = std::max({1e-4, measured, is_loose_ ? forgotten * trusted : 0});
        run.slot(contraction_)[lane] = measured;
        run.slot(since_)[lane] = 0;
        if (measured > 2 && size > stalled_ && every == 0) hopeless[lane] = true;
      }
      const bool is_guess = k == 0 && is_loose_;
      const double left = std::min(0.99, trusted);
      const bool is_due = is_guess && run.value(since_, lane) >= measure_every;
      const bool enough = (left * size <= 1 - left && !is_due) || (size <= stalled_ && size > 0.5 * previous[lane] && k > 1);
      if (enough && !hopeless[lane]) run.slot(frozen_)[lane] = 1;
      previous[lane] = size;
      done = done && (is(run, frozen_, lane) || hopeless[lane]);
    }
    if (done) break;
  }
}

// What step(), renew() and attempt() decide lane by lane.
void LaneRadau::trace_decisions(LaneCompiler& c) {
  for (int* s : {&previous_, &hopeless_, &done_, &open_lanes_}) *s = c.field(1)[0];
  const auto is = [&](int slot) { return c.read(slot) != Traced(0); };
  const auto number = [](const TracedMask& m) { return select(m, Traced(1), Traced(0)); };
  const auto active = [&] { return active_ < 0 ? TracedMask(true) : is(active_); };
  freeze_failed_ = c.program([&](Stores& out) { out.add(frozen_, number(is(failed_) | !active())); });
  due_ = c.program([&](Stores& out) {
    const Traced age = c.read(age_);
    const TracedMask due = (is(stale_) | (age >= Traced(renew_every))) & active();
    out.add(which_, number(due)), out.add(age_, select(due, Traced(1), select(active(), age + Traced(1), age)));
  });
  want_open_ = c.program([&](Stores& out) { out.add(which_, number(!(is(frozen_) | is(hopeless_)))); });
  renewed_ = c.program([&](Stores& out) { c.store_failure(out, is(which_) & is(bad_)); });
  prepare_ = c.program([&](Stores& out) {
    out.add(previous_, Traced(std::numeric_limits<double>::infinity()));
    out.add(hopeless_, Traced(0));
    const Traced trusted = c.read(trusted_);
    if (!is_loose_) out.add(trusted_, select(is(frozen_), trusted, min(Traced(0.9), sqrt(trusted))));
    const Traced since = c.read(since_);
    out.add(since_, select(is(frozen_), since, since + Traced(1)));
  });
  for (const bool patient : {false, true})
    for (int k = 0; k < 3; ++k) judge_[patient][k] = judgement(c, k, patient);
  settle_ = c.program([&](Stores& out) {
    const Traced stale = number((c.read(contraction_) > Traced(slow)) & !is(failed_));
    out.add(stale_, select(active(), stale, c.read(stale_)));
    out.add(open_lanes_, number(!is(frozen_)));
  });
  if (active_ >= 0)
    stepped_ = c.program([&](Stores& out) { out.add(constant_, select(active(), Traced(0), c.read(constant_))); });
  give_up_ = c.program([&](Stores& out) { c.store_failure(out, !is(frozen_)); });
}

// As in attempt().
int LaneRadau::judgement(LaneCompiler& c, int iteration, bool patient) {
  return c.program([&](Stores& out) {
    const auto is = [&](int slot) { return c.read(slot) != Traced(0); };
    const Traced size = c.read(size_), previous = c.read(previous_), trusted_before = c.read(trusted_);
    const TracedMask asleep = is(frozen_) | is(hopeless_);
    TracedMask hopeless = !(abs(size) <= Traced(std::numeric_limits<double>::max())) | is(bad_);
    Traced trusted = trusted_before;
    if (iteration > 0) {
      const Traced measured = size / previous;
      trusted = max(Traced(1e-4), measured);
      if (is_loose_) trusted = max(trusted, Traced(forgotten) * trusted_before);
      out.add(since_, select(asleep, c.read(since_), Traced(0)));
      out.add(contraction_, select(asleep, c.read(contraction_), measured));
      if (!patient) hopeless = hopeless | ((measured > Traced(2)) & (size > Traced(stalled_)));
    }
    const bool is_guess = iteration == 0 && is_loose_;
    const Traced left = min(Traced(0.99), trusted);
    TracedMask enough = left * size <= Traced(1) - left;
    if (is_guess) enough = enough & !(c.read(since_) >= Traced(measure_every));
    if (iteration > 1) enough = enough | ((size <= Traced(stalled_)) & (size > Traced(0.5) * previous));
    const TracedMask frozen = is(frozen_) | (!asleep & enough & !hopeless), lost = is(hopeless_) | (!asleep & hopeless);
    const auto number = [](const TracedMask& m) { return select(m, Traced(1), Traced(0)); };
    out.add(trusted_, select(asleep, trusted_before, trusted));
    out.add(previous_, select(asleep, previous, size));
    out.add(frozen_, number(frozen)), out.add(hopeless_, number(lost)), out.add(done_, number(frozen | lost));
  });
}

void LaneRadau::tell_attempt(LaneRun& run, bool patient) const {
  run.run(prepare_);
  std::vector<int> skips;
  for (int k = 0; k < (patient ? patient_limit : limit); ++k) {
    if (k > 0) skips.push_back(run.skip_if_all(done_));
    if (patient && k % patient_renewal == 0) run.run(want_open_), run.run(renew_), run.run(renewed_);
    run.run(iterate_);
    run.run(judge_[patient][std::min(k, 2)]);
  }
  for (const int skip : skips) run.land(skip);
}

void LaneRadau::tell_iterations(LaneRun& run) const {
  run.run(freeze_failed_);
  run.run(predict_);
  run.run(due_);
  const int kept = run.skip_if_none(which_);
  run.run(renew_), run.run(renewed_);
  run.land(kept);
  tell_attempt(run, false);
  run.run(settle_);
  const int converged = run.skip_if_none(open_lanes_);
  run.run(predict_);
  tell_attempt(run, true);
  run.run(give_up_);
  run.land(converged);
}

void LaneRadau::begin(LaneRun& run) const {
  run.run(start_.project);
  run.run(open_);
  run.observed = true;
  run.begun();
  run.set(contraction_, 0.5), run.set(trusted_, 0.5), run.set(since_, 0);
  run.set(stale_, 1), run.set(age_, 0);
  if (error_ < 0) return;
  run.set(constant_, 0);
  if (run.time > 0) return;
  run.copy(positions_, first_);
  run.set(reach_[0], 0), run.set(reach_[1], 0);
}

void LaneRadau::resized(LaneRun& run, int lane) const { run.slot(stale_)[lane] = run.slot(constant_)[lane] = 1; }

void LaneRadau::pass_signals(LaneRun& run, double t0, double t1) const {
  for (int i = 0; i < 3; ++i) run.signals_within(stage_signals_[i], t0, t1, RadauStep<double>::node(i));
  run.signals_within(signals_, t0, t1, 1);
}

void LaneRadau::step(LaneRun& run, double t0, double t1) const {
  for (int i = 0; i < 3; ++i) run.signals_within(stage_signals_[i], t0, t1, RadauStep<double>::node(i));
  if (run.traced()) {
    tell_iterations(run);
    run.run(finish_);
    if (stepped_ >= 0) run.run(stepped_);
    run.signals_within(signals_, t0, t1, 1);
    run.observed = false;
    return;
  }
  const int lanes = run.width();
  for (int lane = 0; lane < lanes; ++lane) run.slot(frozen_)[lane] = is(run, failed_, lane) || !run.is_active(lane);
  run.run(predict_);
  renew(run, [&](int lane) { return (is(run, stale_, lane) || run.value(age_, lane) >= renew_every) && run.is_active(lane); });
  for (int lane = 0; lane < lanes; ++lane)
    if (run.is_active(lane)) run.slot(age_)[lane] = is(run, which_, lane) ? 1 : run.value(age_, lane) + 1;
  attempt(run, 0, limit);
  bool open = false;
  for (int lane = 0; lane < lanes; ++lane) {
    if (!run.is_active(lane)) continue;
    run.slot(stale_)[lane] = run.value(contraction_, lane) > slow && !is(run, failed_, lane);
    open = open || !is(run, frozen_, lane);
  }
  if (open) {
    run.run(predict_);
    attempt(run, patient_renewal, patient_limit);
    for (int lane = 0; lane < lanes; ++lane)
      if (!is(run, frozen_, lane)) run.slot(failed_)[lane] = 1;
  }
  run.run(finish_);
  for (int lane = 0; lane < lanes && error_ >= 0; ++lane)
    if (run.is_active(lane)) run.slot(constant_)[lane] = 0;
  run.signals_within(signals_, t0, t1, 1);
  run.observed = false;
}

}  // namespace

std::unique_ptr<LaneMethod> lane_radau(LaneCompiler& c, const LaneStart& start, const Settings& s) {
  return std::make_unique<LaneRadau>(c, start, tolerance_of(s), s.step_tolerance);
}

}  // namespace aleator::core
