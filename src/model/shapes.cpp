#include "model/shapes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace aleator::core {

using input::Bound;
using input::Field;
using input::FieldType;
using input::InputError;
using input::Item;

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
  double zxy = 0;          // off-diagonal (prisms)
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

}  // namespace

ShapeProperties shape_properties(const Item& shape, const Builder& b, const Vec3<double>& at, const Mat3<double>& orientation) {
  const double pi = std::acos(-1.0);
  ShapeProperties s;
  s.drawn.kind = shape.kind;
  s.drawn.position = b.vector(shape, "at", at);
  const input::Value* o = shape.find("orientation");
  Mat3<double> axes = o ? b.rotation(*o) : orientation;
  Local local{};
  const Item* g = shape.subject.items.empty() ? nullptr : &shape.subject.items[0];
  if (g && g->find("axis")) axes = axes * axes_along(b.direction(*g->find("axis")));
  if (shape.kind == "box") {
    const Vec3<double> e = b.vector(shape.subject);
    if (!(e.x > 0 && e.y > 0 && e.z > 0))
      throw InputError(shape.subject.at,
                       fmt::format("the edges of a box must be positive, found [{:g}, {:g}, {:g}]", e.x, e.y, e.z));
    s.drawn.size = {e.x, e.y, e.z};
    local = {e.x * e.y * e.z, {}, {e.x * e.x / 12, e.y * e.y / 12, e.z * e.z / 12}};
  } else if (shape.kind == "cylinder") {
    const double r = b.number(*g, "radius", 0), l = b.number(*g, "length", 0);
    s.drawn.size = {r, l};
    local = {pi * r * r * l, {}, {r * r / 4, r * r / 4, l * l / 12}};
  } else if (shape.kind == "sphere") {
    const double r = b.number(*g, "radius", 0);
    s.drawn.size = {r};
    local = {4 * pi / 3 * r * r * r, {}, {r * r / 5, r * r / 5, r * r / 5}};
  } else {
    const double l = b.number(*g, "length", 0);
    const input::Value& corners = *g->find("polygon");
    const std::vector<double> p = b.numbers(corners);
    local = polygon(p, l, corners.at);
    s.drawn.size = {l};
    s.drawn.size.insert(s.drawn.size.end(), p.begin(), p.end());
  }
  Mat3<double> Z = Mat3<double>::diagonal(local.z);
  Z[0][1] = Z[1][0] = local.zxy;
  s.drawn.axes = axes;
  s.volume = local.volume;
  s.center = s.drawn.position + axes * local.center;
  s.second_moment = axes * (Z * transpose(axes));
  return s;
}

}  // namespace aleator::core
