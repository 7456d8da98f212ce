// The motion in a results file: times, shapes and poses.
#pragma once

#include "results/read.hpp"
#include "results/run.hpp"

namespace aleator::core::report {

inline constexpr long nominal = -1;

std::vector<long> kept_motions(const results::StudyReader& reader);  // realizations whose motion is there

// times x frames x 7, as they are. Throws ReadError.
std::vector<double> read_poses(const results::StudyReader& reader, long realization);

// Of the nominal model, or of a realization whose motion was kept; all numbers are finite. No channels. Throws ReadError.
results::Run read_motion(const results::StudyReader& reader, long realization = nominal);

}  // namespace aleator::core::report
