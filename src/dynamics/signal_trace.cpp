#include "dynamics/signal_trace.hpp"

#include <algorithm>
#include <limits>

#include "numerics/piecewise.hpp"

namespace aleator::core {

namespace {

constexpr size_t most_pieces = 8;  // of a function of time within a step of the grid
constexpr double infinity = std::numeric_limits<double>::infinity();

Traced read(int slot) { return Traced::of(Tape::current().input(slot, Level::state)); }

}  // namespace

SignalTrace::SignalTrace(LaneTrace& trace, const Realization<double>& realization, const std::vector<char>& varies)
    : trace_(trace), realization_(realization), varies_(varies), pieces_(realization.signals.size()), place_(trace.slots++) {
  for (size_t s = 0; s < pieces_.size(); ++s) {
    const PiecewisePolynomial& p = realization.signals[s].pieces;
    pieces_[s].is_constant = p.pieces() == 1 && p.degree == 0;
    if (!varies_[s]) continue;
    pieces_[s].line = trace.coefficients;
    trace.coefficients += int(p.coefficients.size());
  }
}

// Pieces from `first` on into their slots.
void SignalTrace::put(size_t s, int first, int count) {
  Pieces& here = pieces_[s];
  if (here.first == first && here.count == count) return;
  const Signal& signal = realization_.signals[s];
  const PiecewisePolynomial& p = signal.pieces;
  const int degree = p.degree;
  while (int(here.slots.size()) < count) {
    here.slots.push_back({trace_.slots, degree + 3});
    trace_.slots += degree + 3;
  }
  for (int k = 0; k < int(here.slots.size()); ++k) {
    const Slots& to = here.slots[size_t(k)];
    if (k >= count) {
      trace_.set(to[degree + 1], infinity);  // no time is later than its beginning
      continue;
    }
    const int piece = first + k;
    if (varies_[s])
      trace_.fetch(here.line + p.offset(piece), to.first, degree + 1);
    else
      for (int i = 0; i <= degree; ++i)
        trace_.set(to[i], realization_.numbers[size_t(signal.coefficients + p.offset(piece) + i)]);
    trace_.set(to[degree + 1], p.knots[size_t(piece)]), trace_.set(to[degree + 2], p.knots[size_t(piece) + 1]);
  }
  here.first = first, here.count = count;
}

int SignalTrace::program(const Slots& field, int signal, int from, int to) {
  for (const Evaluation& e : evaluations_)
    if (e.field.first == field.first && e.signal == signal) return e.program;
  evaluations_.push_back({field, signal, from, to, trace_.reserve_program()});
  return evaluations_.back().program;
}

void SignalTrace::at(size_t s, const Slots& field, double t, Side side) {
  put(s, find_piece(realization_.signals[s].pieces, t, side, pieces_[s].first), 1);
  trace_.set(place_, t);
  trace_.run(program(field, int(s)));
}

void SignalTrace::begin_step(double t0, double t1) {
  for (size_t s = 0; s < pieces_.size(); ++s) {
    if (!is_told(s)) continue;
    const PiecewisePolynomial& p = realization_.signals[s].pieces;
    const int first = find_piece(p, t0, Side::right, pieces_[s].first), last = find_piece(p, t1, Side::left, first);
    put(s, first, std::max(0, last - first) + 1);
  }
}

void SignalTrace::within(const Slots& field, double c, int from, int to) {
  bool some = false;
  for (size_t s = 0; s < pieces_.size(); ++s) {
    some = some || is_told(s);
    if (is_told(s)) continue;
    const int at = field[3 * int(s)];
    trace_.set(at, realization_.numbers[size_t(realization_.signals[s].coefficients)]), trace_.set(at + 1, 0),
        trace_.set(at + 2, 0);
  }
  if (!some) return;
  trace_.set(place_, c);
  trace_.run(program(field, -1, from, to));
}

// As LaneRun::placed() and evaluate() do it.
void SignalTrace::make(const Evaluation& e) {
  Tape tape(false);
  const Tape::Recording recording(tape);
  Traced t = read(place_);
  if (e.signal < 0) t = select(t == Traced(1), read(e.to), read(e.from) + t * (read(e.to) - read(e.from)));
  std::vector<Store> out;
  for (size_t s = 0; s < pieces_.size(); ++s) {
    if (e.signal >= 0 ? int(s) != e.signal : !is_told(s)) continue;
    const int degree = realization_.signals[s].pieces.degree;
    std::vector<Traced> x(size_t(degree) + 3);
    for (size_t k = 0; k < (e.signal < 0 ? pieces_[s].slots.size() : 1); ++k) {
      const Slots& f = pieces_[s].slots[k];
      const TracedMask here = k == 0 ? TracedMask(true) : read(f[degree + 1]) < t;
      for (int i = 0; i < f.count; ++i) x[size_t(i)] = select(here, read(f[i]), x[size_t(i)]);
    }
    const Traced a = x[size_t(degree) + 1], b = x[size_t(degree) + 2];
    const Jet<Traced> j = evaluate(x.data(), degree, (t - a - (b - t)) / (b - a), b - a);
    const int at = e.field[3 * int(s)];
    out.push_back({j.f.node, at}), out.push_back({j.d1.node, at + 1}), out.push_back({j.d2.node, at + 2});
  }
  int slots = 0;  // nothing depends on the realization alone
  trace_.program(e.program) = ProgramMaker(tape, slots).make(out);
}

std::string SignalTrace::finish() {
  std::vector<LaneTrace::Event> before;
  for (const Pieces& p : pieces_) {
    if (p.slots.size() > most_pieces) return "a function of time has many pieces within a step that is adapted to its error";
    for (const Slots& f : p.slots) before.push_back({LaneTrace::Event::set, f[f.count - 2], 0, 0, infinity});
  }
  trace_.events.insert(trace_.events.begin(), before.begin(), before.end());  // skips and loops are relative
  for (const Evaluation& e : evaluations_) make(e);
  return {};
}

}  // namespace aleator::core
