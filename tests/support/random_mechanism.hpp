// For tests: mechanisms drawn at random, as text. A tree of bodies with joints of all kinds, some floating, loops closed as drawn, drives, springs,
// dampers, armature, bushings and beams. The same seed gives the same mechanism on every machine.
#pragma once

#include <string>

namespace aleator::core::test {

struct RandomMechanism {
  int bodies = 5;
  int loops = 1;  // joints that close one; fewer where no degrees of freedom would be left
  bool planar = false;
  bool driven = true;
  bool armature = false;
  int beams = 0;  // soft ones, each clamped to a body, some pinned to another
};

std::string random_mechanism(unsigned seed, const RandomMechanism& kind);

}  // namespace aleator::core::test
