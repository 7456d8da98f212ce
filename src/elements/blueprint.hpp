// A mechanism as integers and numbers, the way kernels want it. Elements fill it through the Builder (builder.hpp); the model
// keeps the Topology, and makes Realizations of the Numbers.
#pragma once

#include <string>
#include <vector>

#include "elements/carrier.hpp"
#include "elements/coordinate.hpp"
#include "elements/kernel.hpp"
#include "elements/nodal_marker.hpp"
#include "elements/output.hpp"
#include "input/description.hpp"

namespace aleator::core {

// A free direction of a joint that can be measured, and what acts in it: elements as group and number in it, −1 for none.
struct FreeDirection {
  std::string name;  // x … rz
  Coordinate coordinate;
  int marker = -1, axis = -1;  // the second body moves along or about this axis of this marker
  int law[2] = {-1, -1};       // springs, dampers, stops, friction and actuator: a CoordinateForce
  int hysteresis[2] = {-1, -1};
  std::vector<std::string> acting = {};  // what the model says: spring, damper, …, motion
};

struct JointRecord {
  std::string name, kind;
  input::Position at;
  std::string first, second;  // bodies, or "ground"
  int marker_a = -1, marker_b = -1;
  int axis = -1;  // of marker a: which of its axes is the joint's; −1: it has none
  int row = 0, rows = 0, gradient = 0;
  std::vector<FreeDirection> free;
};

struct ForceRecord {
  std::string name, kind;
  int group = -1, element = -1;  // the element that is its force
  Coordinate coordinate{};       // what it acts along, when it has one
  bool has_coordinate = false;
  std::vector<int> more = {};  // elements that belong to it as well: group, element, …
};

// A direction of a force or joint with hysteresis (hysteretic_force.hpp).
struct HysteresisRecord {
  std::string name;       // of the force or joint
  std::string direction;  // x … rz; "" where there is only one
  int group, element;
  bool is_angle, of_joint;
};

struct RowRecord {
  int joint;         // index into joints
  std::string what;  // "translation along x", "rotation about z", "length"
  bool is_angle;     // of rotations, in rad; lengths otherwise
};

// A flexible body: nodes at equal distances along its centreline, two carriers each (one for a cable).
struct BeamRecord {
  int body;
  int group, element, elements;  // its first element, and how many

  bool operator==(const BeamRecord&) const = default;
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
  std::vector<std::string> body_names;  // without the ground
  std::vector<int> first_carrier;       // [bodies] of a rigid body its only one
  std::vector<Carrier> carriers;        // those of rigid bodies first; the ground is one more, after the last
  int rigid = 0;                        // number of rigid bodies
  int states = 0;                       // number of carriers with states of elements, the last ones
  std::vector<int> marker_carrier;      // [markers] that of a rigid body, or the ground; −1 for markers on nodes
  std::vector<int> marker_nodal;        // [markers] index into nodal, −1 for markers on rigid bodies
  std::vector<NodalTopology> nodal;
  std::vector<BeamRecord> beams;
  std::vector<GroupData> groups;
  std::vector<JointRecord> joints;
  std::vector<ForceRecord> forces;
  std::vector<HysteresisRecord> hysteresis;
  std::vector<RowRecord> rows;
  std::vector<int> gradient_row, gradient_marker, gradient_block;  // one per row and marker: its first block
  std::vector<int> block_row, block_carrier;                       // one per row and carrier of a marker
  std::vector<Output> outputs;
  int integrals = 0;                        // outputs that are integrals of others
  int turns = 0;                            // measured angles
  int gravity_signal[3] = {-1, -1, -1};     // functions of time that gravity has besides its numbers
  std::vector<Coordinate> turn_coordinate;  // which coordinate each of them belongs to

  int bodies() const { return int(body_names.size()); }
  int ground() const { return int(carriers.size()); }
  Carriers all_carriers() const { return {rigid, int(carriers.size()), int(carriers.size()) - states}; }
  const std::string& carrier_name(int c) const { return body_names[carriers[c].body]; }
};

// What may differ between realizations.
struct Parameters {
  Vec3<double> gravity;
  std::vector<RigidBody::Parameters<double>> bodies;  // rigid ones
  std::vector<MarkerParameters<double>> markers;
  std::vector<std::vector<double>> groups;  // [groups] parameters of all elements of a group
  std::vector<double> pool;                 // tables
  std::vector<PiecewisePolynomial> signals;
  std::vector<NodalParameters<double>> nodal;
  std::vector<double> positions;   // 7 per carrier, at t = 0 as drawn
  std::vector<double> velocities;  // 6 per carrier
};

// How many there are of everything before an entry of the model is built. What lies between two of these is what the entry adds.
struct Extent {
  int markers = 0, nodal = 0, signals = 0, pool = 0, carriers = 0;
  std::vector<int> elements = {};  // [groups]
  int joints = 0, forces = 0, rows = 0, gradients = 0, blocks = 0, turns = 0;

  bool operator==(const Extent&) const = default;
  bool same_numbers(const Extent& o) const {  // nothing is added to Parameters from one to the other
    return markers == o.markers && nodal == o.nodal && signals == o.signals && pool == o.pool && carriers == o.carriers &&
           elements == o.elements;
  }
};

struct Blueprint {
  Topology topology;
  Parameters numbers;
  std::vector<MarkerParameters<double>> drawn_markers;  // [markers] where the language puts them: inertial, at t = 0 as drawn
};

}  // namespace aleator::core
