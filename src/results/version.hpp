// Which Aleator this is.
#pragma once

#include <string>

namespace aleator::core::results {

std::string version();  // "0.2.0"
std::string commit();   // of the sources it was built from, with "-modified" when they had been edited; or "unknown"

}  // namespace aleator::core::results
