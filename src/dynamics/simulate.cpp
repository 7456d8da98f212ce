#include "dynamics/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/cancellation.hpp"
#include "dynamics/choose.hpp"
#include "dynamics/compiled_simulation.hpp"
#include "dynamics/connection_forces.hpp"
#include "dynamics/energy_watch.hpp"
#include "dynamics/equilibrium.hpp"
#include "dynamics/modal.hpp"
#include "dynamics/named_place.hpp"
#include "dynamics/newton_failure.hpp"
#include "dynamics/violation.hpp"
#include "model/drawn_frames.hpp"
#include "model/output_filters.hpp"

namespace aleator::core {

namespace {

std::vector<char> angular_channels(const Model& m, int extra) {
  std::vector<char> flags;
  for (const Output& o : m.topology.outputs) flags.insert(flags.end(), o.channels.size(), o.angular);
  flags.insert(flags.end(), extra, 0);
  return flags;
}

// Ends of the smooth pieces.
std::vector<double> piece_ends(const std::vector<double>& breakpoints, double duration) {
  std::vector<double> ends = breakpoints;
  ends.push_back(duration);
  return ends;
}

bool not_finite(const State<double>& s) {
  double sum = 0;
  for (const double x : s.positions) sum += x;
  for (const double x : s.velocities) sum += x;
  for (const double x : s.accelerations) sum += x;
  return !(std::abs(sum) < 1e300);
}

double energy_of(Assembly<double>& a, const State<double>& s) {
  a.kinematics(s.positions.data(), s.velocities.data(), s.turns.data());
  return a.kinetic_energy() + a.potential_energy();
}

struct EnergyBook {
  double start = 0;  // T + V then
  EnergyWatch<double> watch;
  EnergyBalance balance;

  // Velocities jump where those of drives do: these have done it.
  void begin(Assembly<double>& a, Stepper& stepper, State<double>& s, double step) {
    const bool first = s.t == 0;
    const double before = first || !a.accounts() ? 0 : energy_of(a, s);
    stepper.begin(s, step);
    if (first)
      start = energy_of(a, s);
    else if (a.accounts())
      s.work.supply(energy_of(a, s) - before);
  }
  // After evaluation for output: whether energy was made.
  bool look(Assembly<double>& a, const State<double>& s, double duration, double* out) {
    a.observe_work(s.work, start, out);
    const bool made = watch.sees(a, s.work, liveliness(a.model(), size_as_drawn(a.model()), duration, s.velocities.data()));
    if (a.counts_dissipation()) balance.look(watch.energy - start, s.work, s.t);
    return made;
  }
};

// What is recorded beside the outputs.
struct Beside {
  Beside(const Assembly<double>& a, const SimulateOptions& o) : poses(o.poses ? 7 * a.carriers().count : 0) {
    if (o.forces) of_connections.emplace(a.model());
  }
  int forces() const { return of_connections ? 3 * of_connections->count() : 0; }

