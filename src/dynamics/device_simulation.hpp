// A simulation in lanes as a device does it: a kernel (numerics/ptx.hpp), the schedule it runs and the numbers that come with it. One for all
// realizations whose functions of time have the same pieces; others are computed by the processor.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "dynamics/lane_engine.hpp"
#include "numerics/ptx.hpp"

namespace aleator::core {

class DeviceSimulation {
 public:
  // Throws NotOnDevice.
  DeviceSimulation(const LaneEngine& engine, const KernelLimits& limits);

  // The kernel, and what it reads.
  const KernelText& kernel() const { return kernel_; }
  const std::vector<DeviceEvent>& events() const { return events_; }
  const std::vector<double>& rows() const { return rows_; }
  const std::vector<std::uint32_t>& places() const { return places_; }      // of the inputs in the frame, in bytes
  int inputs() const { return int(places_.size()) + trace_.coefficients; }  // lines of a pack; the first go to their places
  int lines() const { return lines_; }                                      // of a pack's outputs
  int slots() const { return slots_; }
  const LaneEngine& engine() const { return engine_; }

  // Whether a realization has the functions of time of this simulation, but for their coefficients where these differ.
  bool takes(const Realization<double>& r) const;
  bool takes_nominal() const { return takes_nominal_; }  // and so all that differ from the nominal model in other numbers
  // Its numbers, into its lane of a pack's inputs [inputs][32].
  void fill(const LaneRun::Start& start, int lane, double* inputs) const;

 private:
  friend class DeviceOutputs;
  void find_inputs(const std::vector<char>& read);
  void schedule(const std::vector<char>& uniform, const std::vector<char>& read);

  const LaneEngine& engine_;
  bool from_state_, takes_nominal_ = false;
  LaneTrace trace_;
  std::vector<int> number_;  // [programs] in the kernel, −1: not there
  KernelText kernel_;
  std::vector<DeviceEvent> events_;
  std::vector<double> rows_;
  std::vector<std::uint32_t> places_;
  std::vector<int> varying_, positions_, velocities_, turns_;  // which of a realization's numbers are inputs, in this order
  int lines_ = 0, slots_ = 0, failed_ = 0, energy_ = 0;        // the last two: lines
};

struct NotOnDevice {
  std::string why;  // "its steps have the size that their error allows", …
};

// What lanes of a pack have put out, [lines][32]. One thread's.
class DeviceOutputs {
 public:
  explicit DeviceOutputs(const DeviceSimulation& simulation);
  void read(const double* lines);  // which stay there while they are looked at
  bool failed(int lane) const { return lines_[simulation_.failed_ * warp + lane] != 0; }
  double gained(int lane) const;                            // energy, as part of the largest kinetic energy
  void outputs(std::span<std::vector<double>* const> out);  // of the first lanes; null: not wanted

 private:
  void replay();

  const DeviceSimulation& simulation_;
  const double* lines_ = nullptr;
  std::unique_ptr<Recorder> recorder_;  // where outputs are interpolated, or angles counted on; none: lines are what is recorded
  bool replayed_ = false;
};

}  // namespace aleator::core
