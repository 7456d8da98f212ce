// What MuJoCo knows of the elements of MJCF that are read here: names of attributes, so that a misspelt one is told from one that is left out.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "import/mjcf_settings.hpp"
#include "input/error_list.hpp"

namespace aleator::core::importing {

// Names that the file gives, which names made here must not be.
struct GivenNames {
  std::set<std::string> bodies, joints;
};

// Looks at all elements that are read: an attribute that MuJoCo does not know is a mistake; one that changes the motion and is left out is noted.
GivenNames check_schema(MjcfSettings& settings, const Element& top, Mechanism& m, input::ErrorList& errors);

// An element that is not read: what looks like a misspelt one of `known` is a mistake, another is noted.
void leave_out(const Element& e, const std::vector<std::string>& known, Mechanism& m);

}  // namespace aleator::core::importing
