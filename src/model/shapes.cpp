#include "model/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "meshes/solid.hpp"

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;

namespace {

std::vector<Field> with_scale(std::vector<Field> fields) {
  fields.insert(fields.begin(), {.key = "scale",
                                 .type = FieldType::factors,
                                 .unit = "-",
                                 .doc = "Factor of its coordinates, or one for each axis: 0.001 for a file in millimetres.",
                                 .fallback = "1"});
  return fields;
}

}  // namespace

std::vector<input::Kind> shape_kinds() {
  const std::vector<Field> placed = {
      {.key = "at",
       .type = FieldType::point,
       .unit = "m",
       .doc = "Centre of this shape.",
       .fallback = "the position of the body"},
      {.key = "orientation",
       .type = FieldType::orientation,
       .doc = "Axes of this shape, relative to inertial axes.",
       .fallback = "those of the body"},
      {.key = "mass", .unit = "kg", .doc = "Mass of this shape.", .fallback = "density × volume", .bound = Bound::positive},
      {.key = "density",
       .unit = "kg/m³",
       .doc = "Density of this shape.",
       .fallback = "that of the body",
       .bound = Bound::positive},
  };
  const Field radius = {.key = "radius", .unit = "m", .doc = "Radius.", .required = true, .bound = Bound::positive};
  const Field length = {
      .key = "length", .unit = "m", .doc = "Length along the axis.", .required = true, .bound = Bound::positive};
  const Field axis = {.key = "axis", .type = FieldType::direction, .doc = "Axis, in the shape's axes.", .fallback = "z"};
  return {
      {"box",
       "Box with full edges along the axes.",
       {.key = "", .type = FieldType::vector, .unit = "m", .doc = "Full edges."},
       placed},
      {"cylinder",
       "Cylinder.",
       {.key = "", .type = FieldType::group, .doc = "Cylinder.", .fields = {radius, length, axis}},
       placed},
      {"sphere", "Sphere.", {.key = "", .type = FieldType::group, .doc = "Sphere.", .fields = {radius}}, placed},
      {"capsule",
       "Cylinder with a half sphere at each end.",
       {.key = "",
        .type = FieldType::group,
        .doc = "Capsule.",
        .fields = {radius,
                   {.key = "length",
                    .unit = "m",
                    .doc = "Length of the cylinder, without the half spheres.",
                    .required = true,
                    .bound = Bound::positive},
                   axis}},
       placed},
      {"ellipsoid",
       "Ellipsoid.",
       {.key = "",
        .type = FieldType::group,
        .doc = "Ellipsoid.",
        .fields = {{.key = "radii",
                    .type = FieldType::vector,
                    .unit = "m",
                    .doc = "Half of its extent along each axis.",
                    .required = true,
                    .bound = Bound::positive}}},
       placed},
      {"prism",
       "Prism over a polygon; its position is the origin of the polygon at half length.",
       {.key = "",
        .type = FieldType::group,
        .doc = "Prism.",
        .fields = {{.key = "polygon",
                    .type = FieldType::polygon,
                    .unit = "m",
                    .doc = "Corners [[x, y], …] in the plane normal to the axis, in order.",
                    .required = true},
                   length,
                   axis}},
       placed},
      {"mesh",
       "The solid that a closed surface of triangles encloses; its position is the origin of the file. A surface that is not "
       "closed "
       "is drawn, and needs 'mass', 'center_of_mass' and 'inertia' of the body.",
       {.key = "", .type = FieldType::mesh, .doc = "File (STL or OBJ)."},
       with_scale(placed)},
  };
}

