#include "dynamics/lane_compiler.hpp"

#include <algorithm>
#include <bit>

#include "base/cancellation.hpp"

namespace aleator::core {

namespace {
bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Operations behind some nodes that are done in every step.
long operations_behind(const Tape& tape, std::vector<int> open) {
  std::vector<char> seen(tape.size(), 0);
  long count = 0;
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    const Tape::Node& n = tape.node(i);
    if (seen[i] || tape.level(i) != Level::state || n.op == Operation::input) continue;
    seen[i] = 1, ++count;
    open.push_back(n.a);
    if (n.b >= 0) open.push_back(n.b);
    if (n.c >= 0) open.push_back(n.c);
  }
  return count;
}
}  // namespace

LaneCompiler::LaneCompiler(const Model& model, std::span<const Realization<double>> samples, const Index1Pivots& pivots,
                           std::span<const double> weights, Isa isa, bool dissipation)
    : model_(model), isa_(isa), tape_(fuses(isa)), maker_(tape_, slots_) {
  node = state_fields();
  turns = field(model.topology.turns);
  lambda = field(rows());
  accelerations = field(6 * carriers());
  signals = field(3 * int(samples[0].signals.size()));
  step = field(1)[0];
  failed = field(1)[0];

  const Tape::Recording recording(tape_);
  find_varying(samples);
  find_motionless(samples);
  assembly_ = std::make_unique<Assembly<Traced>>(model, realization_);
  assembly_->set_weights(weights.data());
  if (dissipation) assembly_->count_dissipation();
  outputs = field(assembly_->channels());
  work = energies_field();
  index1_ = std::make_unique<Index1<Traced>>(*assembly_);
  use_signals(signals);
  index1_->prepare(pivots);
  if (!pivots.tree) return;
  const long tree = operations_of_accelerations();
  index1_->prepare({pivots.matrix});
  if (tree < operations_of_accelerations()) index1_->prepare(pivots);
}

// What is recorded for this is used again by programs, or vanishes.
long LaneCompiler::operations_of_accelerations() {
  State<Traced> s = state(node);
  index1_->evaluate(s, Side::right);
  index1_->accelerations(s);
  std::vector<int> roots;
  for (size_t i = 0; i < s.accelerations.size(); ++i)
    if (model_.structure.dof[i] >= 0) roots.push_back(s.accelerations[i].node);
  return operations_behind(tape_, std::move(roots));
}

Slots LaneCompiler::field(int count) {
  const Slots f{slots_, count};
  slots_ += count;
  return f;
}

// Coefficients of functions of time are not read by programs: the driver evaluates them.
void LaneCompiler::find_varying(std::span<const Realization<double>> samples) {
  realization_.signals = samples[0].signals;
  realization_.numbers.resize(samples[0].numbers.size());
  first_number_ = slots_;
  for (int i = 0; i < int(samples[0].numbers.size()); ++i) {
    const double x = samples[0].numbers[i];
    bool varies = false;
    if (i < model_.structure.layout.signals)
      for (const auto& s : samples) varies = varies || !same_bits(s.numbers[i], x);
    if (varies) varying_.push_back(i);
    realization_.numbers[i] = varies ? Traced::of(tape_.input(field(1)[0], Level::realization)) : Traced(x);
  }
}

// Positions whose rates are zero whatever the velocities of the unlocked directions are.
void LaneCompiler::find_motionless(std::span<const Realization<double>> samples) {
  const int n = 7 * carriers();
  moves_.assign(n, 0), constant_.assign(n, 1);
  nominal_positions_ = samples[0].positions;
  for (int i = 0; i < n; ++i)
    for (const auto& s : samples)
      if (!same_bits(s.positions[i], nominal_positions_[i])) constant_[i] = 0;
  AlignedVector<Traced> q(n), v(6 * size_t(carriers())), rate(n);
  for (size_t i = 0; i < v.size(); ++i) v[i] = model_.structure.dof[i] >= 0 ? read(node.velocities[int(i)]) : Traced(0);
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n; ++i) q[i] = constant_[i] ? Traced(nominal_positions_[i]) : read(node.positions[i]);
    model_.topology.all_carriers().derivative(q.data(), v.data(), rate.data());
    for (int i = 0; i < n; ++i)
      if (rate[i].node != 0 && !moves_[i]) moves_[i] = 1, constant_[i] = 0, changed = true;
  }
}

