// What results are called in legends and on pages.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::report {

// "few" of out/few/results.h5 and few.h5. Where two would be called the same, the later one is called by its path.
std::vector<std::string> labels_of(const std::vector<std::string>& files);

}  // namespace aleator::core::report
