// JSON Schemas that stand in several places, written once.
#pragma once

#include "base/json.hpp"

namespace aleator::core::input {

// Schemas of some length that `root` has more than once become entries of its `$defs`, with references in their places. Places may
// differ in their description, which then stays with the reference.
void share_repeated(JsonValue& root);

}  // namespace aleator::core::input
