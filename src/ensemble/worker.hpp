// One thread's part of an ensemble: rows that are drawn become rows that are simulated, in lanes, on a device, or one by one.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "ensemble/draw.hpp"
#include "ensemble/ensemble.hpp"
#include "ensemble/gpu_engine.hpp"

namespace aleator::core {

inline bool is_set(const std::atomic<bool>* flag) { return flag && *flag; }

// Workspaces of lanes that nobody uses at present: a function that is called row by row has its own again, with the functions of time as
// they were (LaneRun::SignalLog). There are never more than threads that ran at the same time.
class Ensemble::Workspaces {
 public:
  Workspaces(const std::vector<ModelVariant>& models, const std::vector<std::shared_ptr<const LaneEngine>>& engines)
      : idle_(models.size()) {
    for (size_t m = 0; m < models.size(); ++m) {
      realizers_.push_back(realizer_of(models[m]));
      drawings_.push_back(LaneDrawing::make(models[m], realizers_[m].get(), engines[m].get()));
    }
  }
  DrawnTogether together(size_t model) const { return {realizers_[model].get(), drawings_[model].get()}; }
  // How a device draws rows of such a plan, [models].
  std::vector<std::optional<DeviceDrawing>> for_device(const Plan& plan) const;
  std::unique_ptr<LaneRun> take(size_t model, const LaneEngine& engine);
  void give_back(size_t model, std::unique_ptr<LaneRun> run);

  std::atomic<double> pace = 0;  // seconds a row takes a thread, as of late; 0: not known

 private:
  std::mutex mutex_;
  std::vector<std::vector<std::unique_ptr<LaneRun>>> idle_;  // [models]
  std::vector<std::unique_ptr<const MassRealizer>> realizers_;
  std::vector<std::unique_ptr<const LaneDrawing>> drawings_;
};

class Ensemble::Worker {
 public:
  Worker(const Ensemble& e, bool smaller_steps, bool profiled, GpuTeam* team = nullptr, int threads = 1);
  ~Worker();
  Worker(Worker&&) = default;

  EnsembleProfile profile() const;
  // Rows of one model, and what they become. `limit`: up to which the next ones are likely to be asked for.
  void draw(long first, long end, long limit, const EnsembleOptions& options, std::vector<Draft>& block, bool for_device = false);
  void operator()(std::span<Draft> block, const std::atomic<bool>* stop, bool for_device = false, const Digest* digest = nullptr);
  void take_back(std::vector<double>&& values);  // that nobody needs any more: their memory is used again
  // The first rows of a model, as many as the device takes with this run, there and in lanes: what differs, if anything does.
  DeviceComparison compare(size_t variant, GpuRun& run, const Digest& digest, const std::atomic<bool>* stop);
  std::vector<Draft> drafts;  // of the block under way, for whoever asks

 private:
  // A row, and which of the workspaces its numbers are in.
  struct Placed {
    Draft* draft;
    size_t place;
  };
  void begin(size_t variant);
  bool prepare(Draft& d, size_t place);
  bool fill(Draft& d, size_t place);
  void on_device(std::span<Draft> block, const std::atomic<bool>* stop, const Digest* digest);
  void find_blocks(const Digest& digest, const GpuEngine& gpu);
  std::vector<double> numbers_of_block(const GpuEngine& gpu, const DeviceTold& told, std::span<const double> sums) const;
  void in_lanes(std::span<Draft* const> some, const std::atomic<bool>* stop);
  void try_in_lanes(std::span<Draft* const> some, const std::atomic<bool>* stop);
  void together(std::span<const Placed> rows, const std::atomic<bool>* stop, double step = 0);
  void alone(const Placed& row, bool prepared, const std::atomic<bool>* stop);
  LaneRun::Start start_of(const Placed& row) const;
  bool draws(const GpuEngine& gpu, std::span<const Draft> block) const;
  bool send(const GpuEngine& gpu, Draft& d, GpuRun& run, bool drawn);
  template <class Outputs>
  void take_outputs(std::span<Draft* const> drafts, Outputs& from);

  const Ensemble& e_;
  bool smaller_steps_, profiled_;
  RowDrawer drawer_;
  std::vector<std::unique_ptr<LaneRun>> runs_;  // [models], as they are needed
  const Model* model_ = nullptr;
  const LaneEngine* engine_ = nullptr;
  LaneRun* run_ = nullptr;
  GpuTeam* team_;
  int threads_;
  std::vector<std::unique_ptr<GpuRun>> gpu_runs_;  // [models]
  size_t variant_ = 0;
  size_t width_ = 1;    // lanes
  size_t columns_ = 0;  // of a sample
  std::vector<double> identity_;
  std::vector<int> replicates_;
  // Workspaces, one for each lane: what a row has there stays until the next one comes.
  std::vector<Realization<double>> realizations_;
  static constexpr size_t none = size_t(-1);
  std::vector<size_t> nominal_of_;  // the model whose numbers they have, but for masses
  std::vector<State<double>> states_;
  std::vector<Draft*> sent_, left_, failed_;  // of a block: to the device, to lanes, individually
  std::vector<Draft*> unfit_;                 // of those sent: lanes must realize them
  std::vector<GpuRun::Block> blocks_;         // whole ones of those sent
  std::vector<Placed> waiting_;               // of those in lanes …
  std::vector<char> prepared_;                // … which have one
  std::vector<std::vector<double>> spare_values_;
  EnsembleProfile profile_;
};

}  // namespace aleator::core