namespace {

// Axes of a shape whose own z is `axis` (in the axes it was given in). A named axis keeps the cyclic order of the others.
Mat3<double> axes_along(const Vec3<double>& axis) {
  int big = 0;
  for (int i = 1; i < 3; ++i)
    if (std::abs(axis[i]) > std::abs(axis[big])) big = i;
  Vec3<double> helper;
  helper[(big + 1) % 3] = 1;
  Vec3<double> x = helper - dot(helper, axis) * axis;
  x = (1 / norm(x)) * x;
  return transpose(Mat3<double>{{x, cross(axis, x), axis}});
}

struct Local {
  double volume;
  Vec3<double> center, z;  // centroid; diagonal second moments per mass about it
  double zxy = 0;          // off-diagonal (prisms, meshes)
  double zxz = 0, zyz = 0;
};

// ∫ over a polygon by Green's theorem: area, centroid and second moments about the centroid, per area.
Local polygon(const std::vector<double>& p, double length, input::Position at) {
  const int n = int(p.size()) / 2;
  double A = 0, cx = 0, cy = 0, xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < n; ++i) {
    const double x0 = p[2 * i], y0 = p[2 * i + 1], x1 = p[2 * ((i + 1) % n)], y1 = p[2 * ((i + 1) % n) + 1];
    const double c = x0 * y1 - x1 * y0;
    A += c / 2;
    cx += c * (x0 + x1) / 6;
    cy += c * (y0 + y1) / 6;
    xx += c * (x0 * x0 + x0 * x1 + x1 * x1) / 12;
    yy += c * (y0 * y0 + y0 * y1 + y1 * y1) / 12;
    xy += c * (x0 * y1 + 2 * x0 * y0 + 2 * x1 * y1 + x1 * y0) / 24;
  }
  if (n < 3 || !(std::abs(A) > 0)) throw InputError(at, "the polygon of a prism encloses no area");
  cx /= A, cy /= A;
  return {std::abs(A) * length, {cx, cy, 0}, {xx / A - cx * cx, yy / A - cy * cy, length * length / 12}, xy / A - cx * cy};
}

// A cylinder of length l and two half spheres, whose parts of the mass are
//   m_c : m_s = l : 4r/3;   Z_zz = m_c l²/12 + m_s (l²/4 + 3lr/8 + r²/5)
Local capsule(double r, double l) {
  const double pi = std::acos(-1.0), sphere = 4 * r / 3 / (l + 4 * r / 3), cylinder = 1 - sphere;
  const double across = cylinder * r * r / 4 + sphere * r * r / 5;
  return {pi * r * r * (l + 4 * r / 3),
          {},
          {across, across, cylinder * l * l / 12 + sphere * (l * l / 4 + 3 * l * r / 8 + r * r / 5)}};
}

// The mesh by factors f of its axes:  V' = |f_x f_y f_z| V,  c' = f∘c,  Z'_ij = f_i f_j Z_ij
Local scaled_mesh(const meshes::Solid& s, const std::vector<double>& f) {
  Local m{};
  m.volume = s.volume * std::abs(f[0] * f[1] * f[2]);
  for (int i = 0; i < 3; ++i) m.center[i] = f[i] * s.center[i], m.z[i] = f[i] * f[i] * s.second[i];
  m.zxy = f[0] * f[1] * s.second[3], m.zxz = f[0] * f[2] * s.second[4], m.zyz = f[1] * f[2] * s.second[5];
  return m;
}

Local read_mesh_shape(const Item& shape, const Builder& b, ShapeProperties& s) {
  s.drawn.mesh = shape.subject.mesh;
  s.drawn.size = {1, 1, 1};
  if (const input::Value* scale = shape.find("scale")) {
    s.drawn.size = b.numbers(*scale);
    for (const double f : s.drawn.size) {
      if (!(std::abs(f) > 0)) throw InputError(scale->at, "'scale' of a mesh must not be zero");
      if (!(std::abs(f) >= meshes::least_scale && std::abs(f) <= meshes::most_scale))
        throw InputError(scale->at, fmt::format("'scale' of a mesh must have sizes from {:g} to {:g}, found {:g}",
                                                meshes::least_scale, meshes::most_scale, f));
    }
  }
  s.defect = s.drawn.mesh->solid.defect();
  return s.defect.empty() ? scaled_mesh(s.drawn.mesh->solid, s.drawn.size) : Local{};
}

Vec3<double> positive_sizes(const input::Value& value, std::string_view what, const Builder& b) {
  const Vec3<double> e = b.vector(value);
  if (!(e.x > 0 && e.y > 0 && e.z > 0))
    throw InputError(value.at, fmt::format("{} must be positive, found [{:g}, {:g}, {:g}]", what, e.x, e.y, e.z));
  return e;
}

