// The motion in a results file: times, shapes and poses.
#pragma once

#include "results/read.hpp"
#include "results/run.hpp"

namespace aleator::core::report {

inline constexpr long nominal = results::StudyReader::nominal;

// Of the nominal model, or of a realization whose motion was kept; all numbers are finite. No channels. Throws ReadError.
inline results::Run read_motion(const results::StudyReader& reader, long realization = nominal) {
  return reader.motion(realization);
}

}  // namespace aleator::core::report
