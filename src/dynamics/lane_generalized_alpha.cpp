// Generalized-α in lanes, made for speed: the arithmetic is GeneralizedAlphaStep's, recorded; here is what happens when.
//
// Accelerations and multipliers are predicted by linear extrapolation, factors are kept over steps, and a correction Δ is accepted when
// what it leaves, about θ/(1 − θ) ‖Δ‖, is below the tolerance; θ is the contraction of the iteration, measured now and then by a second
// correction — at a period that shares no factor with that of the factors, or it would always be seen with the same age of them.
// A lane whose iteration contracts slowly gets new factors; its neighbours keep theirs. New factors cost as much as about three corrections: where one
// correction per step has not been enough of late, they are renewed more often, at steps that all lanes have in common.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/generalized_alpha.hpp"
#include "dynamics/lane_engine.hpp"
#include "dynamics/newton_pattern.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

namespace {

constexpr int max_iterations = 15;
constexpr int refactor_iterations = 3;  // new factors after so many corrections in one step
constexpr int refactor_steps = 96,
              tight_refactor_steps = 50;  // from tolerances `loose` on, and below, where all steps need several corrections
constexpr int look_steps = 16;            // from `loose` on, new factors after so many steps already …
constexpr double few_seconds = 0.2;       // … where second corrections were needed, each of which counts one …
constexpr double remembered = 0.8;        // … and less from look to look: a hundred steps after the last one they are forgotten
constexpr int measure_steps = 7;
constexpr double fast = 0.02;       // a contraction that …
constexpr int measure_seldom = 29;  // … is measured so often only
constexpr int units_steps = 8;      // what corrections are measured in is renewed so often, with tolerances from `loose` on
// The estimate is trusted for tolerances from here on; below, a correction itself must be within the tolerance.
constexpr double loose = 1e-6;
constexpr double slow = 0.2;           // a contraction that asks for new factors at the next step
constexpr double least_way = 1e-6;     // of the size, or rad: what is at rest may move in the next step
constexpr double stalled_part = 1e-5;  // see generalized_alpha.cpp

class LaneGeneralizedAlpha final : public LaneMethod {
 public:
  LaneGeneralizedAlpha(LaneCompiler& c, const LaneStart& start, double rho, double tolerance)
      : c_(c), start_(start), tolerance_(tolerance), extent_(extent_of(c.model())) {
    for (Slots* f : {&a1_, &change_, &turn_, &before_, &jerk_}) *f = c.field(6 * c.carriers());
    lambda1_ = c.field(c.rows()), lambda0_ = c.field(c.rows());
    own_accelerations_ = c.field(6 * c.carriers()), own_lambda_ = c.field(c.rows());
    power_ = c.energies_field(), w0_ = c.energies_field();
    for (int* s : {&relative_, &frozen_, &wants_, &size_, &contraction_, &measure_, &seconds_, &force_unit_, &moment_unit_,
                   &way_unit_, &turn_unit_})
      *s = c.field(1)[0];
    rate_unit_ = c.field(c.first_state() < c.carriers() ? 1 : 0);
    c.record([&] {
      step_ = std::make_unique<GeneralizedAlphaStep<Traced>>(c.assembly(), c.index1(), rho, true);
      step_->prepare();
      step_->use(newton_ = std::make_shared<const NewtonPattern>(c.model(), c.nominal_values, c.asymmetric));
    });
    trace_begin();
    Kept kept(c);
    step_->each_kept([&](Traced* x, size_t n) { kept.add(x, n); });
    kept.programs({[&](Stores& out) { trace_refactor(out); }, [&](Stores& out) { trace_iterate(out, true); },
                   [&](Stores& out) { trace_iterate(out, false); }},
                  {&refactor_, &first_iteration_, &iterate_});
    trace_units();
    trace_advance();
    trace_node();
    trace_decisions();
  }

  void begin(LaneRun& run) const override;
  void step(LaneRun& run, double t0, double t1) const override;
  bool can_be_traced() const override { return true; }
  void observe(LaneRun& run) const override {
    if (sees_turns_) settle(run);
    if (!run.observed) step_->is_noisy(run.value(c_.step, 0)) ? observe_index1(run) : run.run(observe_);
    run.observed = true;
  }
  void restore(LaneRun& run) const override { settle(run), run.run(restore_); }

