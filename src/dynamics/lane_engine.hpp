// Several realizations of a model at once, in the lanes of one core. The engine is compiled once per study and shared by threads;
// each thread has a LaneRun. What a lane computes depends on that lane alone.
#pragma once

#include <atomic>

#include "dynamics/controlled.hpp"
#include "dynamics/lane_method.hpp"
#include "dynamics/lane_trace.hpp"
#include "dynamics/recorder.hpp"

namespace aleator::core {

// What makes programs shorter, beside CompileOptions; tests compare with and without.
struct LanePasses {
  bool symmetric = true;  // Newton's matrices are halved where they are symmetric (newton_symmetry.hpp) …
  bool border = true;     // … and what joints hold is solved for apart (newton_border.hpp)
};

class LaneEngine {
 public:
  // `samples` show which numbers differ between realizations. Throws SimulationError when the nominal model cannot start.
  // The integrator of the settings must be one with lanes. `balanced`: dissipation is counted, and energy looked at whenever outputs are.
  LaneEngine(const Model& model, std::span<const Parameters> samples, const Settings& settings, Isa isa, bool balanced = false,
             const LanePasses& passes = {});

  int lanes() const { return aleator::core::lanes(isa_); }
  Isa isa() const { return isa_; }
  const Model& model() const { return model_; }
  const Settings& settings() const { return settings_; }
  // Whether a realization differs from the samples in numbers that were equal in all of them.
  bool fits(const Realization<double>& r) const;

  // What a simulation with the functions of time of this realization does; empty: the method cannot tell. `from_state`: states are handed in (LaneRun::Start).
  LaneTrace trace(const Realization<double>& with, bool from_state) const;
  const Realization<double>& nominal() const { return samples_[0]; }

  // Slots of the frame in which numbers of a realization's flat array, its positions and velocities are; instead of one:
  static constexpr int constant = -1;  // all realizations must have that of the nominal one
  static constexpr int nowhere = -2;   // nobody reads it
  int slot_of_number(int number) const;
  int slot_of_position(int i) const;
  int slot_of_velocity(int i) const;

 private:
  friend class LaneRun;
  friend class DeviceSimulation;
  friend class DeviceOutputs;
  void trace_energy();
  const Model& model_;
  Settings settings_;
  Isa isa_;
  std::vector<Realization<double>> samples_;
  std::unique_ptr<LaneCompiler> compiler_;
  std::unique_ptr<LaneStart> start_;
  std::unique_ptr<LaneMethod> method_;
  LaneCompiler::Result compiled_;
  static constexpr long watched_times = 64;  // energy is looked at so often: what was made does not go away soon
  long watch_every_ = 1;                     // output times
  int watch_ = 0;                            // program: energy, and outputs of work …
  Slots energy_;                             // … and what it remembers: EnergyWatch, T + V at the start, and now
  int weigh_ = 0, jump_ = 0;                 // programs: T + V before a start at a kink, and the work of drives in it
  int before_ = 0;                           // slot
  std::vector<std::uint64_t> fixed_numbers_, fixed_positions_;  // all bits where samples have the same ones
  std::vector<char> varying_signals_;                           // [signals] whose coefficients differ between realizations
  std::vector<double> times_;
  std::vector<char> angular_;
};

// What lanes have cost.
struct LaneProfile {
  std::array<double, parts> seconds{};     // in programs, by what their operations are for
  std::array<double, parts> operations{};  // floating-point, of one lane
  double read = 0, written = 0;            // numbers of the frame, of one lane
  double whole = 0;                        // seconds, everything
  long steps = 0, packs = 0, iterations = 0, factorisations = 0;
  double gained =
      0;             // the largest gain of energy that nothing supplied, as part of the largest kinetic energy (energy_watch.hpp)
  long reduced = 0;  // times that a step of a lane was done again, shorter
  double smallest = 0;  // step, when they were adapted
  void add(const LaneProfile& other);
};

class LaneRun;
class MarchTrace;
class SignalTrace;

// Whether two realizations have the same function of time.
bool same_signal(const Realization<double>& a, const Realization<double>& b, size_t signal);

// Looks at a single simulation, in lane 0, wherever outputs are recorded, and has numbers of its own recorded with them.
class LaneWitness {
 public:
  virtual ~LaneWitness() = default;
  virtual int channels() const = 0;
  virtual void look(const LaneRun& run, double t, Side side, double* out) = 0;
  virtual void stepped(double t) = 0;  // after each step
};

// One thread's. Nothing is allocated once it has run.
class LaneRun {
 public:
  explicit LaneRun(const LaneEngine& engine, bool profiled = false);

  struct Start {
    const Realization<double>* realization;
    const State<double>* state = nullptr;  // consistent, instead of the realization as drawn
    // Numbers that replace those of the realization, and the slots they go to.
    std::span<const int> slots = {};
    const double* numbers = nullptr;
  };
  // Simulates as many realizations as there are starts, at most lanes(). They share the breakpoints of functions of time.
  // A step that is not 0 is taken instead of that of the settings. Ends early when it is stopped, or no lane is left that has not failed.
  void operator()(std::span<const Start> starts, bool poses, const std::atomic<bool>* stop = nullptr, double step = 0,
                  LaneWitness* witness = nullptr);

