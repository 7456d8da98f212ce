// Where the sources and the program are. Known to one file, so that the others are the same text in every clone.
#pragma once

#include <string>

namespace aleator::core::test {

const std::string& source_folder();
const std::string& program_file();  // empty: built without it

}  // namespace aleator::core::test
