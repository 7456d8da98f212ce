#include "dynamics/lane_engine.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <chrono>
#include <cmath>

#include "base/lanes_to_rows.hpp"
#include "base/large_pages.hpp"
#include "base/wide.hpp"
#include "dynamics/energy_watch.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/newton_symmetry.hpp"
#include "dynamics/signal_trace.hpp"
#include "dynamics/start.hpp"
#include "dynamics/violation.hpp"
#include "model/output_filters.hpp"

namespace aleator::core {

LaneEngine::LaneEngine(const Model& model, std::span<const Parameters> samples, const Settings& settings, Isa isa, bool balanced,
                       const LanePasses& passes)
    : model_(model), settings_(settings), isa_(isa) {
  samples_.push_back(make_realization<double>(model, std::span(&model.nominal, 1)));
  for (const Parameters& n : samples) samples_.push_back(make_realization<double>(model, std::span(&n, 1)));

  Assembly<double> a(model, samples_[0]);
  const State<double> s = assemble(a);
  Index1<double> index1(a);
  index1.evaluate(s, Side::right);
  compiler_ = std::make_unique<LaneCompiler>(model, samples_, index1.pivots(), a.weights(), isa, balanced);
  a.regularize(1e-11);
  a.mass_matrix();  // which may not have been needed
  compiler_->nominal_values.assign(a.values().begin(), a.values().end());
  // Rigid mechanisms have few factors to keep.
  if (passes.symmetric && a.carriers().flexible() && !integrator(settings).is_explicit) {
    compiler_->asymmetric = find_asymmetric(a, s);
    if (passes.border) compiler_->random_values.assign(a.values().begin(), a.values().end());
  }
  start_ = std::make_unique<LaneStart>(*compiler_);
  assert(integrator(settings).make_lanes);
  method_ = integrator(settings).make_lanes(*compiler_, *start_, settings);
  trace_energy();
  compiled_ = compiler_->finish();
  varying_signals_.assign(samples_[0].signals.size(), 0);
  for (const Realization<double>& r : samples_)
    for (size_t s = 0; s < varying_signals_.size(); ++s)
      if (!same_signal(r, samples_[0], s)) varying_signals_[s] = 1;
  samples_.resize(std::min<size_t>(samples_.size(), 2));  // the second shows devices the pieces of functions of time

  fixed_numbers_.assign(size_t(model.structure.layout.signals), ~std::uint64_t{0});
  for (const int i : compiled_.varying) fixed_numbers_[size_t(i)] = 0;
  for (const char is_constant : compiled_.position_is_constant) fixed_positions_.push_back(is_constant ? ~std::uint64_t{0} : 0);
  times_ = output_times(settings.duration, settings.output_step);
  const auto of_work = [](const Output& o) { return o.of_work; };
  if (!balanced && std::none_of(model.topology.outputs.begin(), model.topology.outputs.end(), of_work))
    watch_every_ = (long(times_.size()) + watched_times - 1) / watched_times;
  for (const Output& o : model.topology.outputs) angular_.insert(angular_.end(), o.channels.size(), o.angular);
}

void LaneEngine::trace_energy() {
  LaneCompiler& c = *compiler_;
  const Assembly<Traced>& a = c.assembly();
  energy_ = c.field(6), before_ = c.field(1)[0];
  const auto node = [&] {
    State<Traced> s = c.state(c.node);
    c.assembly().kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
    return s;
  };
  watch_ = c.program([&](Stores& out) {
    const State<Traced> s = node();
    EnergyWatch<Traced> watch{c.read(energy_[0]), c.read(energy_[1]), c.read(energy_[2]), c.read(energy_[3])};
    const Traced lively = liveliness(model_, size_as_drawn(model_), settings_.duration, s.velocities.data());
    c.store_failure(out, watch.sees(a, s.work, lively));
    out.add(energy_[0], watch.least), out.add(energy_[1], watch.largest), out.add(energy_[2], watch.size);
    out.add(energy_[3], watch.gained), out.add(energy_[5], watch.energy);
    AlignedVector<Traced> seen(c.channels());
    a.observe_work(s.work, c.read(energy_[4]), seen.data());
    int channel = 0;
    for (const Output& o : model_.topology.outputs)
      for (size_t i = 0; i < o.channels.size(); ++i, ++channel)
        if (o.of_work) out.add(c.outputs[channel], seen[size_t(channel)]);
  });
  weigh_ = c.program([&](Stores& out) {
    const State<Traced> s = node();  // the assembly refers to its turns
    out.add(before_, a.kinetic_energy() + a.potential_energy());
  });
  jump_ = c.program([&](Stores& out) {
    State<Traced> s = node();
    s.work.supply(a.kinetic_energy() + a.potential_energy() - c.read(before_));
    c.store_energies(out, c.work, s.work);
  });
}

namespace {
// Whether numbers have the same bits wherever they are fixed.
ALEATOR_WIDE bool same_where(const std::vector<std::uint64_t>& fixed, const double* a, const double* b) {
  std::uint64_t differ = 0;
  for (size_t i = 0; i < fixed.size(); ++i)
    differ |= (std::bit_cast<std::uint64_t>(a[i]) ^ std::bit_cast<std::uint64_t>(b[i])) & fixed[i];
  return differ == 0;
}
}  // namespace

bool LaneEngine::fits(const Realization<double>& r) const {
  const Realization<double>& nominal = samples_[0];
  return same_where(fixed_numbers_, r.numbers.data(), nominal.numbers.data()) &&
         same_where(fixed_positions_, r.positions.data(), nominal.positions.data());
}

int LaneEngine::slot_of_number(int number) const {
  const auto it = std::find(compiled_.varying.begin(), compiled_.varying.end(), number);
  return it == compiled_.varying.end() ? constant : compiled_.first_number + int(it - compiled_.varying.begin());
}
int LaneEngine::slot_of_position(int i) const {
  return compiled_.position_is_constant[size_t(i)] ? constant : compiler_->node.positions[i];
}
int LaneEngine::slot_of_velocity(int i) const {
  return model_.structure.dof[size_t(i)] < 0 ? nowhere : compiler_->node.velocities[i];
}

namespace {
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }
}  // namespace

