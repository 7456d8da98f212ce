// Through which HDF5 writes into a file that somebody else has opened. It never hears of a failure: HDF5 cannot let go of a file whose
// disk is full. The first one is remembered, from then on nothing is written, and whoever has the file asks for it.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "results/hdf5_handle.hpp"

namespace aleator::core::results {

struct Hdf5Target {
  int descriptor = -1;         // for reading and writing
  std::atomic<int> error = 0;  // errno of the first failure
};

// Bytes at a place, by any thread.
void write_at(Hdf5Target& target, std::uint64_t at, const void* from, std::size_t size);

// How a file is accessed, for H5Fcreate(); `target` stays until that file is closed.
Handle access_through(Hdf5Target& target);

}  // namespace aleator::core::results
