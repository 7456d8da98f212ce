// A mechanism as integers and numbers, the way kernels want it. Elements fill it through the Builder (builder.hpp); the model
// keeps the Topology, and makes Realizations of the Numbers.
#pragma once

#include <string>
#include <vector>

#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"
#include "elements/output.hpp"
#include "elements/rigid_body.hpp"
#include "input/description.hpp"

namespace aleator {

// A free direction of a joint that can be measured.
struct FreeDirection {
  std::string name;  // x … rz
  Coordinate coordinate;
};

struct JointRecord {
  std::string name, kind;
  input::Position at;
  int first = -1, second = -1;  // bodies; the ground is the last one
  int marker_a = -1, marker_b = -1;
  int row = 0, rows = 0, block = 0;
  std::vector<FreeDirection> free;
};

struct ForceRecord {
  std::string name, kind;
  int group = -1, element = -1;  // the element that is its force
  Coordinate coordinate{};       // what it acts along, when it has one
  bool has_coordinate = false;
};

struct RowRecord {
  int joint;         // index into joints
  std::string what;  // "translation x", "rotation z", "length"
};

struct GroupData {
  const Kernel* kernel;
  int count = 0;
  std::vector<int> topology;

  bool operator==(const GroupData&) const = default;
};

// What is the same in all realizations.
struct Topology {
  int normal = -1;                      // planar models: the axis normal to the plane
  std::vector<std::string> body_names;  // without the ground, whose index is bodies()
  std::vector<int> marker_body;
  std::vector<GroupData> groups;
  std::vector<JointRecord> joints;
  std::vector<ForceRecord> forces;
  std::vector<RowRecord> rows;
  std::vector<int> block_row, block_body, block_marker;  // one per row and marker
  std::vector<Output> outputs;
  int turns = 0;                            // measured angles
  std::vector<Coordinate> turn_coordinate;  // which coordinate each of them belongs to

  int bodies() const { return int(body_names.size()); }
  int ground() const { return bodies(); }
};

// What may differ between realizations.
struct Numbers {
  Vec3<double> gravity;
  std::vector<RigidBody::Parameters<double>> bodies;
  std::vector<MarkerParameters<double>> markers;
  std::vector<std::vector<double>> groups;  // [groups] parameters of all elements of a group
  std::vector<double> pool;                 // tables
  std::vector<PiecewisePolynomial> signals;
  std::vector<double> positions;   // 7 per body, at t = 0 as drawn
  std::vector<double> velocities;  // 6 per body
};

struct Blueprint {
  Topology topology;
  Numbers numbers;
};

}  // namespace aleator
