#include "uncertainty/convex_hull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace aleator::core {
namespace {

using Vector = Vec3<double>;

// Corners of the polygon around the given points of a plane, counter-clockwise about its normal (gift wrapping). Points less
// than `tolerance` beside the line of two others are no corners.
std::vector<int> polygon(const std::vector<Vector>& points, const std::vector<int>& members, const Vector& normal,
                         double tolerance) {
  Vector centre;
  for (const int i : members) centre += (1.0 / static_cast<double>(members.size())) * points[i];
  const auto farther = [&](int a, int b) { return norm(points[a] - centre) < norm(points[b] - centre); };
  const int start = *std::max_element(members.begin(), members.end(), farther);  // the farthest one is a corner
  std::vector<int> loop;
  for (int at = start; loop.size() < members.size();) {
    loop.push_back(at);
    int next = -1;
    for (const int i : members) {
      if (i == at) continue;
      if (next < 0) {
        next = i;
        continue;
      }
      const Vector chord = points[next] - points[at], other = points[i] - points[at];
      const double left = dot(normal, cross(chord, other)) / std::max(norm(chord), norm(other));
      if (left < -tolerance || (left < tolerance && norm(other) > norm(chord))) next = i;
    }
    at = next;
    if (at == start) break;
  }
  return loop;
}

// Faces: planes through three points with all others on one side. Each is divided into triangles around one corner.
void find_faces(ConvexHull& hull, double tolerance) {
  const std::vector<Vector>& p = hull.points;
  const int n = static_cast<int>(p.size());
  std::vector<std::vector<char>> lies_on;  // [plane][point]
  const auto known = [&](int i, int j, int k) {
    return std::any_of(lies_on.begin(), lies_on.end(), [&](const auto& on) { return on[i] && on[j] && on[k]; });
  };
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k) {
        Vector normal = cross(p[j] - p[i], p[k] - p[i]);
        const double area = norm(normal), base = std::max({norm(p[j] - p[i]), norm(p[k] - p[i]), norm(p[k] - p[j])});
        const double height = area / base;
        if (height < 1e-9 * hull.size) continue;
        normal = (1 / area) * normal;
        // Round-off of a narrow triangle's normal grows with its slenderness.
        const double allowed = tolerance + 1e-15 * hull.size * hull.size / height;
        double lowest = 0, highest = 0;
        for (int m = 0; m < n && (lowest > -allowed || highest < allowed); ++m) {
          const double beside = dot(normal, p[m] - p[i]);
          lowest = std::min(lowest, beside), highest = std::max(highest, beside);
        }
        if ((lowest < -allowed && highest > allowed) || known(i, j, k)) continue;
        if (highest > allowed) normal = -normal;
        std::vector<char>& on = lies_on.emplace_back(n);
        std::vector<int> members;
        for (int m = 0; m < n; ++m)
          if (std::abs(dot(normal, p[m] - p[i])) <= allowed) on[m] = 1, members.push_back(m);
        hull.planes.push_back({normal, dot(normal, p[i])});
        const std::vector<int> loop = polygon(p, members, normal, tolerance);
        for (std::size_t m = 2; m < loop.size(); ++m) hull.facets.push_back({loop[0], loop[m - 1], loop[m]});
      }
}

// Every edge belongs to two triangles, once in each direction.
bool closed(const ConvexHull& hull) {
  std::set<std::pair<int, int>> edges;
  for (const auto& f : hull.facets)
    for (int i = 0; i < 3; ++i)
      if (!edges.insert({f[i], f[(i + 1) % 3]}).second) return false;
  return std::all_of(edges.begin(), edges.end(), [&](const auto& e) { return edges.contains({e.second, e.first}); });
}