// Of the kind of the shape: fills its size, and returns its integrals in its own axes.
Local local_properties(const Item& shape, const Builder& b, ShapeProperties& s) {
  const double pi = std::acos(-1.0);
  const Item* g = shape.subject.items.empty() ? nullptr : &shape.subject.items[0];
  const auto of = [&](std::string_view key) { return b.number(*g, key, 0); };
  if (shape.kind == "mesh") return read_mesh_shape(shape, b, s);
  if (shape.kind == "box") {
    const Vec3<double> e = positive_sizes(shape.subject, "the edges of a box", b);
    s.drawn.size = {e.x, e.y, e.z};
    return {e.x * e.y * e.z, {}, {e.x * e.x / 12, e.y * e.y / 12, e.z * e.z / 12}};
  }
  if (shape.kind == "ellipsoid") {
    const Vec3<double> e = positive_sizes(*g->find("radii"), "the radii of an ellipsoid", b);
    s.drawn.size = {e.x, e.y, e.z};
    return {4 * pi / 3 * e.x * e.y * e.z, {}, {e.x * e.x / 5, e.y * e.y / 5, e.z * e.z / 5}};
  }
  if (shape.kind == "cylinder") {
    const double r = of("radius"), l = of("length");
    s.drawn.size = {r, l};
    return {pi * r * r * l, {}, {r * r / 4, r * r / 4, l * l / 12}};
  }
  if (shape.kind == "capsule") {
    s.drawn.size = {of("radius"), of("length")};
    return capsule(s.drawn.size[0], s.drawn.size[1]);
  }
  if (shape.kind == "sphere") {
    const double r = of("radius");
    s.drawn.size = {r};
    return {4 * pi / 3 * r * r * r, {}, {r * r / 5, r * r / 5, r * r / 5}};
  }
  const double l = of("length");  // a prism
  const input::Value& corners = *g->find("polygon");
  const std::vector<double> p = b.numbers(corners);
  s.drawn.size = {l};
  s.drawn.size.insert(s.drawn.size.end(), p.begin(), p.end());
  return polygon(p, l, corners.at);
}

}  // namespace

ShapeProperties shape_properties(const Item& shape, const Builder& b, const Vec3<double>& at, const Mat3<double>& orientation) {
  ShapeProperties s;
  s.drawn.kind = shape.kind;
  s.drawn.position = b.vector(shape, "at", at);
  const input::Value* o = shape.find("orientation");
  Mat3<double> axes = o ? b.rotation(*o) : orientation;
  const Item* g = shape.subject.items.empty() ? nullptr : &shape.subject.items[0];
  if (g && g->find("axis")) axes = axes * axes_along(b.direction(*g->find("axis")));
  const Local local = local_properties(shape, b, s);
  Mat3<double> Z = Mat3<double>::diagonal(local.z);
  Z[0][1] = Z[1][0] = local.zxy;
  Z[0][2] = Z[2][0] = local.zxz;
  Z[1][2] = Z[2][1] = local.zyz;
  s.drawn.axes = axes;
  s.drawn.volume = s.volume = local.volume;
  s.center = s.drawn.position + axes * local.center;
  s.second_moment = axes * (Z * transpose(axes));
  return s;
}

double reach(const DrawnShape& s, const Vec3<double>& d) {
  const Vec3<double> local = transposed_times(s.axes, d);
  if (s.kind == "box") {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += 0.5 * s.size[i] * std::abs(local[i]);
    return sum;
  }
  if (s.kind == "sphere") return s.size[0];
  if (s.kind == "cylinder") return s.size[0] * std::hypot(local.x, local.y) + 0.5 * s.size[1] * std::abs(local.z);
  if (s.kind == "capsule") return s.size[0] * norm(local) + 0.5 * s.size[1] * std::abs(local.z);
  if (s.kind == "ellipsoid") return std::hypot(s.size[0] * local.x, s.size[1] * local.y, s.size[2] * local.z);
  double farthest = -1e300;
  if (s.kind == "mesh") {
    const std::array<double, 3> along = {s.size[0] * local.x, s.size[1] * local.y, s.size[2] * local.z};
    for (const meshes::Point& p : s.mesh->mesh.points)
      farthest = std::max(farthest, along[0] * p[0] + along[1] * p[1] + along[2] * p[2]);
    return farthest;
  }
  // prism: length, then its corners
  for (size_t i = 1; i + 1 < s.size.size(); i += 2) farthest = std::max(farthest, s.size[i] * local.x + s.size[i + 1] * local.y);
  return farthest + 0.5 * s.size[0] * std::abs(local.z);
}

}  // namespace aleator::core
