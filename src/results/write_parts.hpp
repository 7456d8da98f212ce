// What the files of a nominal run and of a study have in common.
#pragma once

#include <string>
#include <vector>

#include "results/hdf5_file.hpp"
#include "results/identification.hpp"
#include "results/reliability.hpp"
#include "results/run.hpp"

namespace aleator::core::results {

constexpr std::size_t pose_size = 7;

void write_provenance(Hdf5File& file, const std::string& layout, const Provenance& provenance);
void write_geometry(Hdf5File& file, const std::vector<DrawnBody>& bodies);
void write_connections(Hdf5File& file, const Run& run);
void write_motion(Hdf5File& file, const Run& run);  // the nominal one, and the points that outputs observe
// `columns`: how many random numbers there are.
void write_reliability(Hdf5File& file, const Reliability& reliability, const Run& nominal, std::size_t columns);
void write_identification(Hdf5File& file, const Identification& identification, const std::vector<Channel>& channels);

}  // namespace aleator::core::results
