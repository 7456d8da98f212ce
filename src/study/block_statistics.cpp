#include "study/block_statistics.hpp"

namespace aleator::core {
namespace {

// As many accumulators as threads that are at it.
class BlockStatistics {
 public:
  BlockStatistics(analysis::StatisticsRequest block, long first_of_all, Collector::DerivedOf derived)
      : block_(std::move(block)), first_of_all_(first_of_all), derived_(std::move(derived)) {}

  std::vector<double> operator()(std::span<const SimulatedRow> rows) {
    std::unique_ptr<analysis::Accumulator> own = take();
    own->begin_block(rows[0].row, first_of_all_, true);
    for (const SimulatedRow& r : rows) add_realization(*own, derived_, r.ok, r.sample, r.values);
    std::vector<double> out = own->finish_block();
    const std::scoped_lock lock(mutex_);
    idle_.push_back(std::move(own));
    return out;
  }

 private:
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
  return {all.block_rows(), [made](std::span<const SimulatedRow> rows) { return (*made)(rows); }, whole.keep_all};
}

}  // namespace aleator::core
