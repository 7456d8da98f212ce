// What an element uses to build itself: reads its values out of an Item, asks for markers, signals and rows, and adds itself
// to the blueprint.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "elements/blueprint.hpp"
#include "input/expression.hpp"

namespace aleator::core {

namespace processes {
struct Process;
}

// A process in one realization: at rest without numbers.
struct RealizedProcess {
  std::shared_ptr<const processes::Process> process;
  double draw = 0;  // chooses among records
  std::vector<double> normals = {};
  bool at_rest = true;
};

class Builder {
 public:
  Builder(const input::Scope& scope, Blueprint& blueprint, double duration)
      : scope_(scope), blueprint_(blueprint), duration_(duration) {}

  // --- values of an item -----------------------------------------------------------------------------------------------
  double number(const input::Item& item, std::string_view key, double fallback) const;
  double number(const input::Number& n) const { return scope_(n); }
  long whole(const input::Number& n, std::string_view what) const { return input::whole(scope_, n, what); }
  Vec3<double> vector(const input::Value& value, int first = 0) const;  // numbers first … first+2
  Vec3<double> vector(const input::Item& item, std::string_view key, Vec3<double> fallback) const;
  Vec3<double> direction(const input::Value& value) const;  // a unit vector; refuses zero
  Mat3<double> rotation(const input::Value& orientation) const;
  std::vector<double> numbers(const input::Value& value) const;
  int normal() const { return topology().normal; }  // of a planar model, −1 in space

  // --- bodies ------------------------------------------------------------------------------------------------------------
  // Rigid bodies must be added before all others; each starts a body that was named in the topology.
  void add_rigid_body(int body, const RigidBody::Parameters<double>& p, const Vec3<double>& center,
                      const Mat3<double>& orientation, const Vec3<double>& velocity,
                      const Vec3<double>& spin);  // spin in body axes
  // A carrier of vectors; a new node unless it continues the last one. Returns its number.
  int add_carrier(int body, std::span<const Vec3<double>> vectors, std::span<const Vec3<double>> rates, bool is_place,
                  bool continues);
  // How a body that is not one rigid carrier provides markers: fills topology and numbers for a point and axes (inertial, t = 0
  // as drawn).
  struct NodalPlace {
    NodalTopology topology;
    NodalParameters<double> parameters;  // `axes` is filled by the builder
    Mat3<double> frame;                  // axes a at t = 0
    Mat3<double> section;                // of a beam, axes of its cross-section then: along it, its height, its width
  };
  using FindPlace = std::function<NodalPlace(const Vec3<double>& point)>;
  void set_markers(int body, FindPlace find) { find_place_[body] = std::move(find); }
  // Of a beam: the element and the place in it (0 … 1) of a point.
  struct SectionPlace {
    int element;
    double xi;
  };
  using FindSection = std::function<SectionPlace(const Vec3<double>& point)>;
  void set_sections(int body, FindSection find) { find_section_[body] = std::move(find); }
  const FindSection* sections(int body) const;  // null for bodies that are not beams
  void add_beam_record(BeamRecord beam) { blueprint_.topology.beams.push_back(beam); }

  // --- parts of the mechanism --------------------------------------------------------------------------------------------
  int body(const std::string& name) const;  // the ground is the last one
  int ground() const { return topology().bodies(); }
  int marker(int body, const Vec3<double>& point,
             const Mat3<double>& axes = Mat3<double>::identity());           // inertial, at t = 0 as drawn
  int axes_marker(int body, const Vec3<double>& point, input::Position at);  // with the body's own axes, or those of the section
  // In a planar model: axes whose angle about the normal is that of the body; of a beam, from the first axis of the plane to the beam.
  int angle_marker(int body, const Vec3<double>& point, input::Position at);
  bool has_axes(int marker) const;  // a point of a cable in space has none
  void require_axes(int marker, input::Position at) const;
  Vec3<double> body_origin(int body) const;     // where the body was put: its `at`
  std::vector<int> inertia_of(int body) const;  // for outputs of kinetic energy
  // A function of time; with `twice` one that is differentiated twice, which white noise cannot be.
  int signal(const input::Item& function, bool twice = false);
  int constant_signal(double value);
  std::map<std::string, RealizedProcess> processes;  // by name, by the model
  // A carrier for a state of an element that belongs to a joint or force between two bodies, and for an integral of it.
  int add_state(int first, int second, double value);
  int turn(const Coordinate& c);  // a slot to count the turns of an angle; returns its number
  int pool(const std::vector<double>& values);
  int row(std::string what, bool is_angle);  // a row of the joint that was added last
  int gradient(int row, int marker);         // of a row with respect to a marker
  int carrier_block(int row, int carrier);   // of a row with respect to a carrier itself
  JointRecord& add_joint(JointRecord joint);
  const JointRecord& joint(const std::string& name) const;
  const ForceRecord& force(const std::string& name) const;
  void add_force(ForceRecord force);
  void add_hysteresis(HysteresisRecord record) { blueprint_.topology.hysteresis.push_back(std::move(record)); }

