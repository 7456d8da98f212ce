// Many realizations of one model, on all cores, delivered in their order.
#pragma once

#include <atomic>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "design/plan.hpp"
#include "dynamics/lane_engine.hpp"
#include "ensemble/device_report.hpp"
#include "model/model.hpp"
#include "numerics/device_block.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// One row of a plan, simulated.
struct SimulatedRow {
  long row = 0;
  DesignPoint point;
  bool ok = false;
  int tried_alone = 0;                                          // times; 0: it was finished in a lane
  std::string why;                                              // it failed …
  double failed_at = std::numeric_limits<double>::quiet_NaN();  // … having been computed up to this time; NaN: it did not begin
  std::vector<double> sample;                                   // a number per column of the random model
  std::vector<double> values;                                   // [times][channels]; empty when it failed
  std::vector<double> poses;  // [times][bodies][7] of the bodies as drawn, for the first few realizations
  bool digested =
      false;  // its values are in the digest of its block, and neither they nor its sample here if nobody keeps them …
  std::vector<double> digest;  // … which comes with the last row of that
  // In place of the values of a whole block, with its last row, what a device has made of it: what it tells of each row [rows][lines], then sums.
  std::vector<double> of_block;
};

// What is to be made of a block of rows where they are simulated: rows numbered from a multiple of `rows` on, if all of them are asked for.
struct Digest {
  long rows = 0;  // 0: none
  // One block, by the thread that simulates it: its rows come one after the other, as soon as they are there. Their values stay until the end.
  class Block {
   public:
    Block() = default;
    virtual ~Block() = default;
    Block(const Block&) = delete;
    Block& operator=(const Block&) = delete;
    virtual void add(const SimulatedRow& row) = 0;
    virtual std::vector<double> finish() = 0;
    // Instead of rows what a device has made of them: SimulatedRow::of_block.
    virtual std::vector<double> finish_of_device(std::span<const double>) { return {}; }
  };
  std::function<std::unique_ptr<Block>(long first)> begin;  // by any thread
  bool keeps_values = false;                                // they are needed nevertheless
  // What a device may make of a block, and which of its sorted values; none: its rows are wanted.
  std::shared_ptr<const DeviceBlock> on_device = nullptr;
  std::function<std::optional<ColumnPick>(long first)> picked = {};
};

// The random numbers of a row, and the mechanism they make.
struct Drawn {
  std::vector<double> sample;
  std::unique_ptr<Parameters> numbers;  // none: they make no mechanism (a negative stiffness, say) …
  std::string why;                      // … for this reason
};
// `spare`: numbers that nobody needs any more, whose memory is used again.
Drawn draw(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, long row,
           std::unique_ptr<Parameters> spare = nullptr);

// Poses [times][frames][7] are recorded of frames at the actual centres of mass; what is drawn hangs on the nominal ones.
void move_to_drawn_frames(const Model& model, const Parameters& numbers, std::vector<double>& poses);

// Where the time went, in seconds of all threads.
struct EnsembleProfile {
  LaneProfile lanes;
  double drawing = 0;     // random numbers, and the mechanisms they make
  double alone = 0;       // realizations that failed in their lane, or have none
  double delivering = 0;  // what is done with results
  long realizations = 0, tried_alone = 0;
};

struct EnsembleOptions {
  int threads = 0;                     // 0: as many as there are
  long first_row = 0;                  // where to go on
  long end_row = 0;                    // before which to stop; 0: all
  long poses_of = 0;                   // realizations below this are delivered with poses
  bool smaller_steps = true;           // may help a realization that fails
  EnsembleProfile* profile = nullptr;  // to be filled
  std::string device;                  // beside the processor: gpu, gpu:1, auto; empty or cpu: none
  bool fast_math = false;              // of the device: its results are no longer bitwise those of the processor
  int rank_here = 0;                   // of the processes on this machine; `gpu` is the GPU of that number, in turn
  bool wait_for_device = false;        // the processor does not begin before it, and leaves it all that it takes
  std::function<void(const std::string&)> on_note = {};  // what goes wrong with the device
  const std::atomic<bool>* stop = nullptr;    // set from outside: no new realization is begun, those under way are abandoned
  const std::atomic<bool>* enough = nullptr;  // set by who takes them: no new realization is begun
  Digest digest;
};

// With which steps a realization is tried alone, one after the other: that of the model, then a quarter of it.
std::vector<double> steps_tried(const Settings& settings, bool smaller);

// One of the models of a study: the model itself, or a cheaper one beside it.
struct ModelVariant {
  const Model* model;
  const RandomModel* random;
};

class GpuRun;
class GpuTeam;

// The rows of a plan, ready to be simulated: each model is compiled for the lanes of an instruction set (dynamics/lane_engine.hpp).
// Shared by threads.
class Ensemble {
 public:
  Ensemble(const Model& model, const RandomModel& random, const Plan& plan, std::uint64_t seed, Isa isa = best_isa());
  Ensemble(std::vector<ModelVariant> models, const Plan& plan, std::uint64_t seed, Isa isa = best_isa());
  // Other rows of the same compiled models.
  Ensemble(const Ensemble& compiled, const Plan& plan, std::uint64_t seed);
  ~Ensemble();

  // Simulates the rows of the plan from first_row on. `deliver` is called from one thread at a time, in the order of the rows,
  // without gaps. A realization that fails in its lane is retried individually, then with smaller steps (steps_tried); if it fails
  // then too, that is delivered. Returns the row after the last delivered one.
  long run(const EnsembleOptions& options, const std::function<void(SimulatedRow&&)>& deliver) const;

  // One row alone; the same numbers.
  SimulatedRow row(long row, bool with_poses = false, bool smaller_steps = true) const;

  Isa isa() const { return isa_; }
  int lanes() const;  // realizations computed at once; 1 when the integrator has no lanes
  const LaneEngine* engine() const { return engines_[0].get(); }
  DeviceReport device() const;  // of the runs so far

 private:
  class Worker;
  class Workspaces;
  long run_block(const EnsembleOptions& options, long end, const std::function<void(SimulatedRow&&)>& deliver) const;
  using Compare = std::function<DeviceComparison(size_t model, GpuRun& run, const std::atomic<bool>& stop)>;
  Compare comparison(const Digest& digest) const;  // GpuTeam::Compare
  const Model& model(int variant) const { return *models_[size_t(variant)].model; }

  std::vector<ModelVariant> models_;
  std::vector<std::shared_ptr<const Model>> chosen_;  // those whose way of stepping was left open
  Plan plan_;
  std::uint64_t seed_;
  Isa isa_;
  std::vector<std::shared_ptr<const LaneEngine>> engines_;  // [models]; null: it is simulated one by one
  std::shared_ptr<Workspaces> workspaces_;                  // shared by whoever has the engines
  mutable std::shared_ptr<GpuTeam> team_;                   // when a run asks for it
};

}  // namespace aleator::core
