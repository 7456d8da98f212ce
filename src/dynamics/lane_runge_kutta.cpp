// Explicit methods on the index-1 form, in lanes: the classical one of order 4, that of Dormand and Prince of order 5, and that of Adams
// and Bashforth. Constraints are kept as in runge_kutta.cpp, with one evaluation per node: what projection changes is below the error of
// the step, and so is what it would change of the accelerations. Bodies on hinges move relative to what they hang on (relative_motion.hpp); then the
// node of the method is reduced, and the engine's is made of it when somebody wants to see it.
#include <vector>

#include "dynamics/lane_engine.hpp"
#include "dynamics/runge_kutta.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

namespace {

TracedMask not_finite(const State<Traced>& s, const AlignedVector<Traced>& rates) {
  Traced sum(0);
  for (const Traced& x : s.positions) sum += x;
  for (const Traced& x : s.velocities) sum += x;
  for (const Traced& x : rates) sum += x;
  return !(abs(sum) < Traced(1e300));
}

// States of the method in slots: reduced, where there are bodies on hinges.
class StateFields {
 public:
  explicit StateFields(LaneCompiler& c) : c_(c), relative_(c.assembly().relative()) {}

  bool has_position(int i) const { return relative_.has(i / 7) ? relative_.has_position(i) : c_.moves(i); }
  bool has_velocity(int i) const { return relative_.has(i / 6) ? relative_.has_velocity(i) : c_.model().structure.dof[i] >= 0; }

  State<Traced> read(const StateSlots& f) const {
    State<Traced> s = c_.state(f);
    for (const RelativeJoint& j : relative_.joints()) {
      for (int i = 7 * j.carrier; i < 7 * j.carrier + 7; ++i)
        s.positions[i] = has_position(i) ? c_.read(f.positions[i]) : Traced(0);
      for (int i = 6 * j.carrier; i < 6 * j.carrier + 6; ++i)
        s.velocities[i] = has_velocity(i) ? c_.read(f.velocities[i]) : Traced(0);
    }
    return s;
  }
  void store(Stores& out, const StateSlots& f, const AlignedVector<Traced>& q, const AlignedVector<Traced>& v) const {
    for (int i = 0; i < f.positions.count; ++i)
      if (has_position(i)) out.add(f.positions[i], q[i]);
    for (int i = 0; i < f.velocities.count; ++i)
      if (has_velocity(i)) out.add(f.velocities[i], v[i]);
  }
  void store(Stores& out, const StateSlots& f, const State<Traced>& s) const { store(out, f, s.positions, s.velocities); }

