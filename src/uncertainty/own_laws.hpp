// The most common laws, computed here: the module with OpenTURNS takes a tenth of a second to load, and answers one thread at a time. It is
// asked for their polynomials, when somebody needs them.
#pragma once

#include <memory>

#include "uncertainty/distribution.hpp"

namespace aleator::core {

// None where the law is another one, is cut, or has parameters that are out of the ordinary: these are the module's.
std::unique_ptr<const Distribution> make_own_law(const Law& law);

}  // namespace aleator::core