void LaneProfile::add(const LaneProfile& o) {
  for (int p = 0; p < parts; ++p) seconds[p] += o.seconds[p], operations[p] += o.operations[p];
  whole += o.whole, steps += o.steps, packs += o.packs, iterations += o.iterations, factorisations += o.factorisations;
  read += o.read, written += o.written;
  reduced += o.reduced;
  gained = std::max(gained, o.gained);
  if (o.smallest > 0) smallest = smallest > 0 ? std::min(smallest, o.smallest) : o.smallest;
}

// The time of a program belongs to its parts as its operations do.
void LaneRun::run_observed(int program) {
  if (trace_) return trace_->run(program);
  const double start = now();
  (*engine_.compiled_.programs[program])(frame_.data(), scratch_.data());
  const double seconds = now() - start;
  const auto& operations = engine_.compiled_.operations[program];
  profile.read += double(engine_.compiled_.traffic[program].read);
  profile.written += double(engine_.compiled_.traffic[program].written);
  double all = 0;
  for (const long n : operations) all += double(n);
  for (int p = 0; p < parts; ++p) {
    profile.operations[p] += double(operations[p]);
    profile.seconds[p] += seconds * (all > 0 ? double(operations[p]) / all : p == 0);
  }
}

static void allocate(AlignedVector<double>& v, size_t count) {
  v.reserve(count);
  prefer_large_pages(v.data(), count * sizeof(double));  // before they are touched
  v.resize(count);
}

LaneRun::LaneRun(const LaneEngine& e, bool profiled) : engine_(e), width_(e.lanes()), profiled_(profiled) {
  allocate(frame_, size_t(e.compiled_.slots) * width_);
  allocate(scratch_, size_t(e.compiled_.scratch) * width_);
  lane_.resize(width_);
  uniform_.resize(e.samples_[0].signals.size());
  pieces_.resize(uniform_.size() * width_);
}

