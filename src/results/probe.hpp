// Whether the HDF5 library survives a file that nobody vouches for: structures that were damaged or forged can end the process that
// reads them.
#pragma once

#include <string>

namespace aleator::core::results {

// Reads all of it in a process of its own. Throws ReadError when that ends badly.
void probe(const std::string& path);

}  // namespace aleator::core::results
