// How probable it is that limits are passed: the plain data that methods for rare events fill in is that of the library.
#pragma once

#include <aleator/reliability.hpp>

namespace aleator::core::results {

using aleator::Reliability;

}  // namespace aleator::core::results