void LaneRun::set(int slot_number, double x) {
  std::fill_n(slot(slot_number), width_, x);
  if (trace_) trace_->set(slot_number, x);
}

void LaneRun::copy(const Slots& from, const Slots& to) {
  if (trace_) return trace_->copy(from.first, to.first, from.count);
  std::copy_n(slot(from.first), size_t(from.count) * size_t(width_), slot(to.first));
}

bool LaneRun::any(int slot_number) const {
  for (int lane = 0; lane < width_; ++lane)
    if (value(slot_number, lane) != 0) return true;
  return false;
}

bool same_signal(const Realization<double>& a, const Realization<double>& b, size_t s) {
  const Signal &f = a.signals[s], &g = b.signals[s];
  const double *const x = a.numbers.data() + f.coefficients, *const y = b.numbers.data() + g.coefficients;
  return same_pieces(f.pieces, g.pieces) && std::equal(x, x + f.pieces.coefficients.size(), y);
}

void LaneRun::fill(std::span<const Start> starts) {
  const LaneCompiler& c = *engine_.compiler_;
  const std::vector<int>& dof = engine_.model_.structure.dof;
  for (int lane = 0; lane < width_; ++lane) {
    const Start& start = starts[std::min<size_t>(lane, starts.size() - 1)];
    const Realization<double>& r = *(lane_[lane] = start.realization);
    for (size_t k = 0; k < engine_.compiled_.varying.size(); ++k)
      slot(engine_.compiled_.first_number + int(k))[lane] = r.numbers[engine_.compiled_.varying[k]];
    const auto& q = start.state ? start.state->positions : r.positions;
    const auto& v = start.state ? start.state->velocities : r.velocities;
    for (int i = 0; i < c.node.positions.count; ++i) slot(c.node.positions[i])[lane] = q[i];
    for (int i = 0; i < c.node.velocities.count; ++i) slot(c.node.velocities[i])[lane] = dof[i] >= 0 ? v[i] : 0;
    for (int i = 0; i < c.turns.count; ++i) slot(c.turns[i])[lane] = start.state ? start.state->turns[i] : 0;
    for (size_t k = 0; k < start.slots.size(); ++k) slot(start.slots[k])[lane] = start.numbers[k];
  }
  for (const Slots& f : {c.lambda, c.accelerations})
    for (int i = 0; i < f.count; ++i) set(f[i], 0);
  set(c.failed, 0);
  for (size_t s = 0; s < uniform_.size(); ++s)
    uniform_[s] = std::all_of(lane_.begin(), lane_.end(),
                              [&](const Realization<double>* r) { return r == lane_[0] || same_signal(*r, *lane_[0], s); });
  if (trace_) {
    for (int i = 0; i < c.turns.count && !starts[0].state; ++i) set(c.turns[i], 0);
    return trace_->run(int(engine_.compiled_.programs.size()));
  }
  (*engine_.compiled_.setup)(frame_.data(), scratch_.data());
}

void LaneRun::begin_log(double step) {
  const auto begin = lane_[0]->numbers.begin() + engine_.model_.structure.layout.signals, end = lane_[0]->numbers.end();
  const std::vector<Signal>& signals = lane_[0]->signals;
  // What is witnessed is not done again soon.
  log_.on = !witness_ && std::all_of(uniform_.begin(), uniform_.end(), [](char u) { return u != 0; });
  log_.next = 0;
  if (!log_.on) return;
  log_.replayed = !log_.values.empty() && log_.step == step && log_.breakpoints == lane_[0]->breakpoints &&
                  std::equal(begin, end, log_.coefficients.begin(), log_.coefficients.end()) &&
                  std::equal(signals.begin(), signals.end(), log_.pieces.begin(), log_.pieces.end(),
                             [](const Signal& a, const PiecewisePolynomial& b) { return same_pieces(a.pieces, b); });
  if (log_.replayed) return;
  log_.values.clear();
  log_.step = step, log_.breakpoints = lane_[0]->breakpoints;
  log_.coefficients.assign(begin, end);
  log_.pieces.resize(signals.size());
  for (size_t s = 0; s < signals.size(); ++s) {
    const PiecewisePolynomial& from = signals[s].pieces;
    PiecewisePolynomial& to = log_.pieces[s];  // which has room
    to.knots = from.knots, to.degree = from.degree, to.series = from.series;
  }
}

