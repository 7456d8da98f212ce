#include "support/places.hpp"

#ifndef ALEATOR_PROGRAM
#define ALEATOR_PROGRAM ""
#endif

namespace aleator::core::test {

const std::string& source_folder() {
  static const std::string folder = ALEATOR_SOURCE_DIR;
  return folder;
}

const std::string& program_file() {
  static const std::string file = ALEATOR_PROGRAM;
  return file;
}

}  // namespace aleator::core::test
