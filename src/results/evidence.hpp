// Lines of the evidence of a study (StudyResult::evidence): sentences, their continuation indented, and details.
#pragma once

#include <string_view>

namespace aleator::core::results {

// Begins a line that is for those who look closer: reports and JSON have it, summaries leave it out.
constexpr std::string_view detail_mark = "    · ";

}  // namespace aleator::core::results
