// Mass, centre of mass and inertia of bodies, from shapes or as given.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "elements/builder.hpp"
#include "numerics/vec3.hpp"

namespace aleator::core {

// A number that replaces one of the model: `rb5.mass`, `rb5.center_of_mass.x`, `rb5.inertia.xy`, `link.E`, or a parameter.
struct Override {
  std::string name;
  double value;
  std::vector<double> along = {};  // of a property of a beam: its values at the stations, instead of one
};

// A shape as drawn, in inertial axes at t = 0.
struct DrawnShape {
  std::string kind;  // box, cylinder, sphere, capsule, ellipsoid, prism, mesh
  // box: edges; cylinder: radius, length; sphere: radius; capsule: radius, length of its cylinder; ellipsoid: half axes; prism: length,
  // then the polygon x y x y …; mesh: factors of its axes
  std::vector<double> size;
  Vec3<double> position;  // of its centre; of a prism and a mesh: of the origin of its axes
  Mat3<double> axes;      // of the shape (cylinder, capsule and prism along their z)
  double volume = 0;      // of a mesh that is no solid: 0
  std::shared_ptr<const meshes::SolidMesh> mesh = nullptr;
};

struct BodyProperties {
  Vec3<double> origin;       // `at`
  Mat3<double> orientation;  // body axes at t = 0
  double mass = 0;
  Vec3<double> center_of_mass;    // inertial, t = 0
  Mat3<double> inertia;           // about the centre of mass, inertial axes at t = 0
  Vec3<double> velocity;          // of the centre of mass
  Vec3<double> angular_velocity;  // inertial axes
  std::vector<DrawnShape> shapes;

  // Of a beam.
  double length = 0;                           // 0: not a beam
  std::vector<Vec3<double>> stations;          // the places where its properties are taken, at t = 0
  std::vector<Vec3<double>> axis;              // its axis in equal, small steps
  std::vector<double> E, nu, density, height;  // [stations]; no height where the section has none

  bool is_beam() const { return length > 0; }
  const std::vector<double>& profile(std::string_view property) const;  // one of the four
  std::vector<Vec3<double>> axis_points(int count) const;               // at equal distances, both ends included
};

std::vector<input::Kind> shape_kinds();

// Reads one body; overrides that name it replace its mass, centre of mass and inertia (which scales with a replaced mass
// unless it is replaced itself). Throws InputError where no real body is meant.
BodyProperties body_properties(const input::Item& item, const Builder& b, std::span<const Override> overrides);

// Whether `name` is a property of that body: "rb5.mass".
inline bool override_names(std::string_view name, const input::Item& body) {
  return name.size() > body.name.size() && name[body.name.size()] == '.' && name.starts_with(body.name);
}

// Its velocity and angular velocity at t = 0.
void read_motion(const input::Item& item, const Builder& b, BodyProperties& p);

}  // namespace aleator::core
