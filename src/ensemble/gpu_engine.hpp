// Realizations of a model on a GPU, thousands at a time, with the bits of lanes. The engine is compiled once per study and shared by threads; each
// thread has a GpuRun.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/gpu_driver.hpp"
#include "dynamics/device_simulation.hpp"
#include "ensemble/device_report.hpp"
#include "numerics/device_block.hpp"

namespace aleator::core {

class GpuEngine {
 public:
  // Compiles, which takes seconds, or finds what was compiled before. Throws NotOnDevice and GpuError.
  GpuEngine(std::shared_ptr<const LaneEngine> engine, std::shared_ptr<const GpuDevice> device, bool fast_math = false,
            const std::optional<DeviceDrawing>& drawing = {}, std::shared_ptr<const DeviceBlock> block = nullptr);

  const DeviceSimulation& simulation() const { return simulation_; }
  const GpuDevice& device() const { return *device_; }
  double compile_seconds() const { return compile_seconds_; }
  bool was_kept() const { return was_kept_; }  // compiled by an earlier run
  bool is_fast() const { return fast_; }       // with quotients to the last bit or two
  // What it makes of blocks of realizations; none: their functions of time alone.
  const DeviceBlock* block() const { return columns_ ? block_.get() : nullptr; }
  const ColumnSums& sums() const { return sums_; }
  long rows_at_a_time() const;  // that the device computes
  // Realizations that a thread hands over at once when so many threads do.
  long rows_at_once(int threads) const;

 private:
  friend class GpuRun;
  std::shared_ptr<const LaneEngine> engine_;
  std::shared_ptr<const GpuDevice> device_;
  DeviceSimulation simulation_;
  double compile_seconds_ = 0;
  bool was_kept_ = false, fast_;
  std::unique_ptr<const GpuKernel> kernel_, columns_;
  std::shared_ptr<const DeviceBlock> block_;
  ColumnSums sums_;
  std::unique_ptr<const GpuKernel> compiled(const std::string& text, const char* name, int shared_bytes);
  struct Uploaded {
    std::unique_ptr<const GpuMemory> events, places;
  };
  Uploaded upload(const DeviceSchedule& schedule) const;
  Uploaded given_, drawn_;
  std::unique_ptr<const GpuMemory> rows_;
};

// What is told of realizations of a block.
struct DeviceTold {
  const double* lines;  // [packs][distance][32]
  size_t distance;
};

class GpuRun {
 public:
  // `budget`: bytes of the device's memory.
  GpuRun(const GpuEngine& engine, long most_rows, double budget);

  // Realizations are added, all of them given or all to be drawn there, then simulated; `take` is called for each pack of them, with the first and
  // how many they are. Throws GpuError.
  void clear(bool drawn = false);
  bool has_room() const { return count_ < size_t(packs_) * warp; }
  void add(const LaneRun::Start& start);
  void add(std::span<const double> identity);  // as DeviceDrawing::inputs
  size_t count() const { return count_; }
  bool has_block() const { return sums_ != nullptr; }  // room for one
  bool drawn() const { return drawn_; }
  const GpuEngine& engine() const { return engine_; }
  using Take = std::function<void(size_t first, size_t count, DeviceOutputs& pack)>;
  // Of whole blocks of realizations (GpuEngine::block), each from one that begins a pack on, sums are taken instead if all of them are usable.
  struct Block {
    size_t first;
    ColumnPick pick;
  };
  // `told` [packs][lines][32]; false: realizations are wanted nevertheless.
  using TakeBlock = std::function<bool(size_t first, const DeviceTold& told, std::span<const double> sums)>;
  void simulate(const Take& take, std::span<const Block> blocks = {}, const TakeBlock& take_block = {});
  // The same of realizations that were simulated last, whole packs of them.
  void fetch(size_t first, size_t count, const Take& take);

