// Small models with bodies to be made uncertain, as text.
#pragma once

#include <string>

namespace aleator::core::test {

// Two boxes a and b in space, which nothing holds; `parameters` and `mass` (of a) as they stand in the file.
std::string two_bodies(const std::string& parameters, const std::string& uncertain, const std::string& mass = "6");
// One box a in the plane xz.
std::string body_in_plane(const std::string& uncertain);

}  // namespace aleator::core::test
