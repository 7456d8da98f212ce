// Rows of a study drawn in lanes, several at once, by programs: random numbers, and the mechanisms they make. Where masses, centres of mass and
// inertias of rigid bodies alone are random, in ways that lanes have (uncertainty/recorded_sample.hpp); bitwise what RowDrawer makes of them.
#pragma once

#include <memory>
#include <optional>

#include "dynamics/device_simulation.hpp"
#include "dynamics/lane_engine.hpp"
#include "ensemble/ensemble.hpp"
#include "model/realize_masses.hpp"
#include "uncertainty/recorded_sample.hpp"

namespace aleator::core {

// Who a row is: what its random numbers depend on.
struct RowIdentity {
  std::uint64_t seed = 0, realization = 0;
  std::span<const int> replicates;  // [groups]; empty: the first of all
};

class LaneDrawing {
 public:
  // Null: rows are drawn otherwise.
  static std::unique_ptr<const LaneDrawing> make(const ModelVariant& variant, const MassRealizer* realizer,
                                                 const LaneEngine* engine);

  int columns() const { return columns_; }
  const std::vector<int>& slots() const { return slots_; }  // of the engine's frame that it has numbers for
  DeviceDrawing for_device() const;

  // One thread's.
  class Run {
   public:
    explicit Run(const LaneDrawing& drawing);
    int width() const { return drawing_.code_->width(); }
    void set(int lane, const RowIdentity& row);  // all lanes have one
    void operator()() { run_(); }
    // Of a lane: its sample; whether the numbers make a mechanism that lanes have, and then these, as slots() has them.
    void sample(int lane, std::vector<double>& to);
    bool fits(int lane);
    void numbers(int lane, double* to);

   private:
    const LaneDrawing& drawing_;
    SequenceRun run_;
  };

 private:
  LaneDrawing() = default;

  RecordedSample sample_;
  int columns_ = 0, fits_ = 0;
  std::vector<int> slots_, from_;  // of the engine, and its own
  std::unique_ptr<const SequenceRun::Code> code_;
};

}  // namespace aleator::core
