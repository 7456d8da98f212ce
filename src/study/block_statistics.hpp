// Statistics of blocks of realizations, made by whichever thread or process has simulated them (analysis/accumulate_blocks.cpp).
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "analysis/accumulate.hpp"
#include "ensemble/ensemble.hpp"
#include "study/collector.hpp"

namespace aleator::core {

// Of the accumulator that `whole` asks for. No rows where that is not made of blocks, or rows of the plan are something else than realizations.
Digest block_statistics(const analysis::StatisticsRequest& whole, const Plan& plan, Collector::DerivedOf derived);

}  // namespace aleator::core
