#include "dynamics/compiled_simulation.hpp"

#include "dynamics/connection_forces.hpp"
#include "dynamics/energy_watch.hpp"
#include "dynamics/equilibrium.hpp"
#include "model/drawn_frames.hpp"

namespace aleator::core {

namespace {

// From so many steps on; 0: never. Compiling takes as long as 250 to 400 explicit steps of the examples and 3,000 of a chain of 1,000 bodies, as
// 700 to 1300 implicit ones and 5,000 of a beam of 1,000 elements; and half a gigabyte of memory for these, ten times as much for ten times as many.
double steps_that_pay(const Integrator& method, int unknowns) {
  constexpr int most = 12000;
  if (unknowns > most) return 0;
  return method.is_explicit ? 500 + 0.5 * unknowns : 1500 + 2.0 * unknowns;
}

// What is recorded of a single simulation beside its outputs and positions.
class Witness final : public LaneWitness {
 public:
  Witness(const Model& model, const Realization<double>& r, const Settings& settings, const SimulateOptions& options)
      : options_(options), assembly_(model, r), index1_(assembly_), soft(model), solves_(integrator(settings).is_explicit) {
    if (options.forces) forces_.emplace(model);
  }

  int channels() const override { return forces_ ? 3 * forces_->count() : 0; }
  void look(const LaneRun& run, double t, Side side, double* out) override {
    const LaneRun::Energy e = run.energy(0);
    balance.look(e.now - e.start, e.work, t);
    if (!forces_) return;
    run.state(0, state_);
    state_.t = t;
    if (solves_) {  // explicit methods do not keep multipliers
      index1_.evaluate(state_, side);
      index1_.accelerations(state_);
    } else {
      assembly_.kinematics(t, side, state_.positions.data(), state_.velocities.data(), state_.turns.data());
      assembly_.constrain();
      assembly_.forces();
    }
    soft.look(assembly_, state_);
    forces_->observe(assembly_, state_, out);
  }
  void stepped(double t) override {
    reached = t;
    if (options_.progress) options_.progress(t);
  }

  double reached = 0;
  EnergyBalance balance;

 private:
  const SimulateOptions& options_;
  Assembly<double> assembly_;
  Index1<double> index1_;
  State<double> state_;
  std::optional<ConnectionForces> forces_;

 public:
  SoftJoints soft;

 private:
  bool solves_;
};

// An end, or a stop, that was reached.
Trajectory trajectory_of(const LaneRun& run, const Model& model, const Settings& settings, const Witness* witness) {
  Trajectory t;
  t.times = run.times();
  t.times.resize(size_t(run.written()));
  t.channels = int(model.channels.size());
  std::vector<double> numbers;
  run.outputs(0, numbers), t.values.assign(numbers.begin(), numbers.end());
  run.positions(0, numbers), t.poses.assign(numbers.begin(), numbers.end());
  run.state(0, t.final_state);
  t.final_state.t = t.reached = witness ? witness->reached : settings.duration;
  t.steps = run.profile.steps;
  t.iterations = run.profile.iterations;
  t.integrator = settings.integrator;
  t.adapted = {run.profile.reduced, run.profile.smallest};
  const LaneRun::Energy e = run.energy(0);
  t.energy = {e.now - e.start, e.largest, e.gained, e.work};
  if (!witness) return t;
  run.witnessed(numbers), t.forces.assign(numbers.begin(), numbers.end());
  t.soft_joint = witness->soft.joint, t.softness = witness->soft.part;
  if (witness->balance.is_off(e.largest, e.size)) t.energy.off = witness->balance.off, t.energy.off_at = witness->balance.off_at;
  return t;
}

}  // namespace

bool compiling_pays(const Model& model, const Settings& s, double simulations) {
  const Integrator& method = integrator(s);
  if (!method.make_lanes || isa_for_one() == Isa::portable) return false;
  const double least = steps_that_pay(method, model.structure.size);
  return least > 0 && simulations * s.duration >= least * s.step;
}

CompiledSimulation::CompiledSimulation(const Model& model, std::span<const Parameters> samples, const Settings& settings,
                                       bool balanced)
    : model_(model), engine_(model, samples, settings, isa_for_one(), balanced) {}

std::unique_ptr<LaneRun> CompiledSimulation::take() const {
  {
    const std::scoped_lock lock(mutex_);
    if (!idle_.empty()) {
      std::unique_ptr<LaneRun> run = std::move(idle_.back());
      idle_.pop_back();
      run->profile = {};
      return run;
    }
  }
  return std::make_unique<LaneRun>(engine_);
}

void CompiledSimulation::give_back(std::unique_ptr<LaneRun> run) const {
  const std::scoped_lock lock(mutex_);
  idle_.push_back(std::move(run));
}

std::optional<Trajectory> CompiledSimulation::operator()(const Realization<double>& r, const State<double>* start,
                                                         const SimulateOptions& options) const {
  if (!engine_.fits(r)) return {};
  std::optional<Witness> witness;
  if (options.forces || options.dissipation || options.progress) witness.emplace(model_, r, engine_.settings(), options);
  std::unique_ptr<LaneRun> run = take();
  const LaneRun::Start from{&r, start};
  (*run)(std::span(&from, 1), options.poses, options.stop, options.step, witness ? &*witness : nullptr);
  std::optional<Trajectory> out;
  if (!run->failed(0) && !(witness && witness->soft.is_too_much()))
    out = trajectory_of(*run, model_, engine_.settings(), witness ? &*witness : nullptr);
  give_back(std::move(run));
  return out;
}

Trajectory CompiledSimulation::operator()(const Parameters& numbers, const SimulateOptions& options) const {
  const Realization<double> r = make_realization<double>(model_, std::span(&numbers, 1));
  std::optional<Trajectory> out;
  if (model_.settings.start_at_equilibrium) {
    Assembly<double> a(model_, r);
    const State<double> start = equilibrium(a, assemble(a)).state;
    out = (*this)(r, &start, options);
  } else {
    out = (*this)(r, nullptr, options);
  }
  if (out && all_finite(*out)) {
    draw_frames(model_, *out);
    return std::move(*out);
  }
  SimulateOptions uncompiled = options;
  uncompiled.compile = false;
  return simulate_model(model_, numbers, uncompiled);
}

}  // namespace aleator::core
