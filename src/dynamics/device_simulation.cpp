#include "dynamics/device_simulation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/lanes_to_rows.hpp"
#include "model/output_filters.hpp"

namespace aleator::core {

namespace {

using Event = LaneTrace::Event;

// Which slots programs of a trace read, which they write, and which its events refer to.
struct Use {
  std::vector<char> read, written, of_events, set;
  Use(const std::vector<const Program*>& programs, const LaneTrace& trace, size_t slots)
      : read(slots, 0), written(slots, 0), of_events(slots, 0), set(slots, 0) {
    for (const Program* p : programs) {
      for (const Program::Place& place : p->places)
        if (!place.is_constant) read[size_t(place.slot)] = 1;
      for (const Program::Step& s : p->steps)
        if (s.op == Operation::store) written[size_t(s.b)] = 1;
    }
    for (const Event& e : trace.events) switch (e.kind) {
        case Event::set:
          set[size_t(e.a)] = 1;
          break;
        case Event::copy:
          for (int i = 0; i < e.c; ++i)
            read[size_t(e.a + i)] = 1, written[size_t(e.b + i)] = 1, of_events[size_t(e.a + i)] = of_events[size_t(e.b + i)] = 1;
          break;
        case Event::fetch:
          for (int i = 0; i < e.c; ++i) written[size_t(e.b + i)] = of_events[size_t(e.b + i)] = 1;
          break;
        case Event::record:
          for (int i = 0; i < e.c; ++i) read[size_t(e.a + i)] = of_events[size_t(e.a + i)] = 1;
          break;
        case Event::recall:
          for (int i = 0; i < e.c; ++i) written[size_t(e.b + i)] = of_events[size_t(e.b + i)] = 1;
          break;
        case Event::tell:
        case Event::skip_if_none:
        case Event::skip_if_all:
        case Event::repeat_if_any:
          read[size_t(e.a)] = of_events[size_t(e.a)] = 1;
          break;
        default:
          break;
      }
  }
};

constexpr int most_coefficients = 20000;  // of a realization's functions of time

std::uint32_t in_bytes(int slot) { return std::uint32_t(slot) * std::uint32_t(line); }

}  // namespace

DeviceSimulation::DeviceSimulation(const LaneEngine& engine, const KernelLimits& limits,
                                   const std::optional<DeviceDrawing>& drawing, const DeviceReduction& reduction)
    : engine_(engine),
      from_state_(engine.model().settings.start_at_equilibrium),
      trace_(engine.trace(engine.samples_.back(), from_state_)),
      slots_(trace_.slots) {
  if (!trace_.why_not.empty()) throw NotOnDevice{trace_.why_not};
  if (trace_.coefficients > most_coefficients)
    throw NotOnDevice{fmt::format("its realizations have functions of time of {} numbers", trace_.coefficients)};
  if (trace_.empty()) throw NotOnDevice{fmt::format("the integrator {} is not made for devices", engine.settings().integrator)};

  records_outputs_ = finds_outputs_recorded();
  const bool recalls = trace_.records * engine.compiler_->outputs.count == reduction.outputs;
  if (reduction.sequence && records_outputs_ && recalls && engine.model().filters.empty()) add_reduction(reduction);
  const size_t simulated = trace_.own.size();
  if (drawing && trace_.coefficients > 0) throw std::logic_error("functions of time are not drawn on devices");
  if (drawing) add_programs(*drawing);

  std::vector<const Program*> sources;
  for (const Program& p : engine.compiled_.sources) sources.push_back(&p);
  for (const Program& p : trace_.own) sources.push_back(&p);
  std::vector<KernelProgram> programs;
  std::vector<const Program*> used;
  number_.assign(sources.size(), -1);
  for (const Event& e : trace_.events) {
    if (e.kind != Event::run) continue;
    int& k = number_[size_t(e.a)];
    if (k < 0) k = int(programs.size()), programs.push_back({sources[size_t(e.a)], 0}), used.push_back(sources[size_t(e.a)]);
    programs[size_t(k)].runs += 1;
  }
  first_drawing_program_ = int(programs.size());
  for (size_t k = simulated; k < trace_.own.size(); ++k) programs.push_back({&trace_.own[k], 0}), used.push_back(&trace_.own[k]);
  if (drawing)
    for (const ProgramSequence::Step& s : drawing->sequence->steps)
      if (s.kind == ProgramSequence::Step::run) programs[size_t(first_drawing_program_ + s.a)].runs += 1;
  const size_t slots = size_t(slots_);
  Use use(used, trace_, slots);
  const LaneCompiler& c = *engine.compiler_;
  for (const int s : {c.failed, engine.energy_[1], engine.energy_[3]}) use.read[size_t(s)] = use.of_events[size_t(s)] = 1;
  find_inputs(use.read);
  if (drawing) schedule_drawing(*drawing);

  std::vector<char> uniform(slots, 0), in_frame = use.of_events;
  for (const DeviceSchedule* s : {std::as_const(*this).drawn(), &std::as_const(*this).given()})
    if (s)
      for (const std::uint32_t at : s->places) in_frame[at / line] = 1;
  if (drawn_)
    for (const DeviceEvent& e : drawn_->events) in_frame[e.a / line] |= e.kind == DeviceEvent::repeat_if_any;
  if (drawing)
    for (const int s : drawing->sample) in_frame[size_t(first_drawn_ + s)] = 1;
  if (drawing) in_frame[size_t(first_drawn_ + drawing->fits)] = 1;
  for (size_t s = 0; s < slots; ++s) {
    uniform[s] = use.set[s] && !use.written[s] && !in_frame[s];
    if (use.set[s] && !uniform[s]) in_frame[s] = 1;
  }
  kernel_ = kernel_text(programs, uniform, in_frame, limits);
  schedule(uniform, use.read, drawing);
  takes_nominal_ = takes(engine.nominal());
}

void DeviceSimulation::find_inputs(const std::vector<char>& read) {
  const LaneCompiler& c = *engine_.compiler_;
  const auto take = [&](const Slots& f, std::vector<int>& which, auto&& wanted) {
    for (int i = 0; i < f.count; ++i)
      if (read[size_t(f[i])] && wanted(i)) which.push_back(i), given_.places.push_back(in_bytes(f[i]));
  };
  const auto all = [](int) { return true; };
  take({engine_.compiled_.first_number, int(engine_.compiled_.varying.size())}, varying_, all);
  take(c.node.positions, positions_, all);
  take(c.node.velocities, velocities_, [&](int i) { return engine_.model().structure.dof[size_t(i)] >= 0; });
  if (from_state_) take(c.turns, turns_, all);
  given_.inputs = int(given_.places.size()) + trace_.coefficients;
}

// Outputs that are recorded where they are wanted.
bool DeviceSimulation::finds_outputs_recorded() const {
  if (std::any_of(engine_.angular_.begin(), engine_.angular_.end(), [](char x) { return x != 0; })) return false;
  Recorder one(engine_.times_, 1, {0});  // of one number: is each record one of the times?
  bool all = true;
  int records = 0;
  one.restart();
  for (const LaneTrace::Piece& p : trace_.pieces) {
    one.begin_piece(p.begin, p.end, trace_.step, p.last, trace_.follows);
    for (const int node : p.nodes) one.commit(node), all = all && one.written() == ++records;
  }
  return all;
}

// After the simulation, in slots after its own.
void DeviceSimulation::add_reduction(const DeviceReduction& reduction) {
  using Step = ProgramSequence::Step;
  const ProgramSequence& sequence = *reduction.sequence;
  const int first_program = trace_.first_own + int(trace_.own.size()), first = slots_;
  slots_ += sequence.slots;
  for (Program p : sequence.programs) {
    for (Program::Place& place : p.places)
      if (!place.is_constant) place.slot += first;
    for (Program::Step& s : p.steps)
      if (s.op == Operation::store) s.b += first;
    trace_.own.push_back(std::move(p));
  }
  for (const Step& s : sequence.steps) switch (s.kind) {
      case Step::run:
        trace_.run(first_program + s.a);
        break;
      case Step::set:
        trace_.set(first + s.a, s.value);
        break;
      case Step::skip_if_none:
        trace_.events.push_back({Event::skip_if_none, first + s.a, s.b});
        break;
      case Step::repeat_if_any:  // the event itself is behind by then
        trace_.events.push_back({Event::repeat_if_any, first + s.a, s.b + 1});
        break;
      case Step::recall:
        trace_.events.push_back({Event::recall, s.a, first + s.b, s.c, 0, s.d});
        break;
      case Step::tell:
        trace_.events.push_back({Event::tell, first + s.a, s.b});
        break;
    }
  reduces_ = true;
  failed_ = reduction.lines;
}

// In slots after those of the simulation; numbers go straight to where that reads them.
void DeviceSimulation::add_programs(const DeviceDrawing& drawing) {
  first_drawn_ = slots_;
  slots_ += drawing.sequence->slots;
  std::vector<int> slot;
  for (int s = 0; s < drawing.sequence->slots; ++s) slot.push_back(first_drawn_ + s);
  for (size_t k = 0; k < drawing.to.size(); ++k) slot[size_t(drawing.from[k])] = drawing.to[k];
  for (Program p : drawing.sequence->programs) {
    for (Program::Place& place : p.places)
      if (!place.is_constant) place.slot = slot[size_t(place.slot)];
    for (Program::Step& s : p.steps)
      if (s.op == Operation::store) s.b = slot[size_t(s.b)];
    trace_.own.push_back(std::move(p));
  }
}

// What comes before a simulation: inputs that do not differ between realizations are set, the others drawn.
void DeviceSimulation::schedule_drawing(const DeviceDrawing& drawing) {
  DeviceSchedule& d = drawn_.emplace();
  for (const int s : drawing.inputs) d.places.push_back(in_bytes(first_drawn_ + s));
  d.inputs = int(d.places.size());
  std::vector<double> nominal(size_t(given_.inputs) * warp);
  fill({&engine_.nominal()}, 0, nominal.data());
  for (size_t k = 0; k < given_.places.size(); ++k) {
    const auto bits = std::bit_cast<std::uint64_t>(nominal[k * warp]);
    if (std::find(drawing.to.begin(), drawing.to.end(), int(given_.places[k] / line)) == drawing.to.end())
      d.events.push_back({DeviceEvent::set, given_.places[k], std::uint32_t(bits), std::uint32_t(bits >> 32)});
  }
  for (const ProgramSequence::Step& s : drawing.sequence->steps)
    if (s.kind == ProgramSequence::Step::run)
      d.events.push_back({DeviceEvent::run + std::uint32_t(first_drawing_program_ + s.a), 0, 0, 0});
    else  // the event itself is behind by then
      d.events.push_back({DeviceEvent::repeat_if_any, in_bytes(first_drawn_ + s.a), std::uint32_t(s.b) + 1, 0});
}

void DeviceSimulation::schedule(const std::vector<char>& uniform, const std::vector<char>& read,
                                const std::optional<DeviceDrawing>& drawing) {
  std::vector<double> now(size_t(slots_), 0), row;
  struct Last {
    std::vector<double> row;
    std::uint32_t at = 0;
    bool there = false;
  };
  std::vector<Last> last(kernel_.rows.size());
  std::vector<std::uint32_t> where;  // [events of the trace] in the schedule
  std::vector<std::pair<size_t, size_t>> skips;
  int outputs = 0;
  for (size_t i = 0; i < trace_.events.size(); ++i) {
    const Event& e = trace_.events[i];
    where.push_back(std::uint32_t(given_.events.size()));
    switch (e.kind) {
      case Event::run: {
        const int k = number_[size_t(e.a)];
        Last& l = last[size_t(k)];
        kernel_.rows[size_t(k)].evaluate(now, row);
        const auto same = [](double x, double y) { return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y); };
        if (!l.there || !std::equal(row.begin(), row.end(), l.row.begin(), l.row.end(), same)) {
          l = {row, std::uint32_t(rows_.size()), true};
          rows_.insert(rows_.end(), row.begin(), row.end());
        }
        given_.events.push_back({std::uint32_t(DeviceEvent::run) + std::uint32_t(k), l.at, 0, 0});
        break;
      }
      case Event::set: {
        now[size_t(e.a)] = e.value;
        const auto bits = std::bit_cast<std::uint64_t>(e.value);
        if (!uniform[size_t(e.a)] && read[size_t(e.a)])
          given_.events.push_back({DeviceEvent::set, in_bytes(e.a), std::uint32_t(bits), std::uint32_t(bits >> 32)});
        break;
      }
      case Event::copy:
        given_.events.push_back({DeviceEvent::copy, in_bytes(e.a), in_bytes(e.b), std::uint32_t(e.c)});
        break;
      case Event::fetch:
        given_.events.push_back(
            {DeviceEvent::fetch, std::uint32_t(given_.places.size()) + std::uint32_t(e.a), in_bytes(e.b), std::uint32_t(e.c)});
        break;
      case Event::record:
        outputs = e.c;
        given_.events.push_back({DeviceEvent::emit, in_bytes(e.a), std::uint32_t(e.b * e.c), std::uint32_t(e.c)});
        break;
      case Event::skip_if_none:
      case Event::skip_if_all:
        skips.emplace_back(i, given_.events.size());
        given_.events.push_back(
            {e.kind == Event::skip_if_none ? DeviceEvent::skip_if_none : DeviceEvent::skip_if_all, in_bytes(e.a), 0, 0});
        break;
      case Event::recall:
        given_.events.push_back(
            {DeviceEvent::recall, std::uint32_t(e.a), in_bytes(e.b), std::uint32_t(e.c) | std::uint32_t(e.distance) << 16});
        break;
      case Event::tell:
        given_.events.push_back({DeviceEvent::tell, in_bytes(e.a), std::uint32_t(e.b), 0});
        break;
      case Event::repeat_if_any:
        given_.events.push_back(
            {DeviceEvent::repeat_if_any, in_bytes(e.a), std::uint32_t(given_.events.size()) + 1 - where[i + 1 - size_t(e.b)], 0});
        break;
    }
  }
  where.push_back(std::uint32_t(given_.events.size()));
  for (const auto& [from, at] : skips)
    given_.events[at].b = where[from + 1 + size_t(trace_.events[from].b)] - std::uint32_t(at) - 1;
  given_.lines = trace_.records * outputs;
  energy_ = failed_ + 1;
  given_.told = energy_ + 2;
  given_.events.push_back({DeviceEvent::tell, in_bytes(engine_.compiler_->failed), std::uint32_t(failed_), 0});
  given_.events.push_back({DeviceEvent::tell, in_bytes(engine_.energy_[1]), std::uint32_t(energy_), 0});
  given_.events.push_back({DeviceEvent::tell, in_bytes(engine_.energy_[3]), std::uint32_t(energy_ + 1), 0});
  if (drawn_) {
    DeviceSchedule& d = *drawn_;
    d.events.insert(d.events.end(), given_.events.begin(), given_.events.end());
    d.lines = given_.lines, d.told = given_.told;
    const auto tell = [&](int slot) {
      d.events.push_back({DeviceEvent::tell, in_bytes(first_drawn_ + slot), std::uint32_t(d.told++), 0});
    };
    d.fits = d.told, tell(drawing->fits);
    d.first_sample = d.told;
    for (const int s : drawing->sample) tell(s);
    d.events.push_back({DeviceEvent::end, 0, 0, 0});
  }
  given_.events.push_back({DeviceEvent::end, 0, 0, 0});
  if (rows_.empty()) rows_.push_back(0);
}

