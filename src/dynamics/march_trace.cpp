#include "dynamics/march_trace.hpp"

#include <algorithm>
#include <limits>

#include "dynamics/controlled.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Traced read(int slot) { return Traced::of(Tape::current().input(slot, Level::state)); }
TracedMask is(int slot) { return read(slot) != Traced(0); }
Traced number(const TracedMask& m) { return select(m, Traced(1), Traced(0)); }
Program made(Tape& tape, const std::vector<Store>& stores) {
  int slots = 0;  // nothing depends on the realization alone
  return ProgramMaker(tape, slots).make(stores);
}

}  // namespace

MarchTrace::MarchTrace(LaneTrace& trace, SignalTrace& signals, const LaneMethod& method, const LaneCompiler& compiler,
                       const TryLimit& limit)
    : trace_(trace), signals_(signals), method_(method), compiler_(compiler), kept_(method.kept()), saved_(trace.slots) {
  kept_.push_back(compiler.work);
  for (const Slots& f : kept_) trace.slots += f.count;
  for (int* s : {&at_, &part_, &tries_, &size_, &from_, &to_, &t0_, &t1_, &step_, &active_, &going_}) *s = trace.slots++;
  if (method.active() >= 0) active_ = method.active();
  for (const auto& [number, program] :
       {std::pair(&save_program_, save()), std::pair(&part_program_, part()), std::pair(&judge_program_, judgement(limit))}) {
    *number = trace.reserve_program();
    trace.program(*number) = program;
  }
}

void MarchTrace::begin() {
  trace_.set(part_, 1), trace_.set(tries_, 0), trace_.set(size_, 0);
  trace_.set(from_, 0), trace_.set(to_, 0);
}

void MarchTrace::begin_step(double t0, double t1, double step) {
  signals_.begin_step(t0, t1);
  trace_.set(t0_, t0), trace_.set(t1_, t1), trace_.set(step_, step);
  trace_.run(save_program_);
  loop_ = trace_.events.size();
  trace_.run(part_program_);
}

void MarchTrace::end_step(double step) {
  trace_.run(judge_program_);
  trace_.repeat_if_any(going_, loop_);
  trace_.set(compiler_.step, step);
}

// What a step may spoil.
Program MarchTrace::save() const {
  Tape tape(false);
  const Tape::Recording recording(tape);
  std::vector<Store> out = {{Traced(0).node, at_}};
  int to = saved_;
  for (const Slots& f : kept_)
    for (int i = 0; i < f.count; ++i) out.push_back({read(f[i]).node, to++});
  return made(tape, out);
}

// A part is tried by every lane that has not arrived.
Program MarchTrace::part() const {
  Tape tape(false);
  const Tape::Recording recording(tape);
  const Traced start = read(at_), length = read(part_), end = start + length, t0 = read(t0_), t1 = read(t1_),
               size = read(step_) * length;
  const TracedMask active = (start < Traced(1)) & !is(compiler_.failed), resized = active & (size != read(size_));
  const Traced from = select(start == Traced(0), t0, t0 + (t1 - t0) * start),
               to = select(end == Traced(1), t1, t0 + (t1 - t0) * end);
  std::vector<Store> out;
  const auto put = [&](int slot, const Traced& x) { out.push_back({x.node, slot}); };
  put(active_, number(active));
  put(from_, select(active, from, read(from_))), put(to_, select(active, to, read(to_)));
  put(compiler_.step, select(active, size, read(compiler_.step)));
  put(size_, select(active, size, read(size_)));
  for (const int s : method_.of_resized()) put(s, select(resized, Traced(1), read(s)));
  return made(tape, out);
}

// StepParts::judge and hopeless, LaneRun::judge.
Program MarchTrace::judgement(const TryLimit& limit) const {
  Tape tape(false);
  const Tape::Recording recording(tape);
  const TracedMask active = is(active_);
  const Traced error = select(is(compiler_.failed), Traced(infinity), read(method_.error()));
  const TracedMask accepted = active & (error <= Traced(1)), rejected = active & !(error <= Traced(1));
  const Traced part = read(part_), at = select(accepted, read(at_) + part, read(at_));
  const TracedMask free = is_finite(error) & (read(method_.turn()) >= Traced(free_turn * free_turn));
  const Traced tries = read(tries_) + select(free, Traced(limit.of_a_turn), Traced(1)) * number(active);
  const Traced pairs = at / (Traced(2) * part);
  const TracedMask longer = accepted & (part < Traced(1)) & (error < Traced(StepParts::easy)) & (floor(pairs) == pairs);
  Traced shorter = Traced(0.0625);  // as StepParts::halvings()
  for (int k = 3; k >= 1; --k) shorter = select(error <= Traced(double(1 << 5 * k)), Traced(1.0 / double(1 << k)), shorter);
  shorter = select(is_finite(error), shorter, Traced(0.25));
  const Traced next = select(longer, Traced(2) * part, select(rejected, max(part * shorter, Traced(StepParts::shortest)), part));
  const TracedMask hopeless = rejected & ((next < Traced(StepParts::too_short)) | (tries > Traced(limit.most)));
  std::vector<Store> out;
  const auto put = [&](int slot, const Traced& x) { out.push_back({x.node, slot}); };
  put(at_, at), put(part_, next), put(tries_, tries);
  int saved = saved_;
  for (const Slots& f : kept_)
    for (int i = 0; i < f.count; ++i, ++saved) {
      Traced x = select(accepted, read(f[i]), read(saved));
      if (f[i] == compiler_.failed) {
        x = select(hopeless, Traced(1), x);
        put(going_, number((at < Traced(1)) & !(x != Traced(0))));
      }
      put(f[i], x), put(saved, x);
    }
  return made(tape, out);
}

}  // namespace aleator::core