 private:
  void settle(LaneRun& run) const {
    if (!run.settled) run.run(settle_);
    run.settled = true;
  }
  void store_settled(Stores& out);
  void observe_index1(LaneRun& run) const;
  void read_velocities(const Slots& f, AlignedVector<Traced>& x) const {
    for (int i = 0; i < f.count; ++i) x[i] = c_.model().structure.dof[i] >= 0 ? c_.read(f[i]) : Traced(0);
  }
  // The end of the step, of its prediction and the changes since.
  using Ahead = GeneralizedAlphaStep<Traced>::Ahead;
  Ahead find_end(bool is_changed = true) const;
  void store(Stores& out, const Ahead& ahead) const;
  void store_observation(Stores& out, const State<Traced>& s) const;
  struct Forces {
    Traced force, moment;
  };
  Forces forces_of_inertia(const AlignedVector<Traced>& accelerations) const;
  void add_reactions(const AlignedVector<Traced>& lambda, Forces& f) const;
  void store_units(Stores& out, const AlignedVector<Traced>& a1) const;
  Traced largest_rate(const AlignedVector<Traced>& rates) const;
  Traced change_of_positions() const;
  void store_way(Stores& out, const Traced& way, const Traced& turn) const;
  static double extent_of(const Model& model);
  bool is_loose() const { return tolerance_ >= loose; }
  int most_steps() const { return is_loose() ? refactor_steps : tight_refactor_steps; }
  void trace_begin();
  void trace_refactor(Stores& out);
  void trace_iterate(Stores& out, bool is_first);
  void trace_units();
  void trace_advance();
  void trace_node();
  void trace_decisions();
  void iterate(LaneRun& run) const;
  void tell_iterations(LaneRun& run) const;

  LaneCompiler& c_;
  const LaneStart& start_;
  double tolerance_;
  double extent_;  // of the model as drawn
  std::unique_ptr<GeneralizedAlphaStep<Traced>> step_;
  std::shared_ptr<const NewtonPattern> newton_;
  // While a step is under way, the node has the end of the step as predicted (GeneralizedAlphaStep::Ahead); restore() makes it the node.
  Slots a1_, change_, turn_, before_, jerk_;
  Slots lambda1_, lambda0_;               // at the end, and at the start
  Slots own_accelerations_, own_lambda_;  // while the node has those of an output
  Slots power_, w0_;                      // at the node, as it is and as the method has it
  int relative_ = 0;                      // slot: regularisation of the constraints
  int frozen_ = 0;                        // slot: lanes that have converged or failed
  int wants_ = 0;                         // slot: lanes that get new factors
  int size_ = 0;                          // slot: of the last correction, in units of the tolerance
  int contraction_ = 0;                   // slot: θ
  int measure_ = 0;                       // slot: a second one is wanted, to measure θ
  int seconds_ = 0;                       // slot: steps of late in which it was needed
  int force_unit_ = 0, moment_unit_ = 0;  // slots: reciprocals of what corrections are measured in, as forces …
  int way_unit_ = 0, turn_unit_ = 0;      // … and as changes of positions
  Slots rate_unit_;                       // the same of rates of states, if there are any
  int accelerate_ = 0, find_jerk_ = 0, soften_ = 0, shift_ = 0, observe_ = 0, observe_node_ = 0, refactor_ = 0,
      first_iteration_ = 0, iterate_ = 0, units_ = 0, clear_ = 0, advance_ = 0, settle_ = 0, settle_and_advance_ = 0,
      restore_ = 0;          // programs
  bool sees_turns_ = false;  // outputs need what settle_ does
  // Decisions as programs, for devices: new factors where the contraction is slow, where second corrections were needed, or where lanes are open; a contraction
  // to be measured where it is not fast, or where it is.
  int want_slow_ = 0, want_seconds_ = 0, want_open_ = 0, measure_often_ = 0, measure_seldom_ = 0;
};

double LaneGeneralizedAlpha::extent_of(const Model& model) {
  double extent = 0;
  for (int i = 0; i < 3; ++i) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (size_t k = 0; k < model.topology.carriers.size(); ++k)
      if (const double x = model.nominal.positions[7 * k + i]; model.topology.carriers[k].is_place)
        low = std::min(low, x), high = std::max(high, x);
    extent = std::max(extent, high - low);
  }
  return extent;
}

