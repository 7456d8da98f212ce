#include "import/mechanism.hpp"

#include <cmath>

#include <fmt/format.h>

namespace aleator::core::importing {

Pose operator*(const Pose& a, const Pose& b) { return {a.R * b.R, a.R * b.p + a.p}; }
Vector operator*(const Pose& a, const Vector& p) { return a.R * p + a.p; }
Pose inverse(const Pose& a) { return {transpose(a.R), -transposed_times(a.R, a.p)}; }

// Rodrigues:  R = I + sin φ ã + (1 − cos φ) ã²
Matrix rotation_about(const Vector& axis, double angle) {
  const Matrix a = skew(axis);
  return Matrix::identity() + std::sin(angle) * a + (1 - std::cos(angle)) * (a * a);
}

Matrix rotation_rpy(const Vector& rpy) {
  return rotation_about({0, 0, 1}, rpy.z) * rotation_about({0, 1, 0}, rpy.y) * rotation_about({1, 0, 0}, rpy.x);
}

namespace {

// Of a mass at r from the centre:  m (r·r I − r rᵀ)
Matrix steiner(double mass, const Vector& r) { return mass * (dot(r, r) * Matrix::identity() - outer(r, r)); }

}  // namespace

void MassProperties::add(const MassProperties& other) {
  const double total = mass + other.mass;
  if (!(total > 0)) return;
  const Vector c = (1 / total) * (mass * center + other.mass * other.center);
  inertia = inertia + steiner(mass, center - c) + other.inertia + steiner(other.mass, other.center - c);
  center = c;
  mass = total;
}

void MassProperties::rotate_and_move(const Pose& to_link) {
  center = to_link * center;
  inertia = to_link.R * inertia * transpose(to_link.R);
}

Mechanism read_description(const std::string& name, std::string bytes, const FileSource& files, const ImportOptions& options) {
  const XmlFile xml(name, std::move(bytes));
  const std::string_view root = xml.root().name();
  if (root == "robot" || root == "mujoco") {
    Mechanism m = root == "robot" ? read_urdf(xml, files, options) : read_mjcf(xml, files, options);
    if (m.relations.size() > limits::followers)
      throw error_at(m.relations[limits::followers].place,
                     fmt::format("at most {} joints may follow another (mimic, equality)", limits::followers));
    return m;
  }
  throw error_at(xml.place(xml.root()),
                 fmt::format("the first element is <{}>: robot descriptions begin with <robot> (URDF) or <mujoco> (MJCF){}", root,
                             root == "sdf" ? "; convert SDF first (gz sdf, sdf2urdf)" : ""));
}

}  // namespace aleator::core::importing
