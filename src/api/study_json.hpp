// The members that tell a study, in the object of `run` and inside that of `identify`.
#pragma once

#include <aleator/results.hpp>

#include "api/json_members.hpp"

namespace aleator::core {

void write_study(Members& m, const StudyResult& result);

}  // namespace aleator::core
