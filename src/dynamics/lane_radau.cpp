// Radau IIA in lanes: the arithmetic is RadauStep's, recorded; when to iterate and when to renew matrices is decided as in radau.cpp,
// lane by lane. Lanes that do not converge with fresh matrices are left to the single realization, which can do more.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/lane_engine.hpp"
#include "dynamics/radau.hpp"

namespace aleator::core {

namespace {

constexpr int renew_every = 20;    // steps: matrices are no older
constexpr double slow = 0.25;      // contraction from which on they are renewed before the next step
constexpr int limit = 10;          // iterations with matrices that were kept …
constexpr int patient_limit = 20;  // … and with new ones every
constexpr int patient_renewal = 4;
constexpr double stalled = 1e-5;  // see radau.cpp

class LaneRadau final : public LaneMethod {
 public:
  LaneRadau(LaneCompiler& c, const LaneStart& start, double tolerance)
      : start_(start), stalled_(std::min(1e4, stalled / tolerance)), signals_(c.signals), failed_(c.failed) {
    for (Field& f : stage_signals_) f = c.field(c.signals.count);
    for (int* s : {&frozen_, &which_, &size_, &bad_, &contraction_, &trusted_, &age_, &stale_}) *s = c.field(1)[0];
    c.record([&] {
      step_ = std::make_unique<RadauStep<Traced>>(c.assembly(), tolerance);
      step_->use(c.pivots());
    });
    trace(c);
  }

  void begin(LaneRun& run) const override;
  void step(LaneRun& run, double t0, double t1) const override;
  void observe(LaneRun& run) const override {
    if (!run.observed) run.run(observe_);
    run.observed = true;
  }

 private:
  void trace(LaneCompiler& c);
  template <class Wanted>
  void renew(LaneRun& run, Wanted&& wanted) const;
  void attempt(LaneRun& run, int every, int most) const;
  static bool is(const LaneRun& run, int slot, int lane) { return run.value(slot, lane) != 0; }

  const LaneStart& start_;
  double stalled_;
  Field signals_, stage_signals_[3];
  int failed_;
  int frozen_ = 0, which_ = 0, size_ = 0, bad_ = 0;                                  // slots of the programs
  int contraction_ = 0, trusted_ = 0, age_ = 0, stale_ = 0;                          // slots of the driver
  int open_ = 0, observe_ = 0, predict_ = 0, renew_ = 0, iterate_ = 0, finish_ = 0;  // programs
  std::unique_ptr<RadauStep<Traced>> step_;
};

void LaneRadau::trace(LaneCompiler& c) {
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
    for (size_t i = 0; i < s.lambda.size(); ++i) kept.add(&r.lambda[i], c.lambda[int(i)]);
  });
  r.each_kept([&](Traced* x, size_t n) { kept.add(x, n); });
  r.each_past([&](Traced* x, size_t n) { kept.add(x, n); });

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
                   r.predict(TracedMask{});
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
                   c.store_failure(out, !(abs(sum) < Traced(1e300)));
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
    double& trusted = run.slot(trusted_)[lane];
    if (!is(run, frozen_, lane)) trusted = std::min(0.9, std::sqrt(trusted));  // the first correction is judged by earlier steps
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
        trusted = std::max(1e-4, measured);
        run.slot(contraction_)[lane] = measured;
        if (measured > 2 && size > stalled_ && every == 0) hopeless[lane] = true;
      }
      const double left = std::min(0.99, trusted);
      const bool enough = left * size <= 1 - left || (size <= stalled_ && size > 0.5 * previous[lane] && k > 1);
      if (enough && !hopeless[lane]) run.slot(frozen_)[lane] = 1;
      previous[lane] = size;
      done = done && (is(run, frozen_, lane) || hopeless[lane]);
    }
    if (done) break;
  }
}

void LaneRadau::begin(LaneRun& run) const {
  run.run(start_.project);
  run.run(open_);
  run.observed = true;
  run.set(contraction_, 0.5), run.set(trusted_, 0.5);
  run.set(stale_, 1), run.set(age_, 0);
}

void LaneRadau::step(LaneRun& run, double t0, double t1) const {
  for (int i = 0; i < 3; ++i)
    run.signals(stage_signals_[i], i == 2 ? t1 : t0 + RadauStep<double>::node(i) * (t1 - t0), Side::left);
  const int lanes = run.width();
  for (int lane = 0; lane < lanes; ++lane) run.slot(frozen_)[lane] = is(run, failed_, lane);
  run.run(predict_);
  renew(run, [&](int lane) { return is(run, stale_, lane) || run.value(age_, lane) >= renew_every; });
  for (int lane = 0; lane < lanes; ++lane) run.slot(age_)[lane] = is(run, which_, lane) ? 1 : run.value(age_, lane) + 1;
  attempt(run, 0, limit);
  bool open = false;
  for (int lane = 0; lane < lanes; ++lane) {
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
  run.signals(signals_, t1, Side::left);
  run.observed = false;
}

}  // namespace

std::unique_ptr<LaneMethod> lane_radau(LaneCompiler& c, const LaneStart& start, const Settings& s) {
  return std::make_unique<LaneRadau>(c, start, tolerance_of(s));
}

}  // namespace aleator::core