LaneGeneralizedAlpha::Ahead LaneGeneralizedAlpha::find_end(bool is_changed) const {
  GeneralizedAlphaStep<Traced>& g = *step_;
  g.h = c_.read(c_.step);
  Ahead ahead{c_.state(c_.node), {}, {}, {}};
  for (auto* x : {&ahead.turn, &ahead.a1, &ahead.before}) x->resize(g.a1.size());
  read_velocities(turn_, ahead.turn), read_velocities(a1_, ahead.a1), read_velocities(before_, ahead.before);
  read_velocities(change_, g.change);
  if (!is_changed) std::fill(g.change.begin(), g.change.end(), Traced(0));
  g.find_end(ahead);
  c_.read(lambda1_, g.end.lambda);
  g.end.turns = ahead.end.turns;
  return ahead;
}

// Number by number: what a program reads for one of them serves the others.
void LaneGeneralizedAlpha::store(Stores& out, const Ahead& ahead) const {
  const Carriers& carriers = c_.assembly().carriers();
  for (int c = 0; c < c_.carriers(); ++c) {
    const bool is_rigid = c < carriers.rigid;
    for (int i = is_rigid ? 3 : 6; i < 7; ++i)
      if (c_.moves(7 * c + i)) out.add(c_.node.positions[7 * c + i], ahead.end.positions[size_t(7 * c + i)]);
    for (int i = 0; i < 6; ++i) {
      const size_t k = size_t(6 * c + i);
      if (c_.model().structure.dof[k] < 0) continue;
      if (is_rigid && i >= 3)
        out.add(turn_[int(k)], ahead.turn[k]);
      else
        out.add(c_.node.positions[7 * c + i], ahead.end.positions[size_t(7 * c + i)]);
      out.add(c_.node.velocities[int(k)], ahead.end.velocities[k]);
      out.add(c_.accelerations[int(k)], ahead.end.accelerations[k]);
      out.add(a1_[int(k)], ahead.a1[k]);
      out.add(before_[int(k)], ahead.before[k]);
    }
  }
}

void LaneGeneralizedAlpha::store_observation(Stores& out, const State<Traced>& s) const {
  Assembly<Traced>& a = c_.assembly();
  a.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
  a.constrain();
  a.forces();
  AlignedVector<Traced> seen(c_.channels());
  a.observe(s.accelerations.data(), s.lambda.data(), seen.data());
  out.add(c_.outputs, seen);
}

void LaneGeneralizedAlpha::trace_begin() {
  GeneralizedAlphaStep<Traced>& g = *step_;
  Assembly<Traced>& a = c_.assembly();
  Index1<Traced>& index1 = c_.index1();
  accelerate_ = c_.program([&](Stores& out) {
    State<Traced> s = c_.state(c_.node);
    const TracedMask bad = index1.evaluate(s, Side::right);
    index1.accelerations(s);
    c_.store_velocities(out, c_.accelerations, s.accelerations);
    out.add(c_.lambda, s.lambda);
    c_.store_failure(out, bad);
  });
  observe_node_ = c_.program([&](Stores& out) { store_observation(out, c_.state(c_.node)); });
  find_jerk_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    g.h = c_.read(c_.step);
    const TracedMask bad = g.find_jerk(s);
    c_.store_velocities(out, jerk_, g.jerk);
    c_.store_failure(out, bad);
  });
  soften_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    g.h = c_.read(c_.step);
    read_velocities(jerk_, g.jerk);
    const TracedMask bad = g.soften_jerk(s);
    c_.store_velocities(out, jerk_, g.jerk);
    c_.store_failure(out, bad);
  });
  shift_ = c_.program([&](Stores& out) {
    const State<Traced> s = c_.state(c_.node);
    g.h = c_.read(c_.step);
    read_velocities(jerk_, g.jerk);
    if (a.accounts()) {
      a.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
      a.constrain();
      const Energies<Traced> power = a.power(s.lambda.data());
      c_.store_energies(out, power_, power), c_.store_energies(out, w0_, power);
    }
    const TracedMask bad = g.find_start(s);
    g.hold(s);
    Ahead ahead{s, AlignedVector<Traced>(g.a1.size(), Traced(0)), g.a0, s.accelerations};
    ahead.end.velocities = g.velocities;
    store(out, ahead);
    c_.store_velocities(out, change_, ahead.turn);
    out.add(lambda1_, s.lambda), out.add(lambda0_, s.lambda);
    store_units(out, g.a1);
    store_way(out, Traced(g.size()), Traced(1));  // nothing is known of it yet
    c_.store_failure(out, bad);
  });
}