  int poses;  // numbers
  std::optional<ConnectionForces> of_connections;
};

// Returns whether energy was made.
bool record(Assembly<double>& a, Stepper& stepper, Recorder& recorder, SoftJoints& soft, State<double>& s, int node, Side side,
            Beside& beside, EnergyBook& book) {
  if (!recorder.wants(node)) return false;
  stepper.evaluate_for_output(s, side);
  soft.look(a, s);
  double* out = recorder.node(node);
  a.observe(s.accelerations.data(), s.lambda.data(), out);
  const bool made = book.look(a, s, recorder.times().back(), out);
  if (beside.poses > 0) std::copy(s.positions.begin(), s.positions.end(), out + a.channels());
  if (beside.of_connections) beside.of_connections->observe(a, s, out + a.channels() + beside.poses);
  recorder.commit(node);
  return made;
}

void count_iterations(const Stepper& stepper, Trajectory& out) {
  const long own = stepper.iterations() - out.iterations;
  out.iterations += own;
  if (own <= out.most_iterations) return;
  out.most_iterations = own;
  out.most_iterations_at = out.reached;
}

// One piece between kinks, or as far as it goes.
void integrate_piece(Assembly<double>& a, Stepper& stepper, Recorder& recorder, SoftJoints& soft, State<double>& s, double end,
                     double step, bool last, bool follow, const SimulateOptions& options, Beside& beside, EnergyBook& book,
                     Trajectory& out) {
  const int n = recorder.begin_piece(s.t, end, step, last, follow);
  double size = recorder.step_size(1);
  book.begin(a, stepper, s, size);
  record(a, stepper, recorder, soft, s, 0, Side::right, beside, book);
  for (int i = 1; i <= n; ++i, ++out.steps) {
    const double t1 = recorder.node_time(i);
    if (recorder.step_size(i) != size) stepper.regrid(size = recorder.step_size(i));
    out.failed = stepper.step(s, t1) || not_finite(s);
    count_iterations(stepper, out);
    if (out.failed) {
      out.why = stepper.why().empty() ? fmt::format("the motion is no longer finite at t = {:.9g} s. Try a smaller 'step'", t1)
                                      : stepper.why();
      return;
    }
    out.reached = t1;
    if (record(a, stepper, recorder, soft, s, i, Side::left, beside, book)) {
      out.failed = true;
      out.why = energy_failure(a.model(), t1, stepper.adapts(), stepper.is_unstable(s));
      return;
    }
    if (soft.is_too_much()) {
      out.failed = true;
      out.why = soft.message(a.model(), t1);
      return;
    }
    if (options.progress) options.progress(t1);
    if (options.stop && *options.stop) return;
  }
}

}  // namespace

Trajectory simulate(Assembly<double>& a, State<double> s, const Settings& settings, const SimulateOptions& options) {
  Beside beside(a, options);
  const int extra = beside.poses + beside.forces(), channels = a.channels() + extra;
  Recorder recorder(output_times(settings.duration, settings.output_step), channels, angular_channels(a.model(), extra));
  const auto stepper = make_stepper(a, settings);
  SoftJoints soft(a.model());
  // An adaptive integrator steps as it likes: its nodes are the output times.
  const double step = integrator(settings).chooses_steps ? std::min(settings.output_step, settings.duration) : settings.step;
  const bool follows = follows_output_times(settings);
  Trajectory out;
  EnergyBook book;
  if (options.dissipation) a.count_dissipation();
  double start = 0;
  const std::vector<double> ends = piece_ends(a.realization().breakpoints, settings.duration);
  for (size_t piece = 0; piece < ends.size() && !out.failed; ++piece) {
    const double end = ends[piece];
    s.t = start;
    try {
      integrate_piece(a, *stepper, recorder, soft, s, end, step, piece + 1 == ends.size(), follows, options, beside, book, out);
    } catch (const SimulationError& e) {  // its equations have become singular
      if (out.reached == 0 && out.iterations == 0) throw;
      out.failed = true;
      out.why = e.what();
    }
    if (options.stop && *options.stop) break;
    start = end;
  }
  out.energy = {energy_of(a, s) - book.start, book.watch.largest, book.watch.gained, s.work};
  if (book.balance.is_off(book.watch.largest, book.watch.size))
    out.energy.off = book.balance.off, out.energy.off_at = book.balance.off_at;
  out.soft_joint = soft.joint, out.softness = soft.part;
  out.adapted = stepper->report();
  out.integrator = settings.integrator;
  out.times = recorder.times();
  out.times.resize(recorder.written());
  out.channels = a.channels();
  out.values.resize(size_t(recorder.written()) * a.channels());
  out.poses.resize(size_t(recorder.written()) * beside.poses);
  out.forces.resize(size_t(recorder.written()) * beside.forces());
  for (int k = 0; k < recorder.written(); ++k) {
    const double* from = recorder.values().data() + size_t(k) * channels;
    std::copy(from, from + a.channels(), out.values.data() + size_t(k) * a.channels());
    std::copy(from + a.channels(), from + channels - beside.forces(), out.poses.data() + size_t(k) * beside.poses);
    std::copy(from + channels - beside.forces(), from + channels, out.forces.data() + size_t(k) * beside.forces());
  }
  filter_outputs(a.model(), out.times, out.values);
  out.final_state = std::move(s);
  return out;
}

namespace {

// None: it does not pay, or it fails that way.
std::optional<Trajectory> simulate_compiled(const Model& model, const Parameters& numbers, const Realization<double>& r,
                                            const State<double>& start, const Settings& settings,
                                            const SimulateOptions& options) {
  if (!options.compile || !compiling_pays(model, settings)) return {};
  const CancellationScope scope(options.stop ? options.stop : cancellation_flag());
  try {
    return CompiledSimulation(model, std::span(&numbers, 1), settings, options.dissipation)(r, &start, options);
  } catch (const SimulationError&) {  // the nominal model does not start
  } catch (const Cancelled&) {        // whoever stops it gets the first step
  }
  return {};
}

}  // namespace

void draw_frames(const Model& model, Trajectory& t) {
  const std::vector<double> poses = frame_poses(model.topology, {t.poses.begin(), t.poses.end()});
  t.poses.assign(poses.begin(), poses.end());
}

bool all_finite(const Trajectory& t) {
  return std::all_of(t.values.begin(), t.values.end(), [](double x) { return std::isfinite(x); });
}

Trajectory simulate_as_far(const Model& model, const Parameters& numbers, const SimulateOptions& options,
                           AssemblyReport* report) {
  if (model.modal) return modal_trajectory(model, numbers, options, report);
  const Realization<double> r = make_realization<double>(model, std::span(&numbers, 1));
  Assembly<double> a(model, r);
  State<double> s = assemble(a, report);
  if (model.settings.start_at_equilibrium) s = equilibrium(a, s).state;
  Settings settings = model.settings;
  if (is_open(settings)) settings = choose(model, {}, {}, best_isa()).settings;
  if (options.step > 0) settings.step = options.step;
  if (std::optional<Trajectory> compiled = simulate_compiled(model, numbers, r, s, settings, options)) {
    draw_frames(model, *compiled);
    return std::move(*compiled);
  }
  Trajectory out = simulate(a, s, settings, options);
  if (const std::optional<Settings> other = out.failed ? instead(settings) : std::nullopt)
    out = simulate(a, std::move(s), *other, options);
  draw_frames(model, out);
  return out;
}

Trajectory simulate_model(const Model& model, const Parameters& numbers, const SimulateOptions& options, AssemblyReport* report) {
  Trajectory out = simulate_as_far(model, numbers, options, report);
  for (size_t i = 0; i < out.values.size(); ++i)
    if (!std::isfinite(out.values[i])) {
      const double t = out.times[i / size_t(out.channels)];
      throw SimulationError(fmt::format("the {} is not finite at t = {:.6g} s: the numbers of the model are too large",
                                        named_channel(model, model.channels[i % size_t(out.channels)].name), t),
                            t);
    }
  if (out.failed) throw SimulationError(out.why, out.reached);
  return out;
}

}  // namespace aleator::core
