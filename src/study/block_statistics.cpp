#include "study/block_statistics.hpp"

namespace aleator::core {
namespace {

// As many accumulators as threads that are at it.
class BlockStatistics : public std::enable_shared_from_this<BlockStatistics> {
 public:
  BlockStatistics(analysis::StatisticsRequest block, long first_of_all, Collector::DerivedOf derived)
      : block_(std::move(block)), first_of_all_(first_of_all), derived_(std::move(derived)), empty_(block_) {
    if (derived_) return;  // limits and scalars of their own
    if (std::optional<DeviceBlock> own = empty_.block_on_device())
      on_device_ = std::make_shared<const DeviceBlock>(std::move(*own));
  }

  std::shared_ptr<const DeviceBlock> on_device() const { return on_device_; }
  std::optional<ColumnPick> picked(long first) const { return empty_.picked_of_block(first, first_of_all_); }

  std::unique_ptr<Digest::Block> begin(long first) {
    std::unique_ptr<analysis::Accumulator> own = take();
    own->begin_block(first, first_of_all_, true);
    return std::make_unique<OneBlock>(shared_from_this(), std::move(own));
  }

 private:
  class OneBlock final : public Digest::Block {
   public:
    OneBlock(std::shared_ptr<BlockStatistics> all, std::unique_ptr<analysis::Accumulator> own)
        : all_(std::move(all)), own_(std::move(own)) {}
    ~OneBlock() override {
      const std::scoped_lock lock(all_->mutex_);
      all_->idle_.push_back(std::move(own_));
    }
    void add(const SimulatedRow& r) override { add_realization(*own_, all_->derived_, r.ok, r.sample, r.values); }
    std::vector<double> finish() override { return own_->finish_block(); }
    std::vector<double> finish_of_device(std::span<const double> of_device) override {
      const DeviceBlock& block = *all_->on_device_;
      const std::size_t told = std::size_t(block.rows * block.series.lines);
      return own_->finish_block(block, of_device.first(told), of_device.subspan(told));
    }

   private:
    std::shared_ptr<BlockStatistics> all_;
    std::unique_ptr<analysis::Accumulator> own_;
  };
  std::unique_ptr<analysis::Accumulator> take() {
    const std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<analysis::Accumulator>(block_);
    std::unique_ptr<analysis::Accumulator> own = std::move(idle_.back());
    idle_.pop_back();
    return own;
  }

  analysis::StatisticsRequest block_;
  long first_of_all_;
  Collector::DerivedOf derived_;
  const analysis::Accumulator empty_;
  std::shared_ptr<const DeviceBlock> on_device_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<analysis::Accumulator>> idle_;
};

}  // namespace

Digest block_statistics(const analysis::StatisticsRequest& whole, const Plan& plan, Collector::DerivedOf derived) {
  if (plan.aside || plan.blocks || plan.per_realization() != 1) return {};
  analysis::StatisticsRequest empty = whole;
  empty.samples = 0;
  const analysis::Accumulator all(std::move(empty));
  if (all.block_rows() == 0) return {};
  const auto made = std::make_shared<BlockStatistics>(all.block_request(), whole.first, std::move(derived));
  return {all.block_rows(), [made](long first) { return made->begin(first); }, whole.keep_all, made->on_device(),
          [made](long first) { return made->picked(first); }};
}

}  // namespace aleator::core