 private:
  LaneCompiler& c_;
  const RelativeMotion<Traced>& relative_;
};

class LaneRungeKutta final : public LaneMethod {
 public:
  LaneRungeKutta(LaneCompiler& c, const LaneStart& start, const Tableau& tableau, Stabilization stabilization, double tolerance)
      : tableau_(tableau), start_(start), signals_(c.signals), violation_(c.model()) {
    const int stages = tableau.stages();
    const bool adapts = tolerance > 0;
    speeds_ = c.field(2);
    rotation_ = c.field(1)[0];
    if (adapts) error_ = c.field(1)[0], turn_ = c.field(1)[0];
    const StepError<Traced> measure(c.assembly(), tolerance);
    Index1<Traced>& index1 = c.index1();
    Assembly<Traced>& a = c.assembly();
    const StateFields fields(c);
    const bool reduced = a.relative().any();
    const StateSlots own = reduced ? c.state_fields() : c.node;  // the node
    const StateSlots stage = c.state_fields(), rate_now = c.state_fields();
    std::vector<StateSlots> rate;
    for (int i = 0; i < stages; ++i) rate.push_back(c.state_fields());
    // Work is one more component of the equations.
    const Slots power_now = c.energies_field();
    std::vector<Slots> power;
    for (int i = 0; i < stages; ++i) power.push_back(c.energies_field());
    const bool baumgarte = stabilization == Stabilization::baumgarte, projects = stabilization == Stabilization::projection;
    const Slots pull = c.field(baumgarte ? c.rows() : 0);
    if (reduced) {
      reduce_ = c.program([&](Stores& out) {
        State<Traced> s = c.state(c.node);
        a.reduce(s.positions.data(), s.velocities.data());
        fields.store(out, own, s);
      });
      const ReducedScope<Traced> scope(a);
      restore_ = c.program([&](Stores& out) {
        State<Traced> s = fields.read(own);
        a.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
        a.restore(s.positions.data(), s.velocities.data());
        c.store_state(out, c.node, s);
      });
    }
    const ReducedScope<Traced> scope(a);

    const auto rates_of = [&](const State<Traced>& s) {
      AlignedVector<Traced> dv(s.velocities.size());
      index1.rates(s, dv.data());
      return dv;
    };
    const auto store_rate = [&](Stores& out, const StateSlots& to, const State<Traced>& s, const AlignedVector<Traced>& dv) {
      AlignedVector<Traced> dq(s.positions.size());
      a.derivative(s.positions.data(), s.velocities.data(), dq.data());
      fields.store(out, to, dq, dv);
    };
    const auto whole_velocities = [&](const State<Traced>& s) {
      AlignedVector<Traced> v(s.velocities.size());
      a.whole_velocities(s.velocities.data(), v.data());
      return v;
    };
    // At a node, for all stages of the step from there: −2a ġ − a² g.
    const auto find_pull = [&](Stores& out, AlignedVector<Traced>& p) {
      if (!baumgarte) return;
      p.resize(c.rows());
      a.velocity_residual(p.data());
      const Traced stiffness = Traced(pull_of(tableau)) / c.read(c.step);
      for (int r = 0; r < c.rows(); ++r)
        p[r] = -(Traced(2) * stiffness) * p[r] - (stiffness * stiffness) * a.evaluation().residual[r];
      out.add(pull, p);
    };
    const auto pointer = [](const AlignedVector<Traced>& p) { return p.empty() ? nullptr : p.data(); };

    const auto go_on = [&](State<Traced>& s, const Traced& w, const State<Traced>& k) {
      for (size_t n = 0; n < s.positions.size(); ++n)
        if (fields.has_position(int(n))) s.positions[n] = multiply_add(w, k.positions[n], s.positions[n]);
      for (size_t n = 0; n < s.velocities.size(); ++n) s.velocities[n] = multiply_add(w, k.velocities[n], s.velocities[n]);
    };

    // h Σ e_i k_i, the last one being that of the node
    const auto find_error = [&](const State<Traced>& end, const AlignedVector<Traced>& end_rates, const StepError<Traced>& size,
                                const Largest<Traced>& motion) {
      const Traced h = c.read(c.step);
      AlignedVector<Traced> q(end.positions.size(), Traced(0)), v(end.velocities.size(), Traced(0)), dq(end.positions.size());
      const auto add = [&](double weight, const AlignedVector<Traced>& by_q, const AlignedVector<Traced>& by_v) {
        if (weight == 0) return;
        const Traced w = Traced(weight) * h;
        for (size_t n = 0; n < q.size(); ++n)
          if (fields.has_position(int(n))) q[n] = multiply_add(w, by_q[n], q[n]);
        for (size_t n = 0; n < v.size(); ++n) v[n] = multiply_add(w, by_v[n], v[n]);
      };
      for (int j = 0; j < stages; ++j) {
        const State<Traced> k = fields.read(j > 0 && j == stages - 1 ? rate_now : rate[j]);
        add(tableau.error[j], k.positions, k.velocities);
      }
      a.derivative(end.positions.data(), end.velocities.data(), dq.data());
      add(tableau.error[stages], dq, end_rates);
      a.spread(v.data(), q.data());
      return size.size(v.data(), q.data(), motion, h);
    };

    const auto node = [&](const StateSlots& from, bool is_start, bool projected) {
      return c.program([&, is_start, projected](Stores& out) {
        State<Traced> s = fields.read(from);
        AlignedVector<Traced> p;
        TracedMask bad = index1.evaluate(s, is_start ? Side::right : Side::left);
        const Traced rotation = fastest_rotation(a), h = c.read(c.step), turn = h * h * max(rotation, c.read(rotation_));
        out.add(rotation_, rotation);
        if (!is_start && !adapts) bad = bad | turns_too_far(turn);
        find_pull(out, p);
        index1.accelerations(s, pointer(p));
        const AlignedVector<Traced> rates = rates_of(s);
        AlignedVector<Traced> seen(c.channels());
        a.observe(s.accelerations.data(), s.lambda.data(), seen.data());
        out.add(c.outputs, seen);
        if (a.accounts()) c.store_energies(out, power[0], a.power(s.lambda.data()));
        if (adapts) {
          const Largest<Traced> now = measure.speeds(whole_velocities(s).data(), {c.read(speeds_[0]), c.read(speeds_[1])});
          out.add(speeds_[0], now.places), out.add(speeds_[1], now.turns);
          if (!is_start) {
            out.add(error_, error_with_turn(find_error(s, rates, measure, now), turn));
            out.add(turn_, turn);
          }
        }
        if (!is_start) {
          a.update_turns(s.turns.data());
          out.add(c.turns, s.turns);
          if (projected) {
            index1.project_velocities(s);
            index1.project_positions(s);
          }
          const Traced* const before = a.evaluation().residual;
          bad = bad | (projected ? violation_.is_too_large(index1.left_open().data(), before) : violation_.is_too_large(before));
          fields.store(out, own, s);
        }
        store_rate(out, rate[0], s, rates);
        bad = bad | not_finite(s, rates);
        c.store_failure(out, bad);
      });
    };
    if (adapts)
      kept_ = {own.positions, own.velocities, c.turns,  c.outputs,      rate[0].positions, rate[0].velocities,
               pull,          speeds_,        power[0], {rotation_, 1}, {c.failed, 1}};
    // Derivatives at the nodes before the last one, in turn: the oldest gives place to that of the last.
    const int kept = tableau.start();
    std::vector<StateSlots> past;
    std::vector<Slots> past_power;
    for (int i = 0; i < kept; ++i) past.push_back(c.state_fields()), past_power.push_back(c.energies_field());
    const auto remember = [&](Stores& out, int i) {
      fields.store(out, past[i], fields.read(rate[0])), c.store_energies(out, past_power[i], c.energies(power[0]));
    };
    for (int oldest = 0; oldest < kept; ++oldest) {
      remember_.push_back(c.program([&, oldest](Stores& out) { remember(out, oldest); }));
      leap_.push_back(c.program([&, oldest](Stores& out) {
        State<Traced> s = fields.read(own);
        const Traced h = c.read(c.step);
        for (int j = 0; j <= kept; ++j) {
          const int from = (oldest + kept - j) % kept;  // of the past
          const State<Traced> k = fields.read(j == 0 ? rate[0] : past[from]);
          const Traced w = Traced(tableau.past[j]) * h;
          s.work.add(w, c.energies(j == 0 ? power[0] : past_power[from]));
          go_on(s, w, k);
        }
        remember(out, oldest);
        a.normalize(s.positions.data());
        fields.store(out, stage, s);
        c.store_energies(out, c.work, s.work);
      }));
    }
    // Stability, see runge_kutta.hpp.
    const auto watch = [&](bool is_start) {
      return c.program([&, is_start](Stores& out) {
        const State<Traced> s = fields.read(own), last = fields.read(rate_now), end = fields.read(rate[0]);
        if (reduced) a.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
        std::vector<State<Traced>> then;
        for (const StateSlots& f : past) then.push_back(fields.read(f));
        const StepError<Traced> stability(a, unstable);
        const Traced h = c.read(c.step), before[2] = {c.read(speeds_[0]), c.read(speeds_[1])};
        AlignedVector<Traced> v(s.velocities.size()), q(s.positions.size(), Traced(0));
        for (size_t n = 0; n < v.size(); ++n) v[n] = h * end.velocities[n];
        a.spread(v.data());
        const Largest<Traced> now =
            stability.speeds(v.data(), stability.speeds(whole_velocities(s).data(), {Traced(0), Traced(0)}));
        out.add(speeds_[0], max(before[0], now.places)), out.add(speeds_[1], max(before[1], now.turns));
        if (is_start) return;
        const TracedMask faster = (now.places > before[0]) | (now.turns > before[1]);
        if (kept == 0)
          for (size_t n = 0; n < v.size(); ++n) v[n] = Traced(1.0 / 6) * h * (last.velocities[n] - end.velocities[n]);
        else  // after a multiple of their number of steps, the newest is the last one
          for (size_t n = 0; n < v.size(); ++n)
            v[n] = Traced(0.375) * h *
                   (end.velocities[n] - then[2].velocities[n] * Traced(3) + then[1].velocities[n] * Traced(3) -
                    then[0].velocities[n]);
        a.spread(v.data());
        c.store_failure(out, faster & (stability.size(v.data(), q.data(), now, h) > Traced(1)));
      });
    };
    if (!adapts) first_ = watch(true), watch_ = watch(false);
    begin_ = node(own, true, false);
    node_ = node(stage, false, projects);
    open_node_ = kept > 0 && projects ? node(stage, false, false) : node_;
    derivative_ = c.program([&](Stores& out) {
      State<Traced> s = fields.read(stage);
      AlignedVector<Traced> p;
      if (baumgarte) c.read(pull, p);
      const TracedMask bad = index1.evaluate(s, Side::left);
      index1.accelerations(s, pointer(p));
      if (a.accounts()) c.store_energies(out, power_now, a.power(s.lambda.data()));
      store_rate(out, rate_now, s, rates_of(s));
      c.store_failure(out, bad);
    });
    for (int i = 1; i <= stages; ++i)
      combine_.push_back(c.program([&](Stores& out) {
        State<Traced> s = fields.read(own);
        const Traced h = c.read(c.step);
        // The newest rate comes from where the derivative left it, and is kept.
        for (int j = 0; j < i; ++j) {
          const State<Traced> k = fields.read(j > 0 && j == i - 1 ? rate_now : rate[j]);
          const Traced w = Traced(tableau.a[i][j]) * h;
          const Energies<Traced> supplied = c.energies(j > 0 && j == i - 1 ? power_now : power[j]);
          if (i == stages) s.work.add(w, supplied);
          if (j > 0 && j == i - 1 && i < stages) fields.store(out, rate[j], k), c.store_energies(out, power[j], supplied);
          go_on(s, w, k);
        }
        a.normalize(s.positions.data());
        fields.store(out, stage, s);
        if (i == stages) c.store_energies(out, c.work, s.work);
      }));
  }

