// The bodies of a mechanism as trees of joints, for accelerations in joint coordinates (dynamics/articulated_solver.hpp). Joints that would
// close a loop are cut: their rows keep multipliers, as do rows of kernels without a joint space.
#pragma once

#include <vector>

namespace aleator::core {

struct JointTree {
  // An inertia in a joint (elements/coordinate_inertia.hpp).
  struct Armature {
    int group, element;
    int place;  // among the free directions of the joint; −1: that one is driven
  };
  struct Node {
    int carrier;
    int parent = -1;               // node; −1: the ground, or nothing
    int group = -1, element = -1;  // the joint to the parent; −1: none, all velocities that are unknowns are free
    bool is_second = true;         // of the two bodies of the joint
    bool is_leaf = true;
    std::vector<Armature> armatures = {};
    std::vector<int> cuts = {};  // places in cut_rows of those that act on it or on what hangs on it, ascending
  };
  bool possible = false;
  std::vector<Node> nodes;              // parents before children
  std::vector<int> node_of;             // [carriers] −1 where it is no rigid body
  std::vector<int> cut_rows;            // in the order in which they are eliminated
  std::vector<int> cut_of_row;          // [rows] place in cut_rows, −1
  std::vector<std::vector<int>> after;  // [cut rows] places of later ones that the elimination of one touches, ascending
  double operations = 0;                // floating-point, of a factorisation and a solution, estimated
};

}  // namespace aleator::core
