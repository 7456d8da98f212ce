// Which build of Aleator this is. The library and each of its modules contain the same text; see base/load_module.hpp.
#pragma once

#include <string_view>

namespace aleator::core {

std::string_view build_id();  // "Aleator 0.2.0 COMMIT 12.2.0": version, commit and compiler

}  // namespace aleator::core
