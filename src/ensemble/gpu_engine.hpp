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

namespace aleator::core {

class GpuEngine {
 public:
  // Compiles, which takes seconds, or finds what was compiled before. Throws NotOnDevice and GpuError.
  GpuEngine(std::shared_ptr<const LaneEngine> engine, std::shared_ptr<const GpuDevice> device, bool fast_math = false,
            const std::optional<DeviceDrawing>& drawing = {});

  const DeviceSimulation& simulation() const { return simulation_; }
  const GpuDevice& device() const { return *device_; }
  double compile_seconds() const { return compile_seconds_; }
  bool was_kept() const { return was_kept_; }  // compiled by an earlier run
  const GpuKernel& kernel() const { return *kernel_; }
  long rows_at_a_time() const;  // that the device computes
  // Realizations that a thread hands over at once when so many threads do.
  long rows_at_once(int threads) const;

 private:
  friend class GpuRun;
  std::shared_ptr<const LaneEngine> engine_;
  std::shared_ptr<const GpuDevice> device_;
  DeviceSimulation simulation_;
  double compile_seconds_ = 0;
  bool was_kept_ = false;
  std::unique_ptr<const GpuKernel> kernel_;
  struct Uploaded {
    std::unique_ptr<const GpuMemory> events, places;
  };
  Uploaded upload(const DeviceSchedule& schedule) const;
  Uploaded given_, drawn_;
  std::unique_ptr<const GpuMemory> rows_;
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
  bool drawn() const { return drawn_; }
  using Take = std::function<void(size_t first, size_t count, DeviceOutputs& pack)>;
  void simulate(const Take& take);

 private:
  const GpuEngine& engine_;
  int packs_ = 0, blocks_ = 0;  // at once
  size_t count_ = 0;            // realizations that were added
  bool drawn_ = false;
  const DeviceSchedule& schedule() const;
  GpuStream stream_;
  std::unique_ptr<GpuMemory> frames_, inputs_, outputs_;
  std::unique_ptr<PinnedMemory> host_inputs_, host_outputs_;
  DeviceOutputs reader_;
};

// The device beside the processor: found and compiled for by a thread of its own, while the processor begins. What goes wrong is told once, and leaves
// the rest to the processor.
class GpuTeam {
 public:
  // which: "gpu", "gpu:1", "auto" (which says nothing where there is none). Several processes on a machine take its GPUs in turn.
  // `drawings`: [engines], of those that draw there.
  GpuTeam(std::vector<std::shared_ptr<const LaneEngine>> engines, std::vector<std::optional<DeviceDrawing>> drawings,
          const std::string& which, bool fast_math, int rank_here);
  ~GpuTeam();

  // Ready to be used for that model now; null: not (yet).
  const GpuEngine* engine(size_t model) const;
  void wait() const;                  // until it is decided
  void lose(const std::string& why);  // by any thread
  void leave();  // realizations to the processor: their functions of time have breakpoints or pieces of their own
  // A workspace of one of so many threads, kept from one run of the study to the next. Throws GpuError.
  std::unique_ptr<GpuRun> take_run(size_t model, int threads);
  void give_back(size_t model, std::unique_ptr<GpuRun> run);
  void simulate(GpuRun& run, const GpuRun::Take& take);               // and counts. Throws GpuError
  bool is_busy() const { return ready_ && sent_ >= 2 * at_a_time_; }  // and as much again waits for it
  double latency() const { return latency_; }                         // seconds from sending rows to having them, the last time
  DeviceReport report() const;
  std::vector<std::string> take_notes();  // what happened since they were taken before

 private:
  void prepare(const std::string& which, bool fast_math, int rank_here);

  std::vector<std::shared_ptr<const LaneEngine>> engines_;
  std::vector<std::optional<DeviceDrawing>> drawings_;
  std::shared_ptr<const GpuDevice> device_;
  std::vector<std::unique_ptr<const GpuEngine>> compiled_;
  std::atomic<bool> ready_ = false, lost_ = false, left_ = false, decided_ = false;
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