namespace {
// `largest` begins with zero; magnitudes are no less.
void raise(Traced& largest, const Traced& magnitude) {
  if (magnitude.node != Traced(0).node) largest = largest.node == Traced(0).node ? magnitude : max(largest, magnitude);
}
}  // namespace

// The largest force and moment that belong to accelerations.
LaneGeneralizedAlpha::Forces LaneGeneralizedAlpha::forces_of_inertia(const AlignedVector<Traced>& x) const {
  Forces f;
  for (int c = 0; c < c_.first_state(); ++c)
    for (int half = 0; half < 2; ++half) {
      Traced largest(0);
      for (int i = 6 * c + 3 * half; i < 6 * c + 3 * half + 3; ++i) raise(largest, abs(x[i]));
      Traced& sum = half == 0 && c_.model().topology.carriers[c].is_place ? f.force : f.moment;
      raise(sum, c_.assembly().inertia(c, half) * largest);
    }
  return f;
}

// … and to multipliers. Forces on bodies whose motion is prescribed move nothing.
void LaneGeneralizedAlpha::add_reactions(const AlignedVector<Traced>& lambda, Forces& f) const {
  AlignedVector<Traced> forces(size_t(6) * c_.carriers());
  c_.assembly().add_reactions(lambda.data(), forces.data());
  for (int c = 0; c < c_.carriers(); ++c)
    for (int i = 0; i < 6; ++i) {
      const int unknown = c_.model().structure.dof[6 * c + i];
      if (unknown < 0 || newton_->apart[size_t(unknown)]) continue;
      Traced& largest = i < 3 && c_.model().topology.carriers[c].is_place ? f.force : f.moment;
      raise(largest, abs(forces[6 * c + i]));
    }
}

// Corrections are measured as forces, against the largest force of inertia; a moment is such a force on an arm of the model's size. Below is
// round-off of positions. What is stored are reciprocals of the units.
void LaneGeneralizedAlpha::store_units(Stores& out, const AlignedVector<Traced>& a1) const {
  const Assembly<Traced>& a = c_.assembly();
  const Traced step = step_->h, tolerance(tolerance_);
  const Traced round_off = Traced(16 * std::numeric_limits<double>::epsilon() / step_->beta) / (step * step);
  Traced heaviest(0), roundest(0);
  for (int c = 0; c < c_.first_state(); ++c)
    for (int half = 0; half < 2; ++half) {
      Traced& largest = half == 0 && c_.model().topology.carriers[c].is_place ? heaviest : roundest;
      raise(largest, a.inertia(c, half));
    }
  const Forces f = forces_of_inertia(a1);
  out.add(force_unit_, Traced(1) / (tolerance * f.force + round_off * Traced(step_->length()) * heaviest));
  out.add(moment_unit_,
          Traced(1) / (tolerance * max(f.moment, Traced(extent_) * f.force) + max(round_off * roundest, Traced(1e-300))));
  if (rate_unit_.count > 0) out.add(rate_unit_[0], Traced(1) / (tolerance * largest_rate(a1) + round_off * step));
}

// Of states of elements: of order one, so that their rates have round-off of 1/h.
Traced LaneGeneralizedAlpha::largest_rate(const AlignedVector<Traced>& rates) const {
  Traced largest(0);
  for (size_t i = 6 * size_t(c_.first_state()); i < rates.size(); ++i) largest = max(largest, abs(rates[i]));
  return largest;
}

// The correction as a change of positions against the way of the step before, in units of the tolerance: see generalized_alpha.cpp. (The way of
// this step is not known: a guess of accelerations that ring goes anywhere.)
Traced LaneGeneralizedAlpha::change_of_positions() const {
  Traced moved(0), turned(0);
  for (int c = 0; c < c_.first_state(); ++c)
    for (int half = 0; half < 2; ++half) {
      Traced largest(0);
      for (int i = 6 * c + 3 * half; i < 6 * c + 3 * half + 3; ++i) raise(largest, abs(step_->z[i]));
      Traced& change = half == 0 && c_.model().topology.carriers[c].is_place ? moved : turned;
      raise(change, largest);
    }
  return max(moved * c_.read(way_unit_), turned * c_.read(turn_unit_));
}