// Distance to a segment or a triangle a, b, c. The foot in the triangle's plane counts if it is inside, else the edges do.
double distance_to_segment(const Vector& x, const Vector& a, const Vector& b) {
  const Vector d = b - a;
  return norm(x - a - std::clamp(dot(x - a, d) / dot(d, d), 0.0, 1.0) * d);
}
double distance_to_triangle(const Vector& x, const Vector& a, const Vector& b, const Vector& c) {
  const Vector normal = cross(b - a, c - a);
  if (dot(cross(b - a, x - a), normal) >= 0 && dot(cross(c - b, x - b), normal) >= 0 && dot(cross(a - c, x - c), normal) >= 0)
    return std::abs(dot(x - a, normal)) / norm(normal);
  return std::min({distance_to_segment(x, a, b), distance_to_segment(x, b, c), distance_to_segment(x, c, a)});
}

// Largest extent, then the largest ones normal to those before: as many as the points have dimensions.
int extents(const std::vector<Vector>& points, double size) {
  std::vector<Vector> basis;
  while (basis.size() < 3) {
    Vector widest;
    for (const Vector& p : points) {
      Vector r = p - points[0];
      for (const Vector& e : basis) r -= dot(r, e) * e;
      if (norm(r) > norm(widest)) widest = r;
    }
    if (norm(widest) <= 1e-9 * size) break;
    basis.push_back((1 / norm(widest)) * widest);
  }
  return static_cast<int>(basis.size());
}

}  // namespace

double ConvexHull::signed_distance(const Vector& x) const {
  double deepest = -std::numeric_limits<double>::infinity();
  for (const Plane& plane : planes) deepest = std::max(deepest, dot(plane.normal, x) - plane.offset);
  if (deepest <= 0) return deepest;
  double nearest = std::numeric_limits<double>::infinity();
  for (const auto& f : facets)
    nearest = std::min(nearest, dimension == 2 ? distance_to_segment(x, points[f[0]], points[f[1]])
                                               : distance_to_triangle(x, points[f[0]], points[f[1]], points[f[2]]));
  return nearest;
}

ConvexHull convex_hull(int dimension, std::vector<Vector> points) {
  ConvexHull hull;
  hull.dimension = dimension;
  const std::size_t least = static_cast<std::size_t>(dimension) + 1;
  if (points.size() < least)
    throw std::invalid_argument(fmt::format("{} vertices are too few, {} are needed", points.size(), least));
  for (const Vector& p : points)
    if (!std::isfinite(p.x + p.y + p.z)) throw std::invalid_argument("a vertex is not finite");
  for (const Vector& p : points) hull.size = std::max(hull.size, norm(p - points[0]));
  for (const Vector& p : points)
    if (std::none_of(hull.points.begin(), hull.points.end(), [&](const Vector& q) { return norm(p - q) <= 1e-12 * hull.size; }))
      hull.points.push_back(p);
  static constexpr const char* what[] = {"coincide", "lie on a line", "lie in a plane"};
  if (const int extent = extents(hull.points, hull.size); extent < dimension)
    throw std::invalid_argument(fmt::format("its {} vertices {}", points.size(), what[extent]));

  if (dimension == 2) {
    std::vector<int> all(hull.points.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    const std::vector<int> loop = polygon(hull.points, all, {0, 0, 1}, 1e-13 * hull.size);
    for (std::size_t i = 0; i < loop.size(); ++i) {
      const int a = loop[i], b = loop[(i + 1) % loop.size()];
      const Vector along = hull.points[b] - hull.points[a], normal = (1 / norm(along)) * Vector{along.y, -along.x, 0};
      hull.facets.push_back({a, b, b});
      hull.planes.push_back({normal, dot(normal, hull.points[a])});
    }
    return hull;
  }
  // Points that are in one plane but for about the tolerance may give overlapping faces: then the next tolerance decides.
  for (const double tolerance : {1e-13, 1e-11, 1e-9, 1e-7}) {
    hull.planes.clear(), hull.facets.clear();
    find_faces(hull, tolerance * hull.size);
    if (closed(hull)) return hull;
  }
  throw std::invalid_argument("its vertices have no clear hull, some of them are nearly in one plane");
}

}  // namespace aleator::core