LaneRun::PlacedPiece LaneRun::placed(int s, int lane, double t, Side side) {
  const Realization<double>& r = *lane_[lane];
  const Signal& f = r.signals[s];
  const PiecewisePolynomial& p = f.pieces;
  int& piece = pieces_[s * width_ + lane];
  piece = find_piece(p, t, side, piece);
  return {r.numbers.data() + f.coefficients + p.offset(piece), p.degree, place_in_piece(p, piece, t),
          p.knots[piece + 1] - p.knots[piece]};
}

// Of a signal in two neighbouring lanes, the second of which may not be there.
void LaneRun::put_two(const Slots& field, int s, int lane, const PlacedPiece& a, const PlacedPiece& b) {
  const int other = std::min(lane + 1, width_ - 1);
  const auto put = [&](int i, double first, double second) {
    double* const to = slot(field[3 * s + i]);
    to[other] = second, to[lane] = first;
  };
  if (a.degree == b.degree) {
    const Jet<TwoDoubles> j =
        evaluate_two(a.coefficients, b.coefficients, a.degree, TwoDoubles{a.place, b.place}, TwoDoubles{a.length, b.length});
    put(0, j.f[0], j.f[1]), put(1, j.d1[0], j.d1[1]), put(2, j.d2[0], j.d2[1]);
  } else {
    const Jet<double> j = evaluate(a.coefficients, a.degree, a.place, a.length),
                      k = evaluate(b.coefficients, b.degree, b.place, b.length);
    put(0, j.f, k.f), put(1, j.d1, k.d1), put(2, j.d2, k.d2);
  }
}

namespace {
// Each number to all lanes.
template <int W>
void spread(const double* from, int count, double* to) {
  for (int k = 0; k < count; ++k)
    for (int lane = 0; lane < W; ++lane) to[k * W + lane] = from[k];
}
void spread(const double* from, int count, int width, double* to) {
  switch (width) {
    case 8:
      return spread<8>(from, count, to);
    case 4:
      return spread<4>(from, count, to);
    case 2:
      return spread<2>(from, count, to);
    default:
      return spread<1>(from, count, to);
  }
}
}  // namespace

void LaneRun::signals(const Slots& field, double t, Side side) {
  if (log_.on && log_.replayed) {
    assert(!trace_);  // a trace is the first simulation of its run
    spread(log_.values.data() + log_.next, field.count, width_, slot(field.first));
    log_.next += size_t(field.count);
    return;
  }
  for (int s = 0; s < field.count / 3; ++s) {
    if (signal_trace_ && signal_trace_->varies(size_t(s))) {
      signal_trace_->at(size_t(s), field, t, side);
      continue;
    }
    if (uniform_[s]) {
      const PlacedPiece p = placed(s, 0, t, side);
      const Jet<double> j = evaluate(p.coefficients, p.degree, p.place, p.length);
      set(field[3 * s], j.f), set(field[3 * s + 1], j.d1), set(field[3 * s + 2], j.d2);
      if (log_.on) log_.values.insert(log_.values.end(), {j.f, j.d1, j.d2});
      continue;
    }
    for (int lane = 0; lane < width_; lane += 2)
      put_two(field, s, lane, placed(s, lane, t, side), placed(s, std::min(lane + 1, width_ - 1), t, side));
  }
}

void LaneRun::assemble() {
  const LaneStart& s = *engine_.start_;
  set(s.going, 1);
  set(s.violation, HUGE_VAL);
  const size_t before = trace_ ? trace_->events.size() : 0;
  for (int k = 0; k < 100 && any(s.going); ++k) {
    skip_if_none(s.going);
    run(s.assemble);
  }
  if (trace_) trace_->land_all(before);
  run(s.settle);
  run(s.project);
  run(s.check);
}

