// A simulation in lanes as a device does it: a kernel (numerics/ptx.hpp), the schedule it runs and the numbers that come with it. One for all
// realizations whose functions of time have the same pieces; others are computed by the processor.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/lane_engine.hpp"
#include "numerics/program_sequence.hpp"
#include "numerics/ptx.hpp"

namespace aleator::core {

// How a device draws realizations by itself: programs that are run before a simulation, in slots of their own.
struct DeviceDrawing {
  const ProgramSequence* sequence;
  std::vector<int> inputs;    // slots of what a realization is told by: seed, number, replicates; bits of whole numbers
  std::vector<int> to, from;  // slots of the engine that it has numbers for, and its own that they come from
  std::vector<int> sample;    // slots: the random numbers, which are told with the outputs
  int fits;                   // slot: 0 where it is no realization for lanes
};

// What is done with packs of realizations that are given, or drawn.
struct DeviceSchedule {
  std::vector<DeviceEvent> events;
  std::vector<std::uint32_t> places;  // of the inputs in the frame, in bytes
  int inputs = 0;                     // lines of a pack; the first go to their places
  int lines = 0;                      // of a pack's outputs, and …
  int told = 0;                       // … of what is told of it …
  int fits = 0, first_sample = 0;     // … these of one that is drawn
};

// Numbers that are made of the outputs of a realization after it was simulated; they are the first lines of what is told.
struct DeviceReduction {
  const ProgramSequence* sequence = nullptr;
  int lines = 0, outputs = 0;  // told; recalled: [times][channels]
};

class DeviceSimulation {
 public:
  // Throws NotOnDevice. With a drawing, realizations may also be made there; with a reduction, it is done where outputs are what is recorded, and not filtered.
  DeviceSimulation(const LaneEngine& engine, const KernelLimits& limits, const std::optional<DeviceDrawing>& drawing = {},
                   const DeviceReduction& reduction = {});

  // The kernel, and what it reads.
  const KernelText& kernel() const { return kernel_; }
  const std::vector<double>& rows() const { return rows_; }
  const DeviceSchedule& given() const { return given_; }
  const DeviceSchedule* drawn() const { return drawn_ ? &*drawn_ : nullptr; }
  int slots() const { return slots_; }
  bool reduces() const { return reduces_; }
  // Whether lines of outputs are [times][channels] as they are, not interpolated.
  bool records_outputs() const { return records_outputs_; }
  const LaneEngine& engine() const { return engine_; }

  // Whether a realization has the functions of time of this simulation, but for their coefficients where these differ.
  bool takes(const Realization<double>& r) const;
  bool takes_nominal() const { return takes_nominal_; }  // and so all that differ from the nominal model in other numbers
  // Its numbers, into its lane of the inputs [inputs][32] of a pack that is given.
  void fill(const LaneRun::Start& start, int lane, double* inputs) const;

 private:
  friend class DeviceOutputs;
  void find_inputs(const std::vector<char>& read);
  bool finds_outputs_recorded() const;
  void add_reduction(const DeviceReduction& reduction);
  void add_programs(const DeviceDrawing& drawing);
  void schedule_drawing(const DeviceDrawing& drawing);
  void schedule(const std::vector<char>& uniform, const std::vector<char>& read, const std::optional<DeviceDrawing>& drawing);

  const LaneEngine& engine_;
  bool from_state_, takes_nominal_ = false;
  LaneTrace trace_;
  bool records_outputs_ = false, reduces_ = false;
  std::vector<int> number_;  // [programs] in the kernel, −1: not there
  KernelText kernel_;
  DeviceSchedule given_;
  std::optional<DeviceSchedule> drawn_;
  int first_drawn_ = 0;            // slot of what draws …
  int first_drawing_program_ = 0;  // … and the number of its first program in the kernel
  std::vector<double> rows_;
  std::vector<int> varying_, positions_, velocities_, turns_;  // which of a realization's numbers are inputs, in this order
  int slots_ = 0, failed_ = 0, energy_ = 0;                    // the last two: lines of what is told
};

struct NotOnDevice {
  std::string why;  // "its steps have the size that their error allows", …
};

// What lanes of a pack have put out, [lines][32], and told. One thread's.
class DeviceOutputs {
 public:
  explicit DeviceOutputs(const DeviceSimulation& simulation);
  void read(const double* lines, const double* told, bool drawn);  // which stay there while they are looked at
  bool failed(int lane) const { return told(simulation_.failed_)[lane] != 0 || !fits(lane); }
  bool fits(int lane) const { return !drawn_ || told(drawn_->fits)[lane] != 0; }  // what was drawn is a realization for lanes
  const double* told(int number) const { return told_ + size_t(number) * warp; }
  void sample(int lane, std::span<double> to) const;        // of one that is drawn
  double gained(int lane) const;                            // energy, as part of the largest kinetic energy
  void outputs(std::span<std::vector<double>* const> out);  // of the first lanes; null: not wanted

 private:
  void replay();

  const DeviceSimulation& simulation_;
  const double *lines_ = nullptr, *told_ = nullptr;
  const DeviceSchedule* drawn_ = nullptr;  // of what is read, if it is drawn
  std::unique_ptr<Recorder> recorder_;  // where outputs are interpolated, or angles counted on; none: lines are what is recorded
  bool replayed_ = false;
};

}  // namespace aleator::core