bool DeviceSimulation::takes(const Realization<double>& r) const {
  const Realization<double>& shown = engine_.samples_.back();
  if (r.breakpoints != shown.breakpoints) return false;
  for (size_t s = 0; s < shown.signals.size(); ++s)
    if (engine_.varying_signals_[s] ? !same_pieces(r.signals[s].pieces, shown.signals[s].pieces) : !same_signal(r, shown, s))
      return false;
  return true;
}

void DeviceSimulation::fill(const LaneRun::Start& start, int lane, double* inputs) const {
  const Realization<double>& r = *start.realization;
  double* to = inputs + lane;
  const auto put = [&](double x) { *to = x, to += warp; };
  for (const int k : varying_) put(r.numbers[size_t(engine_.compiled_.varying[size_t(k)])]);
  const auto& q = start.state ? start.state->positions : r.positions;
  const auto& v = start.state ? start.state->velocities : r.velocities;
  for (const int i : positions_) put(q[size_t(i)]);
  for (const int i : velocities_) put(v[size_t(i)]);
  for (const int i : turns_) put(start.state ? start.state->turns[size_t(i)] : 0);
  for (size_t s = 0; s < r.signals.size(); ++s)
    if (engine_.varying_signals_[s]) {
      const double* const from = r.numbers.data() + r.signals[s].coefficients;
      for (size_t i = 0; i < r.signals[s].pieces.coefficients.size(); ++i) put(from[i]);
    }
}