// Velocities jump where those of drives do: these have done it.
void LaneRun::begun() {
  const LaneCompiler& c = *engine_.compiler_;
  if (time == 0) {
    run(engine_.weigh_);
    copy({engine_.before_, 1}, {engine_.energy_[4], 1});
  } else if (c.work.count > 0) {
    run(engine_.jump_);
  }
  watch();
}

void LaneRun::restore_node() {
  if (!restored_) engine_.method_->restore(*this);
  restored_ = true;
}

void LaneRun::watch() {
  restore_node();
  run(engine_.watch_);
  watched_ = true;
}

// Of nodes that are recorded, and of output times, so many have gone by. Work is an output at all nodes.
bool LaneRun::watch_is_due() {
  const int every = int(engine_.watch_every_);
  ++recorded_;
  if (every > 1 && recorded_ > 1 && (recorded_ <= every || recording_->written() < watch_from_)) return false;
  recorded_ = 1, watch_from_ = recording_->written() + every;
  return true;
}

void LaneRun::record(int node) {
  Recorder& r = *recording_;
  if (!r.wants(node)) return;
  engine_.method_->observe(*this);
  if (!watched_ && watch_is_due()) watch();
  if (poses_ || witness_) restore_node();
  const LaneCompiler& c = *engine_.compiler_;
  if (trace_) {
    trace_->record(node, c.outputs.first, c.outputs.count);
    return r.commit(node);
  }
  double* out = r.node(node);
  out = std::copy_n(slot(c.outputs.first), size_t(c.outputs.count) * width_, out);
  if (poses_) out = std::copy_n(slot(c.node.positions.first), size_t(c.node.positions.count) * width_, out);
  if (witness_) witness_->look(*this, r.node_time(node), node == 0 ? Side::right : Side::left, out);
  r.commit(node);
}

void LaneRun::begin_recording(bool poses, LaneWitness* witness) {
  const LaneCompiler& c = *engine_.compiler_;
  const int more = witness ? witness->channels() : 0;
  channels_ = width_ * (c.outputs.count + (poses ? c.node.positions.count : 0)) + more;
  std::unique_ptr<Recorder>& recorder = witness ? recorder_witness_ : poses ? recorder_poses_ : recorder_;
  if (!recorder || witness) {
    std::vector<char> angular;
    for (const char x : engine_.angular_) angular.insert(angular.end(), width_, x);
    angular.resize(size_t(channels_), 0);
    recorder = std::make_unique<Recorder>(engine_.times_, channels_, std::move(angular));
  }
  poses_ = poses;
  witness_ = witness;
  recording_ = recorder.get();
  recording_->restart();
}

bool LaneRun::all_failed() const {
  for (int lane = 0; lane < width_; ++lane)
    if (!failed(lane)) return false;
  return true;
}

void LaneRun::operator()(std::span<const Start> starts, bool poses, const std::atomic<bool>* stop, double step,
                         LaneWitness* witness) {
  const LaneCompiler& c = *engine_.compiler_;
  const Settings& settings = engine_.settings_;
  const double started = profiled_ ? now() : 0;
  begin_recording(poses, witness);

  fill(starts);
  for (int i = 0; i < engine_.energy_.count; ++i) set(engine_.energy_[i], i == 0 ? HUGE_VAL : 0);
  for (int i = 0; i < c.work.count; ++i) set(c.work[i], 0);
  recorded_ = 0, watch_from_ = 0;
  restored_ = true;
  begin_march();
  begin_log(step > 0 ? step : settings.step);
  const std::vector<double>& kinks = lane_[0]->breakpoints;
  if (!starts[0].state) {
    signals(c.signals, 0, Side::right);
    assemble();
  }
  const bool follows = follows_output_times(settings);
  double begin = 0;
  for (size_t piece = 0; piece <= kinks.size(); ++piece) {
    const bool last = piece == kinks.size();
    const double end = last ? settings.duration : kinks[piece];
    const int n = recording_->begin_piece(begin, end, step > 0 ? step : settings.step, last, follows);
    if (trace_) trace_->begin_piece(begin, end, last);
    set(c.step, recording_->step_size(1));
    signals(c.signals, time = begin, Side::right);
    if (piece > 0 && c.work.count > 0) run(engine_.weigh_);
    engine_.method_->begin(*this);
    record(0);
    double t0 = recording_->node_time(0);
    for (int i = 1; i <= n; ++i) {
      const double t1 = recording_->node_time(i);
      watched_ = restored_ = false;
      kept_.empty() ? engine_.method_->step(*this, t0, t1) : march(t0, t1, recording_->step_size(i));
      record(i);
      ++profile.steps;
      t0 = t1;
      if (witness_) witness_->stepped(t1);
      if ((stop && *stop) || all_failed()) {
        restore_node();
        log_.values.clear();
        return;
      }
    }
    restore_node();
    begin = end;
  }
  if (!watched_) watch();
  ++profile.packs;
  for (int lane = 0; lane < int(starts.size()); ++lane)
    if (const double largest = value(engine_.energy_[1], lane); largest > 0 && !failed(lane))
      profile.gained = std::max(profile.gained, value(engine_.energy_[3], lane) / largest);
  if (profiled_) profile.whole += now() - started;
}

