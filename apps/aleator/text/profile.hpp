// aleator run --profile: where the time of a study went.
#pragma once

#include "study/session.hpp"

namespace aleator::app {

void print_profile(const core::StudyProfile& profile);

}  // namespace aleator::app