 private:
  const GpuEngine& engine_;
  int packs_ = 0, blocks_ = 0;  // at once
  size_t count_ = 0;            // realizations that were added
  bool drawn_ = false;
  const DeviceSchedule& schedule() const;
  void launch();
  void add_up(std::span<const Block> blocks);
  bool is_usable(const Block& block);
  GpuStream stream_;
  std::unique_ptr<GpuMemory> frames_, inputs_, outputs_, told_, blocks_there_, sums_;
  std::unique_ptr<PinnedMemory> host_inputs_, host_outputs_, host_told_, host_blocks_, host_sums_;
  DeviceOutputs reader_;
};

// The device beside the processor: found and compiled for by a thread of its own, while the processor begins. What goes wrong is told once, and leaves
// the rest to the processor. Nobody has a number of the device before some realizations were compared with the processor's.
class GpuTeam {
 public:
  // Computes realizations of a model on the device and on the processor. Stops early when it is told to.
  using Compare = std::function<DeviceComparison(size_t model, GpuRun& run, const std::atomic<bool>& stop)>;
  static constexpr long compared =
      warp;  // realizations of a model; on the device a block of them, if it makes something of blocks
  // which: "gpu", "gpu:1", "auto" (which says nothing where there is none). Several processes on a machine take its GPUs in turn.
  // `drawings`: [engines], of those that draw there. `block`: what the device is to make of blocks.
  GpuTeam(std::vector<std::shared_ptr<const LaneEngine>> engines, std::vector<std::optional<DeviceDrawing>> drawings,
          const std::string& which, bool fast_math, int rank_here, std::shared_ptr<const DeviceBlock> block, Compare compare);
  ~GpuTeam();

  // Ready to be used for that model now; null: not (yet).
  const GpuEngine* engine(size_t model) const;
  void wait() const;                  // until it is decided
  void lose(const std::string& why);  // by any thread
  void leave();  // realizations to the processor: their functions of time have breakpoints or pieces of their own
  // A workspace of one of so many threads, kept from one run of the study to the next. Throws GpuError.
  std::unique_ptr<GpuRun> take_run(size_t model, int threads);
  void give_back(size_t model, std::unique_ptr<GpuRun> run);
  // And counts; waits until it is compared. Throws GpuError.
  void simulate(GpuRun& run, const GpuRun::Take& take, std::span<const GpuRun::Block> blocks = {},
                const GpuRun::TakeBlock& take_block = {});
  // Whether blocks are worth their sums: what it makes of them was compared, or will be.
  bool adds_up() const { return !decided_ || blocks_compared_; }
  bool is_busy() const { return ready_ && sent_ >= 2 * at_a_time_; }  // and as much again waits for it
  double latency() const { return latency_; }                         // seconds from sending rows to having them, the last time
  DeviceReport report() const;
  std::vector<std::string> take_notes();  // what happened since they were taken before

 private:
  void prepare(const std::string& which, bool fast_math, int rank_here);
  bool compare(const Compare& compare);
  std::atomic<bool> blocks_compared_ = false;

  std::vector<std::shared_ptr<const LaneEngine>> engines_;
  std::vector<std::optional<DeviceDrawing>> drawings_;
  std::shared_ptr<const DeviceBlock> block_;
  std::shared_ptr<const GpuDevice> device_;
  std::vector<std::unique_ptr<const GpuEngine>> compiled_;
  std::atomic<bool> ready_ = false, lost_ = false, left_ = false, decided_ = false, trusted_ = false, closing_ = false;
  std::atomic<long> sent_ = 0;  // rows that somebody waits for
  std::atomic<double> latency_ = 0;
  long at_a_time_ = 0;  // rows that it computes
  double free_memory_ = 0;
  mutable std::mutex mutex_;
  DeviceReport report_;
  std::vector<std::string> notes_;
  std::vector<std::vector<std::unique_ptr<GpuRun>>> idle_;  // [models]
  std::thread thread_;
};

// The number of a device in "gpu:1"; −1: the text names none. "gpu" is 0.
int gpu_number(const std::string& device);

}  // namespace aleator::core