// Reciprocals of what it is measured in, for the step after one that went this way.
void LaneGeneralizedAlpha::store_way(Stores& out, const Traced& way, const Traced& turn) const {
  const GeneralizedAlphaStep<Traced>& g = *step_;
  const Traced bh2 = g.h * g.h * Traced(g.beta), tolerance(tolerance_);
  constexpr double round_off = 16 * std::numeric_limits<double>::epsilon();
  out.add(way_unit_,
          bh2 / (tolerance * max(min(way, Traced(g.size())), Traced(least_way * g.size())) + Traced(round_off * g.length())));
  out.add(turn_unit_, bh2 / (tolerance * max(min(turn, Traced(1)), Traced(least_way)) + Traced(round_off)));
}

void LaneGeneralizedAlpha::trace_refactor(Stores& out) {
  GeneralizedAlphaStep<Traced>& g = *step_;
  find_end();
  g.evaluate();
  c_.assembly().regularize(c_.read(relative_));
  const TracedMask wanted = c_.read(wants_) != Traced(0);
  const TracedMask bad = g.renew(wanted);
  c_.store_failure(out, bad & wanted);
}

void LaneGeneralizedAlpha::trace_iterate(Stores& out, bool is_first) {
  GeneralizedAlphaStep<Traced>& g = *step_;
  find_end(!is_first);
  g.evaluate();
  c_.assembly().regularize(c_.read(relative_));
  g.find_residual();
  g.solve();

  Forces change = forces_of_inertia(g.z);
  add_reactions(g.rows, change);
  Traced size = max(max(change.force * c_.read(force_unit_), change.moment * c_.read(moment_unit_)), change_of_positions());
  if (rate_unit_.count > 0) size = max(size, largest_rate(g.z) * c_.read(rate_unit_[0]));
  size = max(Traced(0), size);  // no NaN: a lane that has failed is no reason to go on
  const TracedMask first(is_first), frozen = is_first ? TracedMask{} : c_.read(frozen_) != Traced(0);
  const Traced before = c_.read(size_), theta_before = c_.read(contraction_);
  const Traced measured = size / max(before, Traced(1e-300));
  const Traced theta = select(first | frozen, theta_before, max(min(measured, Traced(0.9)), Traced(0.3) * theta_before));
  const TracedMask measure = first & (c_.read(measure_) != Traced(0));
  // θ/(1 − θ) Δ with a factor of four in hand: θ differs from step to step
  const TracedMask is_small = (Traced(4) * theta * size <= Traced(1) - theta) & TracedMask(is_loose()),
                   small = is_small & !measure;
  const TracedMask stalled = (size <= Traced(std::min(1e4, stalled_part / tolerance_))) & (size > Traced(0.5) * before) & !first;
  const TracedMask converged = (size <= Traced(1)) | small | stalled;

  g.apply_change(frozen);
  c_.store_velocities(out, change_, g.change);
  out.add(lambda1_, g.end.lambda);
  const TracedMask bad = c_.assembly().status().failed & !frozen;
  out.add(size_, select(frozen, before, size));
  out.add(contraction_, theta);
  if (is_first && is_loose()) out.add(seconds_, c_.read(seconds_) + select((size <= Traced(1)) | is_small, Traced(0), Traced(1)));
  out.add(frozen_, select(frozen | converged | bad, Traced(1), Traced(0)));
  c_.store_failure(out, bad);
}

// What corrections are measured in, from the step that was done.
void LaneGeneralizedAlpha::trace_units() {
  units_ = c_.program([&](Stores& out) {
    const GeneralizedAlphaStep<Traced>& g = *step_;
    find_end();
    store_units(out, g.a1);
    Traced way(0), turn(0);
    for (int i = 0; i < 6 * c_.first_state(); ++i) {
      Traced& largest = i % 6 < 3 && c_.model().topology.carriers[i / 6].is_place ? way : turn;
      largest = max(largest, abs(g.h * g.end.velocities[size_t(i)]));
    }
    store_way(out, way, turn);
  });
}

