// From what a session leaves to what users of the library see.
#pragma once

#include <aleator/results.hpp>

#include "study/session.hpp"

namespace aleator {

StudyResult as_public(const core::SessionResult& session);

}  // namespace aleator
