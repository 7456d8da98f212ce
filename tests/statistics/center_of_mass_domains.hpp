// Domains of every kind with a mean, and quadrature over them that shares nothing with the law's own integrals.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "uncertainty/center_of_mass_law.hpp"

namespace aleator::core {

struct DomainCase {
  std::string name;
  Domain domain;
  Vec3<double> local_mean;                      // in the domain's axes before scaling
  std::vector<std::array<int, 4>> simplices{};  // polyhedra: a division into tetrahedra (triangles), by hand

  Vec3<double> mean() const { return domain.position + domain.axes * (domain.scale * local_mean); }
};

inline Mat3<double> turn_about(int axis, double angle) {
  const int i = (axis + 1) % 3, j = (axis + 2) % 3;
  Mat3<double> r = Mat3<double>::identity();
  r[i][i] = r[j][j] = std::cos(angle);
  r[j][i] = std::sin(angle), r[i][j] = -std::sin(angle);
  return r;
}

inline std::vector<DomainCase> domain_cases() {
  using enum Domain::Kind;
  const Mat3<double> turned = turn_about(2, 0.7) * turn_about(0, -0.4) * turn_about(1, 1.1);
  const std::vector<Vec3<double>> cube = {{0, 0, 0}, {1, 1, 1}, {1, 0, 0}, {0.5, 0.5, 0.5}, {0, 1, 0}, {1, 1, 0},
                                          {0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0.5, 1, 0.5},   {1, 0, 0}};
  // Six tetrahedra along the paths from (0,0,0) to (1,1,1) (Kuhn), by the indices above.
  const std::vector<std::array<int, 4>> paths = {{0, 2, 5, 1}, {0, 2, 7, 1}, {0, 4, 5, 1},
                                                 {0, 4, 8, 1}, {0, 6, 7, 1}, {0, 6, 8, 1}};
  const std::vector<Vec3<double>> octahedron = {{1, 0, 0}, {-1, 0, 0}, {0, 0.8, 0}, {0, -0.8, 0}, {0, 0, 1.3}, {0, 0, -1.3}};
  const std::vector<std::array<int, 4>> wedges = {{0, 1, 2, 4}, {0, 1, 2, 5}, {0, 1, 3, 4}, {0, 1, 3, 5}};
  const std::vector<Vec3<double>> tetrahedron = {{0, 0, 0}, {2, 0, 0}, {0.3, 1, 0.1}, {0.2, 0.4, 0.9}};
  const std::vector<Vec3<double>> pentagon = {{1, 0, 9}, {0, 1, 9}, {-1, 0.2, 9}, {0.1, 0.3, 9}, {-0.6, -0.9, 9}, {0.7, -0.8, 9}};
  const std::vector<std::array<int, 4>> fan = {{0, 1, 2}, {0, 2, 4}, {0, 4, 5}};
  const std::vector<Vec3<double>> upright = {{1, 7, 0}, {0, 7, 1}, {-1, 7, 0.2}, {-0.6, 7, -0.9}, {0.7, 7, -0.8}};

  std::vector<DomainCase> cases = {
      {"box, central", {.kind = box, .size = {2, 1, 0.5}}, {0, 0, 0}},
      {"box, off centre",
       {.kind = box, .size = {2, 1, 0.5}, .position = {1, 2, -3}, .axes = turned, .scale = 0.3},
       {0.5, -0.4, 0.01}},
      {"ball, central", {.kind = ball, .size = {0.8, 0, 0}, .position = {1, 0, 0}}, {0, 0, 0}},
      {"ball, slightly off", {.kind = ball, .size = {0.8, 0, 0}}, {0.02, -0.03, 0.1}},
      {"ball, far off", {.kind = ball, .size = {2, 0, 0}, .position = {0, 5, 0}, .scale = 1.7}, {-1.2, 0.3, -1.1}},
      {"ellipsoid",
       {.kind = ellipsoid, .size = {1, 0.5, 0.2}, .position = {3, 2, 1}, .axes = turned, .scale = 2},
       {0.4, 0.1, -0.1}},
      {"ellipsoid, steep", {.kind = ellipsoid, .size = {1, 0.5, 0.2}, .axes = turned}, {0.6, 0.2, 0.08}},
      {"cylinder",
       {.kind = cylinder, .size = {0.5, 2, 0}, .position = {0, 0, 1}, .axes = turned, .scale = 0.5},
       {0.2, 0.1, -0.7}},
      {"cylinder, on its axis", {.kind = cylinder, .size = {0.5, 2, 0}}, {0, 0, 0.2}},
      {"tetrahedron", {.kind = polyhedron, .vertices = tetrahedron}, {0.5, 0.45, 0.3}, {{0, 1, 2, 3}}},
      {"cube as polyhedron",
       {.kind = polyhedron, .vertices = cube, .position = {1, 1, 1}, .axes = turned, .scale = 0.6},
       {0.7, 0.2, 0.45},
       paths},
      {"cube, central", {.kind = polyhedron, .vertices = cube}, {0.5, 0.5, 0.5}, paths},
      {"octahedron", {.kind = polyhedron, .vertices = octahedron, .axes = turned}, {0.3, 0.2, -0.4}, wedges},
      {"planar box",
       {.kind = box, .size = {2, 1, 0}, .position = {0, 1, 4}, .axes = turn_about(2, 0.5), .normal = 2},
       {0.6, 0.1, 0}},
      {"planar disc", {.kind = ball, .size = {1.5, 0, 0}, .position = {2, 1, 4}, .normal = 0}, {0, 0.6, -0.9}},
      {"planar disc, central", {.kind = ball, .size = {1.5, 0, 0}, .normal = 2}, {0, 0, 0}},
      {"ellipse",
       {.kind = ellipsoid, .size = {1.5, 0, 0.7}, .axes = turn_about(1, -0.9), .scale = 0.5, .normal = 1},
       {0.9, 0, -0.2}},
      {"polygon",
       {.kind = polyhedron, .vertices = pentagon, .position = {1, 2, 3}, .axes = turn_about(2, 2), .normal = 2},
       {0.3, -0.4, 0},
       fan},
      {"polygon, upright",
       {.kind = polyhedron, .vertices = upright, .scale = 2, .normal = 1},
       {0.2, 0, -0.6},
       {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}},
  };
  return cases;
}

// Which axes of the domain it extends along.
inline std::vector<int> extended_axes(const Domain& d) {
  std::vector<int> axes;
  for (int i = 0; i < 3; ++i)
    if (i != d.normal) axes.push_back(i);
  return axes;
}

// Gauss–Legendre on [-1, 1].
struct LegendreRule {
  std::vector<double> x, w;
  explicit LegendreRule(int n) : x(n), w(n) {
    for (int i = 0; i < n; ++i) {
      double z = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
      for (int iteration = 0; iteration < 10; ++iteration) {
        const double p = std::legendre(n, z);
        slope = n * (z * p - std::legendre(n - 1, z)) / (z * z - 1);
        z -= p / slope;
      }
      x[i] = z, w[i] = 2 / ((1 - z * z) * slope * slope);
    }
  }
};

struct Node {
  Vec3<double> point;  // inertial
  double weight;
};

// Nodes over the domain where its coordinate `along` (an axis of the domain) is first and runs over the part [from, to] of its
// range, as a fraction. Boxes, balls, ellipsoids, cylinders: nested in Cartesian coordinates, sines for the curved sides.
inline std::vector<Node> product_nodes(const Domain& d, int points, int along, double from = 0, double to = 1) {
  using enum Domain::Kind;
  const LegendreRule rule(points);
  std::vector<int> axes = {along};
  for (const int i : extended_axes(d))
    if (i != along) axes.push_back(i);
  std::vector<Node> nodes;
  // Recursion over the axes: `room` is 1 − Σ (x_i/a_i)² over those before that share the curved side.
  const auto nest = [&](auto&& self, std::size_t level, Vec3<double> x, double weight, double room) -> void {
    if (level == axes.size()) {
      nodes.push_back({d.position + d.axes * (d.scale * x), weight * std::pow(d.scale, static_cast<double>(axes.size()))});
      return;
    }
    const int i = axes[level];
    const bool curved = d.kind == ball || d.kind == ellipsoid || (d.kind == cylinder && i != 2);
    const double a = d.kind == box                  ? d.size[i] / 2
                     : d.kind == ellipsoid          ? d.size[i]
                     : d.kind == cylinder && i == 2 ? d.size.y / 2
                                                    : d.size.x;
    const double low = level == 0 ? 2 * from - 1 : -1, high = level == 0 ? 2 * to - 1 : 1;
    for (int k = 0; k < points; ++k) {
      const double s = 0.5 * (low + high) + 0.5 * (high - low) * rule.x[k], w = 0.5 * (high - low) * rule.w[k];
      const double angle = 0.5 * std::numbers::pi * s, reach = a * std::sqrt(room);
      Vec3<double> y = x;
      y[i] = curved ? reach * std::sin(angle) : a * s;
      const double stretch = curved ? reach * std::cos(angle) * 0.5 * std::numbers::pi : a;
      self(self, level + 1, y, weight * w * stretch, curved ? room * std::cos(angle) * std::cos(angle) : room);
    }
  };
  nest(nest, 0, {}, 1, 1);
  return nodes;
}

inline std::vector<Vec3<double>> inertial_vertices(const Domain& d) {
  std::vector<Vec3<double>> v;
  for (Vec3<double> p : d.vertices) {
    if (d.normal >= 0) p[d.normal] = 0;
    v.push_back(d.position + d.axes * (d.scale * p));
  }
  return v;
}

// d! times the volume (area) of a simplex.
inline double simplex_content(const std::vector<Vec3<double>>& v, const std::array<int, 4>& s, int dimension) {
  const Vec3<double> normal = cross(v[s[1]] - v[s[0]], v[s[2]] - v[s[0]]);
  return dimension == 2 ? norm(normal) : std::abs(dot(normal, v[s[3]] - v[s[0]]));
}

// Over simplices: the cube folded onto them (Duffy).
inline std::vector<Node> simplex_nodes(const DomainCase& c, int points) {
  const LegendreRule rule(points);
  const int dimension = c.domain.normal < 0 ? 3 : 2;
  const std::vector<Vec3<double>> v = inertial_vertices(c.domain);
  std::vector<Node> nodes;
  for (const auto& s : c.simplices) {
    const double content = simplex_content(v, s, dimension);
    for (int i = 0; i < points; ++i)
      for (int j = 0; j < points; ++j)
        for (int k = 0; k < (dimension == 3 ? points : 1); ++k) {
          const double a = 0.5 + 0.5 * rule.x[i], b = 0.5 + 0.5 * rule.x[j], e = dimension == 3 ? 0.5 + 0.5 * rule.x[k] : 0;
          double w = content * 0.25 * rule.w[i] * rule.w[j] * a;
          if (dimension == 3) w *= 0.5 * rule.w[k] * a * b;
          const double b1 = a * (1 - b), b2 = a * b * (1 - e), b3 = a * b * e;
          Vec3<double> x = (1 - a) * v[s[0]] + b1 * v[s[1]] + b2 * v[s[2]];
          if (dimension == 3) x += b3 * v[s[3]];
          nodes.push_back({x, w});
        }
  }
  return nodes;
}

inline std::vector<Node> nodes_of(const DomainCase& c, int points) {
  return c.simplices.empty() ? product_nodes(c.domain, points, extended_axes(c.domain)[0]) : simplex_nodes(c, points);
}

}  // namespace aleator::core
