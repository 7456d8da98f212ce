// Which times of a motion become key frames, and how fast they are shown.
#pragma once

#include <cstddef>
#include <vector>

#include "results/run.hpp"

namespace aleator::core::report {

struct Playback {
  std::vector<std::size_t> frames;  // which times, ascending
  double speed = 1;                 // seconds of the motion per second of the animation
};

// At most `most` of 0 … times − 1, evenly spread, first and last among them.
std::vector<std::size_t> key_frames(std::size_t times, std::size_t most);

// 1 if the motion then lasts from 4 to 20 s; else the nearest of 0.5, 0.2, 0.1, … or 2, 5, 10, … with which it does.
double comfortable_speed(double duration);

// The largest angle (rad) by which a rigid body turns between two key frames, on the way it takes through all times: viewers show
// the shortest way, which is another one from π on.
double largest_turn(const results::Run& run, const std::vector<std::size_t>& frames);

}  // namespace aleator::core::report