  bool failed(int lane) const { return value(engine_.compiler_->failed, lane) != 0; }
  const std::vector<double>& times() const { return engine_.times_; }
  // Outputs of a lane, [times][channels], and positions, [times][7 carriers].
  void outputs(int lane, std::vector<double>& out) const;
  void outputs(std::span<std::vector<double>* const> out) const;  // of the first lanes; null: not wanted
  void positions(int lane, std::vector<double>& out) const;
  void witnessed(std::vector<double>& out) const;        // [times][channels of the witness]
  int written() const { return recording_->written(); }  // times; fewer than all when it ended early

  // Of a lane at the last node: its state, as far as the method keeps it (an explicit one has no multipliers), and its energy.
  void state(int lane, State<double>& out) const;
  struct Energy {
    double start, now;             // T + V
    double largest, size, gained;  // EnergyWatch
    Energies<double> work;
  };
  Energy energy(int lane) const;

  // For methods.
  void run(int program) {
    if (profiled_ || trace_)
      run_observed(program);
    else
      (*engine_.compiled_.programs[program])(frame_.data(), scratch_.data());
  }
  void set(int slot, double x);  // in all lanes
  double value(int slot, int lane) const { return frame_[size_t(slot) * width_ + lane]; }
  double* slot(int s) { return &frame_[size_t(s) * width_]; }
  int width() const { return width_; }
  void signals(const Slots& f, double t, Side side);
  // The same at t0 + c (t1 − t0); where lanes are at times of their own, t0 and t1 are those of each.
  void signals_within(const Slots& f, double t0, double t1, double c);
  void begun();  // after outputs of the first node of a piece, before its velocities are changed
  bool is_active(int lane) const { return !apart_ || active_[lane]; }  // takes part in the step under way
  double time = 0;                                                     // of the beginning of the piece
  bool observed = false;                                               // outputs are those of the node
  bool settled = true;                                                 // what a method may leave to the next step is done
  long count = 0;                                                      // steps in this piece
  LaneProfile profile;                                                 // times are taken when asked for at the beginning
  bool any(int slot) const;
  void copy(const Slots& from, const Slots& to);  // as many as there are in `from`
  // While a trace is taken, decisions that differ between lanes are left to programs, and what depends on them is skipped by events:
  // what is run between skip_*() and land() is not run where the number in the slot is 0 in all lanes, or in none.
  bool traced() const { return trace_ != nullptr; }
  int skip_if_none(int slot), skip_if_all(int slot);
  void land(int skip);

 private:
  friend class LaneEngine;
  void run_observed(int program);
  void fill(std::span<const Start> starts);
  // Where a signal is at t in its pieces.
  struct PlacedPiece {
    const double* coefficients;
    int degree;
    double place, length;
  };
  PlacedPiece placed(int signal, int lane, double t, Side side);
  void put_two(const Slots& f, int signal, int lane, const PlacedPiece& first, const PlacedPiece& second);
  // Steps of controlled size.
  void begin_march();
  void march(double t0, double t1, double step);
  void save(int lane), restore(int lane);
  void judge(int lane);
  void step_apart(double t0, double t1, double step);
  void assemble();
  void restore_node();
  bool watch_is_due();
  void record(int node);
  void watch();
  void begin_recording(bool poses, LaneWitness* witness);
  bool all_failed() const;
  void column(int first, int count, int lane, std::vector<double>& out) const;  // of what was recorded

  const LaneEngine& engine_;
  int width_;
  AlignedVector<double> frame_, scratch_;
  std::vector<const Realization<double>*> lane_;
  std::vector<char> uniform_;  // [signals] the same in all lanes
  std::vector<int> pieces_;    // [signals][lanes] the last ones
  // Functions of time that are the same in all lanes are most likely the same in the next pack: their values, in the order in which they are
  // asked for, and what they were computed from.
  struct SignalLog {
    std::vector<double> coefficients, breakpoints, values;
    std::vector<PiecewisePolynomial> pieces;  // knots, degrees and series
    double step = 0;
    size_t next = 0;
    bool on = false, replayed = false;
  };
  void begin_log(double step);
  SignalLog log_;
  std::unique_ptr<Recorder> recorder_, recorder_poses_, recorder_witness_;
  Recorder* recording_ = nullptr;
  LaneWitness* witness_ = nullptr;
  LaneTrace* trace_ = nullptr;  // nothing is computed, but told
  SignalTrace* signal_trace_ = nullptr;
  MarchTrace* march_trace_ = nullptr;  // steps are of controlled size
  int channels_ = 0;                   // that are recorded: [outputs, positions][lanes], those of the witness
  bool poses_ = false, profiled_ = false;
  bool watched_ = false;  // the node …
  bool restored_ = true;  // … whose positions and velocities are there
  int recorded_ = 0;      // nodes since energy was looked at …
  int watch_from_ = 0;    // … and the output times that must be written before it is again
  // Where lanes are within a step of the grid, when its parts are controlled by their errors.
  std::vector<StepParts> march_;   // [lanes]
  std::vector<Slots> kept_;        // what is saved …
  AlignedVector<double> saved_;    // … [kept][lanes]: of the last part that was accepted
  std::vector<char> active_;       // [lanes]
  std::vector<double> from_, to_;  // [lanes] times of the parts under way
  std::vector<double> size_;       // [lanes] of the last step that was tried
  bool apart_ = false;             // lanes are at times of their own
  TryLimit limit_{};               // of the tries of a lane
};

}  // namespace aleator::core
