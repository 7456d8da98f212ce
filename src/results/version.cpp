#include "results/version.hpp"

#include "build_version.hpp"  // generated, see cmake/Version.cmake

namespace aleator::core::results {

std::string version() { return build::version; }
std::string commit() { return build::commit; }

}  // namespace aleator::core::results