  void begin(LaneRun& run) const override {
    run.run(start_.project);
    if (reduce_ >= 0) run.run(reduce_);
    if (run.time == 0) run.set(speeds_[0], 0), run.set(speeds_[1], 0);
    run.run(begin_);
    run.begun();
    if (first_ >= 0) run.run(first_);
    run.count = 0;
  }
  void step(LaneRun& run, double t0, double t1) const override {
    const int stages = tableau_.stages(), start = tableau_.start();
    if (start > 0 && run.count >= start) return leap(run, t0, t1);
    if (start > 0) run.run(remember_[run.count]);
    for (int i = 1; i < stages; ++i) {
      run.run(combine_[i - 1]);
      run.signals_within(signals_, t0, t1, tableau_.c[i]);
      run.run(derivative_);
    }
    run.run(combine_[stages - 1]);
    run.signals_within(signals_, t0, t1, 1);
    run.run(node_);
    if (++run.count % watch_every(tableau_) == 0 && watch_ >= 0) run.run(watch_);
  }
  void leap(LaneRun& run, double t0, double t1) const {
    run.run(leap_[run.count % tableau_.start()]);
    run.signals_within(signals_, t0, t1, 1);
    ++run.count;
    run.run(run.count % project_every == 0 ? node_ : open_node_);
    if (run.count % watch_every(tableau_) == 0) run.run(watch_);
  }
  void restore(LaneRun& run) const override {
    if (restore_ >= 0) run.run(restore_);
  }
  int error() const override { return error_; }
  int turn() const override { return turn_; }
  std::vector<Slots> kept() const override { return kept_; }
  bool can_be_traced() const override { return true; }
  void pass_signals(LaneRun& run, double t0, double t1) const override {
    for (int i = 1; i < tableau_.stages(); ++i) run.signals_within(signals_, t0, t1, tableau_.c[i]);
    run.signals_within(signals_, t0, t1, 1);
  }

 private:
  const Tableau& tableau_;
  const LaneStart& start_;
  Slots signals_;
  Violation violation_;
  int begin_ = 0, node_ = 0, open_node_ = 0, derivative_ = 0, first_ = -1, watch_ = -1;
  int reduce_ = -1, restore_ = -1;  // the node: whole → reduced, and back
  std::vector<int> combine_, remember_, leap_;
  Slots speeds_;                // the largest so far
  int rotation_ = -1;           // slot: the fastest at the node, squared
  int error_ = -1, turn_ = -1;  // slots, when steps are adapted
  std::vector<Slots> kept_;
};

}  // namespace

std::unique_ptr<LaneMethod> lane_runge_kutta(LaneCompiler& c, const LaneStart& start, const Tableau& tableau,
                                             Stabilization stabilization, double step_tolerance) {
  return std::make_unique<LaneRungeKutta>(c, start, tableau, stabilization, step_tolerance);
}

}  // namespace aleator::core