  // Adds an element of kernel K; returns its place.
  struct Place {
    int group, element;
  };
  template <class K>
  Place add(const Kernel& kernel, const typename K::Topology& t, const typename K::template Parameters<double>& p) {
    return add_raw(kernel, reinterpret_cast<const int*>(&t), reinterpret_cast<const double*>(&p));
  }

  // For outputs: fills frame, component and channels of a vector output from `in` and `component`.
  void vector_output(const input::Item& item, Output& out);
  void add_output(Output out) {
    if (out.scalar_rate) out.integral = blueprint_.topology.integrals++;
    blueprint_.topology.outputs.push_back(std::move(out));
  }

  Extent extent() const;
  // Of a realization: adds what an entry has added to the nominal model instead of building it.
  void repeat(const Extent& from, const Extent& to, const Topology& topology, const Parameters& nominal);

  const Topology& topology() const { return blueprint_.topology; }
  const Parameters& numbers() const { return blueprint_.numbers; }

  // Of a realization: where points of beams are nominally. A point may not go to another element, which would change the topology.
  const std::vector<NodalTopology>* expected = nullptr;
  bool names_rows() const { return expected == nullptr; }  // those of realizations have the model's names

  // Of a realization: functions of time that do not depend on what differs are the nominal ones; to fit them takes long.
  const Parameters* nominal = nullptr;
  const input::Dependents* dependents = nullptr;

  std::vector<Vec3<double>> origins;       // [bodies] `at` of each body, by the model
  std::vector<Mat3<double>> orientations;  // [bodies] its axes at t = 0, by the model

 private:
  int count_pieces(const input::Item& function);
  Place add_raw(const Kernel& kernel, const int* topology, const double* parameters);

  std::map<int, FindPlace> find_place_;  // of bodies that are not one rigid carrier
  std::map<int, FindSection> find_section_;
  const input::Scope& scope_;
  Blueprint& blueprint_;
  double duration_;
  std::size_t pieces_ = 0;  // of all functions of time
};

// A marker given in inertial axes, as a part of a body with this frame.
template <class T>
MarkerParameters<T> marker_on(const BodyFrame<T>& f, const MarkerParameters<double>& inertial) {
  return {transposed_times(f.R, known<T>(inertial.offset) - f.x), transposed_times(f.R, known<T>(inertial.axes))};
}

// A joint, force or output of the model language: its field table and what it builds. One file and one line of registry.cpp.
struct ElementType {
  input::Kind kind;
  void (*build)(const input::Item& item, Builder& builder);
  std::string_view example;   // a complete entry between bodies a and b (documentation, contract tests)
  bool needs_joints = false;  // built after the joints it refers to
};

// Fields that every joint with free directions has: motion, spring, damper, stops, friction, actuator.
std::vector<input::Field> free_direction_fields();

// Builds what acts in the free directions of a joint (everything but the motion).
void build_free_direction_forces(const input::Item& item, JointRecord& joint, Builder& builder);

// The free direction a field means: by name, or the only one there is.
const FreeDirection& pick_direction(const JointRecord& joint, const std::string& name, input::Position at,
                                    std::string_view field);

// Hinges of a tabulated characteristic for CoordinateForce: returns pool offset and number of hinges.
struct HingeTable {
  int offset = 0, hinges = -1;
};
HingeTable hinge_table(const input::Value* table, Builder& builder);

}  // namespace aleator::core
