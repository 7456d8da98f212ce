// The motion of a mechanism as glTF 2.0, which other viewers show.
#pragma once

#include <string>

#include "report/playback.hpp"
#include "results/run.hpp"

namespace aleator::core::report {

enum class Gltf { text, binary };  // .gltf with its numbers in a data URI, .glb
enum class Up { y, z };            // which axis of the model is up; in glTF it is y

// A node for each body, named as it is. Rigid bodies move as their nodes do; a beam is a skin over a joint at each of its
// cross-sections. Everything hangs on a node that turns z up into y up, where z is up.
std::string gltf(const results::Run& run, const Playback& playback, const std::string& title, Up up, Gltf kind);

}  // namespace aleator::core::report
