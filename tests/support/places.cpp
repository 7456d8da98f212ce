#include "support/places.hpp"

#include <cstdlib>

#ifndef ALEATOR_PROGRAM
#define ALEATOR_PROGRAM ""
#endif

namespace aleator::core::test {

const std::string& source_folder() {
  // Tests that were carried to another machine are told where they are.
  static const std::string folder = std::getenv("ALEATOR_SOURCE") ? std::getenv("ALEATOR_SOURCE") : ALEATOR_SOURCE_DIR;
  return folder;
}

const std::string& program_file() {
  static const std::string file = ALEATOR_PROGRAM;
  return file;
}

}  // namespace aleator::core::test