// The end of the step before is the start of this one; v̇ and λ are extrapolated.
void LaneGeneralizedAlpha::trace_advance() {
  const auto advance = [&](Stores& out) {
    Ahead ahead = find_end();
    step_->predict(ahead);
    store(out, ahead);
    const AlignedVector<Traced>& now = step_->end.lambda;
    for (int r = 0; r < c_.rows(); ++r)
      out.add(lambda1_[r], now[size_t(r)] + (now[size_t(r)] - c_.read(lambda0_[r]))), out.add(lambda0_[r], now[size_t(r)]);
  };
  advance_ = c_.program(advance);
  settle_and_advance_ = c_.program([&](Stores& out) { store_settled(out), advance(out); });
  clear_ = c_.program(
      [&](Stores& out) { c_.store_velocities(out, change_, AlignedVector<Traced>(size_t(change_.count), Traced(0))); });
}

// What a step leaves to the next one, if nobody looks: angles, work and failures.
void LaneGeneralizedAlpha::store_settled(Stores& out) {
  GeneralizedAlphaStep<Traced>& g = *step_;
  State<Traced> s = find_end().end;
  if (c_.assembly().accounts()) {
    s.power = c_.energies(power_), g.w0 = c_.energies(w0_);
    g.evaluate();
    g.find_work(s);
    c_.store_energies(out, power_, g.end.power), c_.store_energies(out, w0_, g.w1), c_.store_energies(out, c_.work, g.end.work);
  }
  g.count_turns();
  out.add(c_.turns, g.end.turns);
  Traced sum(0);
  for (const Traced& x : g.change) sum += x;
  const TracedMask frozen = c_.read(frozen_) != Traced(0);
  c_.store_failure(out, (!frozen) | g.violates(c_.read(relative_)) | turns_too_far(g.turn()) | !(abs(sum) < Traced(1e300)));
}

// At the end of a step: outputs, and the node itself, which is a prediction with nothing to change.
void LaneGeneralizedAlpha::trace_node() {
  GeneralizedAlphaStep<Traced>& g = *step_;
  settle_ = c_.program([&](Stores& out) { store_settled(out); });
  observe_ = c_.program([&](Stores& out) {
    find_end();
    store_observation(out, g.end);
  });
  sees_turns_ = c_.reads(observe_, c_.turns);
  restore_ = c_.program([&](Stores& out) {
    Ahead ahead = find_end();
    std::swap(ahead.end.positions, g.end.positions);
    ahead.end.velocities = g.end.velocities, ahead.end.accelerations = g.end.accelerations;
    ahead.a1 = g.a1;
    std::fill(ahead.turn.begin(), ahead.turn.end(), Traced(0));
    store(out, ahead);
    c_.store_velocities(out, change_, ahead.turn);
    out.add(c_.lambda, g.end.lambda);
  });
}

void LaneGeneralizedAlpha::trace_decisions() {
  const auto decision = [&](int to, auto&& condition) {
    return c_.program([&](Stores& out) { out.add(to, select(condition(), Traced(1), Traced(0))); });
  };
  want_slow_ = decision(wants_, [&] { return c_.read(contraction_) > Traced(slow); });
  want_seconds_ = c_.program([&](Stores& out) {
    const Traced seconds = c_.read(seconds_);
    out.add(wants_, select(seconds > Traced(few_seconds), Traced(1), Traced(0)));
    out.add(seconds_, Traced(remembered) * seconds);
  });
  want_open_ = decision(wants_, [&] { return c_.read(frozen_) == Traced(0); });
  measure_often_ = decision(measure_, [&] { return c_.read(contraction_) > Traced(fast); });
  measure_seldom_ = decision(measure_, [&] { return !(c_.read(contraction_) > Traced(fast)); });
}

