// The motion in a results file: times, shapes and poses.
#pragma once

#include "results/read.hpp"
#include "results/run.hpp"

namespace aleator::report {

inline constexpr long nominal = -1;

// Of the nominal model, or of a realization whose motion was kept. No channels. Throws ReadError.
results::Run read_motion(const results::StudyReader& reader, long realization = nominal);

}  // namespace aleator::report