void LaneRun::column(int first, int count, int lane, std::vector<double>& out) const {
  const size_t times = size_t(written()), n = size_t(count);
  out.resize(times * n);
  for (size_t t = 0; t < times; ++t) {
    const double* from = recording_->values().data() + t * size_t(channels_) + size_t(first) * size_t(width_) + size_t(lane);
    for (size_t i = 0; i < n; ++i) out[t * n + i] = from[i * size_t(width_)];
  }
}

void LaneRun::outputs(int lane, std::vector<double>& out) const {
  column(0, engine_.compiler_->outputs.count, lane, out);
  filter_outputs(engine_.model_, std::span(engine_.times_).first(size_t(written())), out);
}

void LaneRun::outputs(std::span<std::vector<double>* const> out) const {
  if (poses_ || witness_) {  // they are recorded in between
    for (size_t lane = 0; lane < out.size(); ++lane)
      if (out[lane]) outputs(int(lane), *out[lane]);
    return;
  }
  std::vector<double*> rows;
  const size_t count = size_t(written()) * size_t(engine_.compiler_->outputs.count);
  for (std::vector<double>* const own : out) {
    if (own) own->resize(count);
    rows.push_back(own ? own->data() : nullptr);
  }
  lanes_to_rows(recording_->values().data(), count, size_t(width_), rows);
  for (std::vector<double>* const own : out)
    if (own) filter_outputs(engine_.model_, std::span(engine_.times_).first(size_t(written())), *own);
}

void LaneRun::positions(int lane, std::vector<double>& out) const {
  column(engine_.compiler_->outputs.count, poses_ ? engine_.compiler_->node.positions.count : 0, lane, out);
}

void LaneRun::witnessed(std::vector<double>& out) const {
  const size_t n = witness_ ? size_t(witness_->channels()) : 0;
  out.clear();
  for (size_t t = 0; t < size_t(written()); ++t) {
    const auto end = recording_->values().begin() + long((t + 1) * size_t(channels_));
    out.insert(out.end(), end - long(n), end);
  }
}

void LaneRun::state(int lane, State<double>& out) const {
  const LaneCompiler& c = *engine_.compiler_;
  const auto copy = [&](const Slots& f, AlignedVector<double>& to) {
    to.resize(size_t(f.count));
    for (int i = 0; i < f.count; ++i) to[size_t(i)] = value(f[i], lane);
  };
  copy(c.node.positions, out.positions), copy(c.node.velocities, out.velocities), copy(c.turns, out.turns);
  copy(c.accelerations, out.accelerations), copy(c.lambda, out.lambda);
  out.work = energy(lane).work;
}

LaneRun::Energy LaneRun::energy(int lane) const {
  const auto at = [&](const Slots& f, int i) { return i < f.count ? value(f[i], lane) : 0; };
  const Slots &e = engine_.energy_, &work = engine_.compiler_->work;
  return {at(e, 4), at(e, 5), at(e, 1), at(e, 2), at(e, 3), {at(work, 0), at(work, 1), at(work, 2)}};
}

}  // namespace aleator::core