// What step() decides lane by lane, as events.
void LaneGeneralizedAlpha::tell_iterations(LaneRun& run) const {
  const long n = run.count;
  const bool look = is_loose() && n % look_steps == 0;
  if (look) run.run(want_seconds_);
  if (n % most_steps() == 0) {
    run.set(wants_, 1);
    run.run(clear_), run.run(refactor_);
  } else if (look || n % 2 == 1) {
    if (!look) run.run(want_slow_);
    const int skip = run.skip_if_none(wants_);
    run.run(clear_), run.run(refactor_);
    run.land(skip);
  }
  const bool often = n % measure_steps == 1, seldom = n % measure_seldom == 1;
  often == seldom ? run.set(measure_, often ? 1 : 0) : run.run(often ? measure_often_ : measure_seldom_);
  run.run(first_iteration_);
  std::vector<int> skips;
  for (int k = 1; k < max_iterations; ++k) {
    skips.push_back(run.skip_if_all(frozen_));
    if (k % refactor_iterations == 0) run.run(want_open_), run.run(refactor_);
    run.run(iterate_);
  }
  for (const int skip : skips) run.land(skip);
}

// Outputs with accelerations and multipliers of the index-1 form; the method goes on from its own.
void LaneGeneralizedAlpha::observe_index1(LaneRun& run) const {
  restore(run);
  run.copy(c_.accelerations, own_accelerations_), run.copy(c_.lambda, own_lambda_);
  run.run(accelerate_);
  run.run(observe_node_);
  run.copy(own_accelerations_, c_.accelerations), run.copy(own_lambda_, c_.lambda);
}

void LaneGeneralizedAlpha::begin(LaneRun& run) const {
  run.run(start_.project);
  run.run(accelerate_);
  run.run(observe_node_);
  run.observed = true;
  run.begun();
  const double step = run.value(c_.step, 0);
  run.signals(c_.signals, run.time + step_->tiny * step, Side::right);
  run.run(find_jerk_);
  run.signals(c_.signals, run.time, Side::right);
  if (step_->flexible()) run.run(soften_);
  run.run(shift_);
  run.set(relative_, step_->regularization(step));
  run.set(contraction_, 0.5), run.set(measure_, 0), run.set(seconds_, 0);
  run.count = 0, run.settled = true;
}

void LaneGeneralizedAlpha::step(LaneRun& run, double, double t1) const {
  run.run(run.settled ? advance_ : settle_and_advance_);
  run.signals(c_.signals, t1, Side::left);
  run.traced() ? tell_iterations(run) : iterate(run);
  if (tolerance_ < loose || run.count < units_steps || run.count % units_steps == 0) run.run(units_);
  run.settled = false;
  ++run.count;
  run.observed = false;
}

void LaneGeneralizedAlpha::iterate(LaneRun& run) const {
  const int lanes = run.width();
  const auto refactor_where = [&](bool at_start, auto&& condition) {
    bool some = false;
    for (int lane = 0; lane < lanes; ++lane) some |= condition(lane);
    if (!some) return;
    for (int lane = 0; lane < lanes; ++lane) run.slot(wants_)[lane] = condition(lane) ? 1 : 0;
    if (at_start) run.run(clear_);
    run.run(refactor_), ++run.profile.factorisations;
  };
  const bool due = run.count % most_steps() == 0, look = is_loose() && run.count % look_steps == 0;
  if (due || look)
    refactor_where(true, [&](int lane) { return due || run.value(seconds_, lane) > few_seconds; });
  else if (run.count % 2 == 1)
    refactor_where(true, [&](int lane) { return run.value(contraction_, lane) > slow; });
  for (int lane = 0; lane < run.width() && look; ++lane) run.slot(seconds_)[lane] *= remembered;
  const bool often = run.count % measure_steps == 1, seldom = run.count % measure_seldom == 1;
  if (often || seldom)
    for (int lane = 0; lane < run.width(); ++lane)
      run.slot(measure_)[lane] = run.value(contraction_, lane) > fast ? often : seldom;
  for (int k = 0; k < max_iterations; ++k) {
    if (k > 0 && k % refactor_iterations == 0) refactor_where(false, [&](int lane) { return run.value(frozen_, lane) == 0; });
    run.run(k == 0 ? first_iteration_ : iterate_);
    ++run.profile.iterations;
    bool all = true;
    for (int lane = 0; lane < lanes; ++lane) all &= run.value(frozen_, lane) != 0;
    if (all) break;
  }
  if (often || seldom) run.set(measure_, 0);
}

}  // namespace

std::unique_ptr<LaneMethod> lane_generalized_alpha(LaneCompiler& c, const LaneStart& start, const Settings& s) {
  return std::make_unique<LaneGeneralizedAlpha>(c, start, s.rho, tolerance_of(s));
}

}  // namespace aleator::core