void LaneCompiler::read(const Slots& f, AlignedVector<Traced>& x) {
  x.resize(f.count);
  for (int i = 0; i < f.count; ++i) x[i] = read(f[i]);
}

State<Traced> LaneCompiler::state(const StateSlots& f) {
  State<Traced> s;
  read(turns, s.turns), read(lambda, s.lambda), read(accelerations, s.accelerations);
  s.work = energies(work);
  s.positions.resize(f.positions.count), s.velocities.resize(f.velocities.count);
  for (int i = 0; i < f.positions.count; ++i)
    s.positions[i] = constant_[i] ? Traced(nominal_positions_[i])
                     : moves_[i]  ? read(f.positions[i])
                                  : Traced::of(tape_.input(node.positions[i], Level::realization));
  for (int i = 0; i < f.velocities.count; ++i) {
    const bool active = model_.structure.dof[i] >= 0;
    s.velocities[i] = active ? read(f.velocities[i]) : Traced(0);
    if (!active) s.accelerations[i] = Traced(0);
  }
  return s;
}

void LaneCompiler::store_positions(Stores& out, const Slots& f, const AlignedVector<Traced>& q) const {
  for (int i = 0; i < f.count; ++i)
    if (moves_[i]) out.add(f[i], q[i]);
}
void LaneCompiler::store_velocities(Stores& out, const Slots& f, const AlignedVector<Traced>& v) const {
  for (int i = 0; i < f.count; ++i)
    if (model_.structure.dof[i] >= 0) out.add(f[i], v[i]);
}
void LaneCompiler::store_state(Stores& out, const StateSlots& f, const State<Traced>& s) const {
  store_positions(out, f.positions, s.positions);
  store_velocities(out, f.velocities, s.velocities);
}
void LaneCompiler::store_failure(Stores& out, const TracedMask& bad) {
  const Traced before = read(failed);
  out.add(failed, select(bad, Traced(1), before));
}

// Whoever asks for an integral counts dissipation.
Slots LaneCompiler::energies_field() {
  return field(!assembly_->accounts() ? 0 : assembly_->counts_dissipation() ? 3 + model_.topology.integrals : 2);
}
Energies<Traced> LaneCompiler::energies(const Slots& f) {
  Energies<Traced> e;
  if (f.count > 0) e.supplied = read(f[0]), e.exchanged = read(f[1]);
  if (f.count > 2) e.dissipated = read(f[2]);
  for (int i = 3; i < f.count; ++i) e.each.push_back(read(f[i]));
  return e;
}
void LaneCompiler::store_energies(Stores& out, const Slots& f, const Energies<Traced>& e) const {
  if (f.count > 0) out.add(f[0], e.supplied), out.add(f[1], e.exchanged);
  if (f.count > 2) out.add(f[2], e.dissipated);
  for (int i = 3; i < f.count; ++i) out.add(f[i], e.each[size_t(i - 3)]);
}

void LaneCompiler::use_signals(const Slots& f) {
  Jet<Traced>* s = assembly_->signals();
  for (int i = 0; i < f.count / 3; ++i) s[i] = {read(f[3 * i]), read(f[3 * i + 1]), read(f[3 * i + 2])};
}

void LaneCompiler::record(const std::function<void()>& f) {
  throw_if_cancelled();
  const Tape::Recording recording(tape_);
  f();
}

int LaneCompiler::program(const std::function<void(Stores&)>& record) {
  const Tape::Recording recording(tape_);
  Stores stores;
  record(stores);
  programs_.push_back(stores.list());
  return int(programs_.size()) - 1;
}