DeviceOutputs::DeviceOutputs(const DeviceSimulation& simulation) : simulation_(simulation) {
  const LaneEngine& e = simulation.engine();
  const int channels = e.compiler_->outputs.count;
  if (simulation.records_outputs()) return;
  std::vector<char> angular;
  for (const char x : e.angular_) angular.insert(angular.end(), warp, x);
  recorder_ = std::make_unique<Recorder>(e.times_, channels * warp, std::move(angular));
}

void DeviceOutputs::read(const double* lines, const double* told, bool drawn) {
  lines_ = lines, told_ = told, replayed_ = false;
  drawn_ = drawn ? simulation_.drawn() : nullptr;
}

void DeviceOutputs::sample(int lane, std::span<double> to) const {
  for (size_t k = 0; k < to.size(); ++k) to[k] = told(drawn_->first_sample + int(k))[lane];
}

void DeviceOutputs::replay() {
  const LaneTrace& trace = simulation_.trace_;
  const size_t count = size_t(simulation_.engine().compiler_->outputs.count) * warp;
  const double* from = lines_;
  recorder_->restart();
  for (const LaneTrace::Piece& p : trace.pieces) {
    recorder_->begin_piece(p.begin, p.end, trace.step, p.last, trace.follows);
    for (const int node : p.nodes) {
      std::copy_n(from, count, recorder_->node(node));
      recorder_->commit(node);
      from += count;
    }
  }
  replayed_ = true;
}

double DeviceOutputs::gained(int lane) const {
  const double *const largest = told(simulation_.energy_) + lane, *const gained = largest + warp;
  return *largest > 0 ? *gained / *largest : 0;
}

void DeviceOutputs::outputs(std::span<std::vector<double>* const> out) {
  const LaneEngine& e = simulation_.engine();
  const size_t count = size_t(e.compiler_->outputs.count) * e.times_.size();
  if (recorder_ && !replayed_) replay();
  std::array<double*, warp> rows{};
  for (size_t lane = 0; lane < out.size(); ++lane)
    if (out[lane]) out[lane]->resize(count), rows[lane] = out[lane]->data();
  lanes_to_rows(recorder_ ? recorder_->values().data() : lines_, count, warp, std::span(rows).first(out.size()));
  for (std::vector<double>* const own : out)
    if (own) filter_outputs(e.model_, e.times_, *own);
}

}  // namespace aleator::core