bool LaneCompiler::reads(int program, const Slots& f) const {
  std::vector<char> seen(size_t(tape_.size()), 0);
  std::vector<int> open;
  for (const Store& s : programs_[size_t(program)]) open.push_back(s.node);
  while (!open.empty()) {
    const int i = open.back();
    open.pop_back();
    if (i < 0 || seen[size_t(i)]) continue;
    seen[size_t(i)] = 1;
    const Tape::Node& n = tape_.node(i);
    if (n.op == Operation::input && n.a >= f.first && n.a < f.first + f.count) return true;
    if (n.op != Operation::input && n.op != Operation::constant) open.insert(open.end(), {n.a, n.b, n.c});
  }
  return false;
}

// Measured angles count on from step to step, which is not cheap; usually nobody asks for them.
std::vector<Program> LaneCompiler::make_programs() {
  const auto is_turn = [&](int slot) { return slot >= turns.first && slot < turns.first + turns.count; };
  std::vector<Program> made;
  bool used = false;
  for (std::vector<Store> stores : programs_) {
    stores.erase(std::remove_if(stores.begin(), stores.end(), [&](const Store& s) { return is_turn(s.slot); }), stores.end());
    throw_if_cancelled();
    made.push_back(maker_.make(stores));
    for (const Program::Place& p : made.back().places) used = used || (!p.is_constant && is_turn(p.slot));
  }
  if (!used) return made;
  made.clear();
  for (const std::vector<Store>& stores : programs_) throw_if_cancelled(), made.push_back(maker_.make(stores));
  return made;
}

LaneCompiler::Result LaneCompiler::finish() {
  Result r;
  std::vector<Program> made = make_programs();
  Program setup = maker_.setup();
  r.setup = translate(setup, isa_);
  r.scratch = r.setup->scratch_slots();
  for (const Program& p : made) {
    r.programs.push_back(translate(p, isa_));
    r.operations.push_back(p.operations_by_part());
    r.traffic.push_back(p.traffic());
    r.scratch = std::max(r.scratch, r.programs.back()->scratch_slots());
  }
  r.sources = std::move(made);
  r.sources.push_back(std::move(setup));
  r.slots = slots_;
  r.varying = std::move(varying_);
  r.first_number = first_number_;
  r.position_is_constant = std::move(constant_);
  return r;
}

void Kept::add(Traced* x, size_t count) {
  for (size_t i = 0; i < count; ++i) numbers_.push_back({x + i});
}
void Kept::add(Traced* x, int slot) { numbers_.push_back({x, slot}); }
void Kept::add_known(Traced* x, const Traced& value) { numbers_.push_back({x, -1, value.node}); }

void Kept::load() {
  for (Number& n : numbers_) *n.x = n.slot >= 0 ? c_.read(n.slot) : Traced::of(n.known);
}

bool Kept::settle(Stores& out) {
  bool good = true;
  const Tape& tape = Tape::current();
  for (Number& n : numbers_) {
    const int now = n.x->node;
    if (n.slot >= 0) {
      if (now != c_.read(n.slot).node) out.add(n.slot, *n.x);
      continue;
    }
    if (now == n.known) continue;
    // In some lanes it is what it was: then it is what it becomes in the others, before it was set it did not matter.
    const Tape::Node& node = tape.node(now);
    int value = now;
    if (node.op == Operation::select && (node.b == n.known || node.c == n.known)) value = node.b == n.known ? node.c : node.b;
    if (tape.level(value) < Level::state && n.revised++ < 2)
      n.known = value;
    else
      n.slot = c_.field(1)[0];
    good = false;
  }
  return good;
}

void Kept::programs(const std::vector<std::function<void(Stores&)>>& bodies, const std::vector<int*>& out) {
  for (bool good = false; !good;) {
    good = true;
    for (const auto& body : bodies)
      c_.record([&] {
        Stores unused;
        load();
        body(unused);
        good = settle(unused) && good;
      });
  }
  for (size_t i = 0; i < bodies.size(); ++i)
    *out[i] = c_.program([&](Stores& stores) {
      load();
      bodies[i](stores);
      settle(stores);
    });
}

}  // namespace aleator::core
