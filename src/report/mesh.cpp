#include "report/mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace aleator::core::report {
namespace {

using Index = std::uint32_t;

Index count(const auto& list) { return static_cast<Index>(list.size()); }

PlanePoint on_circle(double radius, int k, int facets) {
  const double angle = 2 * std::numbers::pi * k / facets;
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

// Adds a circle to the boundary, smooth; an inner one goes round the other way.
void add_circle(Section& s, double radius, int facets, bool inner) {
  const Index first = count(s.points);
  for (int k = 0; k < facets; ++k) {
    const PlanePoint n = on_circle(inner ? -1 : 1, k, facets);
    s.points.push_back(on_circle(radius, k, facets));
    s.normals.push_back(n);
    s.cap.push_back(s.points.back());
    const Index here = first + Index(k), next = first + Index((k + 1) % facets);
    s.segments.push_back(inner ? std::array{next, here} : std::array{here, next});
  }
}

// Of a cylinder, box or prism: half its length to either side, along z. The section's plane is that of x and y.
Mesh extrude(const Section& section, double length) {
  const Vector x = {1, 0, 0}, y = {0, 1, 0}, z = {0, 0, 1};
  const Frame ends[] = {{-length / 2 * z, z, x, y}, {length / 2 * z, z, x, y}};
  return sweep(section, ends);
}

// Parallels and meridians: of a sphere, an ellipsoid, or a capsule, whose halves are apart by `length` and the equator is there twice.
Mesh ellipsoid(const Vector& radii, double length = 0) {
  Mesh m;
  const int facets = facets_of_rigid, bands = facets / 2 + (length > 0 ? 1 : 0);
  const auto angle = [&](int i) { return std::numbers::pi * (length > 0 && i > bands / 2 ? i - 1 : i) / (facets / 2.0); };
  for (int i = 0; i <= bands; ++i)
    for (int k = 0; k < facets; ++k) {
      const double across = i == 0 || i == bands ? 0 : std::sin(angle(i));  // the poles are points exactly
      const PlanePoint p = on_circle(across, k, facets);
      const double up = std::cos(angle(i)), shift = 2 * i > bands ? -length / 2 : length / 2;
      const Vector normal = {p[0] / radii.x, p[1] / radii.y, up / radii.z};
      m.normals.push_back(1 / norm(normal) * normal);
      m.points.push_back({radii.x * p[0], radii.y * p[1], radii.z * up + shift});
    }
  for (int i = 0; i < bands; ++i)
    for (int k = 0; k < facets; ++k) {
      const Index a = Index(i * facets + k), b = Index(i * facets + (k + 1) % facets), c = a + Index(facets),
                  d = b + Index(facets);
      if (i + 1 < bands) m.triangles.push_back({a, c, d});
      if (i > 0) m.triangles.push_back({a, d, b});
    }
  return m;
}

// A mesh of a file: smooth where faces meet at less than 40 degrees.
class FileSurface {
 public:
  explicit FileSurface(const std::vector<double>& numbers) : numbers_(numbers), count_(Index(numbers.at(0))) {
    for (std::size_t k = 1 + 3 * std::size_t(count_); k + 2 < numbers.size(); k += 3)
      add({corner(k), corner(k + 1), corner(k + 2)});
  }

  Mesh mesh() const {
    std::vector<std::vector<Index>> around(count_);  // triangles at each point
    for (Index t = 0; t < count(triangles_); ++t)
      for (const Index p : triangles_[t]) around[p].push_back(t);
    Mesh m;
    std::vector<std::vector<Index>> made(count_);  // vertices at each point: one for each normal
    for (Index t = 0; t < count(triangles_); ++t) {
      std::array<Index, 3> vertices;
      for (std::size_t k = 0; k < 3; ++k) vertices[k] = vertex(triangles_[t][k], normal_at(t, around[triangles_[t][k]]), made, m);
      m.triangles.push_back(vertices);
    }
    return m;
  }

 private:
  Index corner(std::size_t k) const { return Index(numbers_[k]); }
  Vector point(Index k) const {
    const std::size_t at = 1 + 3 * std::size_t(k);
    return {numbers_[at], numbers_[at + 1], numbers_[at + 2]};
  }
  void add(const std::array<Index, 3>& t) {
    const Vector face = cross(point(t[1]) - point(t[0]), point(t[2]) - point(t[0]));
    if (!(norm(face) > 0)) return;  // a line
    triangles_.push_back(t);
    faces_.push_back(face);
  }
  Vector normal_at(Index triangle, const std::vector<Index>& around) const {
    constexpr double smooth = 0.77;  // cos 40°
    const Vector& own = faces_[triangle];
    Vector sum = own;
    for (const Index t : around)
      if (t != triangle && dot(own, faces_[t]) > smooth * norm(own) * norm(faces_[t])) sum += faces_[t];
    return 1 / norm(sum) * sum;
  }
  Index vertex(Index at, const Vector& normal, std::vector<std::vector<Index>>& made, Mesh& m) const {
    for (const Index v : made[at])
      if (norm(m.normals[v] - normal) < 1e-6) return v;
    m.points.push_back(point(at));
    m.normals.push_back(normal);
    made[at].push_back(count(m.points) - 1);
    return made[at].back();
  }

  const std::vector<double>& numbers_;
  Index count_;
  std::vector<std::array<Index, 3>> triangles_;
  std::vector<Vector> faces_;  // normals, twice as long as the area is large
};

// Points without faces: a small octahedron at each.
Mesh marks(const std::vector<double>& xyz) {
  double extent = 0;
  for (const double x : xyz) extent = std::max(extent, std::abs(x));
  const double r = 0.01 * (extent > 0 ? extent : 1);
  Mesh m;
  for (std::size_t p = 0; p + 2 < xyz.size(); p += 3)
    for (int octant = 0; octant < 8; ++octant) {
      const double sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
      const Vector center = {xyz[p], xyz[p + 1], xyz[p + 2]};
      const Index first = count(m.points);
      for (const Vector& v : {Vector{sx * r, 0, 0}, Vector{0, sy * r, 0}, Vector{0, 0, sz * r}}) {
        m.points.push_back(center + v);
        m.normals.push_back(1 / std::sqrt(3.0) * Vector{sx, sy, sz});
      }
      const bool mirrored = sx * sy * sz < 0;
      m.triangles.push_back({first, first + (mirrored ? 2 : 1), first + (mirrored ? 1 : 2)});
    }
  return m;
}

// Twice the area of a triangle; positive if it is counter-clockwise.
double area(const PlanePoint& a, const PlanePoint& b, const PlanePoint& c) {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

// Corner k of what is left can be cut off: it is convex, and no other corner is in the triangle or on its edge.
bool is_ear(const std::vector<PlanePoint>& p, const std::vector<Index>& left, std::size_t k) {
  const std::size_t n = left.size();
  const PlanePoint &a = p[left[(k + n - 1) % n]], &b = p[left[k]], &c = p[left[(k + 1) % n]];
  if (!(area(a, b, c) > 0)) return false;
  return std::none_of(left.begin(), left.end(), [&](Index other) {
    const PlanePoint& q = p[other];
    return q != a && q != b && q != c && area(a, b, q) >= 0 && area(b, c, q) >= 0 && area(c, a, q) >= 0;
  });
}

}  // namespace

Triangles cut_ears(const std::vector<PlanePoint>& p) {
  std::vector<Index> left(p.size());
  for (Index k = 0; k < count(p); ++k) left[k] = k;
  Triangles out;
  std::size_t k = 0;
  for (std::size_t tried = 0; left.size() > 2;) {
    const std::size_t n = left.size();
    k %= n;
    // Of a polygon that crosses itself, or of what is left on a line, there is no ear: then any corner.
    if (!is_ear(p, left, k) && tried < n) {
      ++k, ++tried;
      continue;
    }
    out.push_back({left[(k + n - 1) % n], left[k], left[(k + 1) % n]});
    left.erase(left.begin() + std::ptrdiff_t(k));
    tried = 0;
  }
  return out;
}

Section circle(double radius, int facets) {
  Section s;
  add_circle(s, radius, facets, false);
  for (Index k = 1; k + 1 < Index(facets); ++k) s.triangles.push_back({0, k, k + 1});
  return s;
}

Section annulus(double outer, double inner, int facets) {
  if (!(inner > 0)) return circle(outer, facets);
  Section s;
  add_circle(s, outer, facets, false);
  add_circle(s, inner, facets, true);
  const Index n = Index(facets);
  for (Index k = 0; k < n; ++k) {
    const Index next = (k + 1) % n;
    s.triangles.push_back({k, next, n + next});
    s.triangles.push_back({k, n + next, n + k});
  }
  return s;
}

Section polygon(std::vector<PlanePoint> corners) {
  corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
  while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
  double twice = 0;
  for (std::size_t k = 0; k < corners.size(); ++k) twice += area({0, 0}, corners[k], corners[(k + 1) % corners.size()]);
  if (twice < 0) std::reverse(corners.begin(), corners.end());
  Section s;
  for (std::size_t k = 0; k < corners.size(); ++k) {
    const PlanePoint &a = corners[k], &b = corners[(k + 1) % corners.size()];
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    const PlanePoint n = {(b[1] - a[1]) / length, (a[0] - b[0]) / length};
    s.points.insert(s.points.end(), {a, b});
    s.normals.insert(s.normals.end(), {n, n});
    s.segments.push_back({Index(2 * k), Index(2 * k + 1)});
  }
  s.triangles = cut_ears(corners);
  s.cap = std::move(corners);
  return s;
}

Section rectangle(double height, double width) {
  const double y = height / 2, z = width / 2;
  return polygon({{-y, -z}, {y, -z}, {y, z}, {-y, z}});
}

Mesh sweep(const Section& section, std::span<const Frame> frames) {
  Mesh m;
  const auto add = [&](Index ring, const PlanePoint& p, const Vector& normal) {
    m.points.push_back(frames[ring].point({0, p[0], p[1]}));
    m.normals.push_back(frames[ring].direction(normal));
    m.rings.push_back(ring);
  };
  const Index row = count(section.points), last = Index(frames.size()) - 1;
  for (Index ring = 0; ring <= last; ++ring)
    for (Index k = 0; k < row; ++k) add(ring, section.points[k], {0, section.normals[k][0], section.normals[k][1]});
  for (Index at = 0; at < last * row; at += row)
    for (const auto& [a, b] : section.segments) {
      m.triangles.push_back({at + a, at + b, at + row + b});
      m.triangles.push_back({at + a, at + row + b, at + row + a});
    }
  for (const Index ring : {Index(0), last}) {
    const Index first = count(m.points);
    for (const PlanePoint& p : section.cap) add(ring, p, {ring == 0 ? -1.0 : 1.0, 0, 0});
    for (const auto& [a, b, c] : section.triangles)
      m.triangles.push_back(ring == 0 ? std::array{first + a, first + c, first + b}
                                      : std::array{first + a, first + b, first + c});
  }
  return m;
}

bool is_round(const results::Shape& shape) { return shape.kind == "circle-section" || shape.kind == "tube-section"; }

Section section_of(const results::Shape& shape) {
  const std::vector<double>& s = shape.size;
  if (shape.kind == "rectangle-section") return rectangle(s.at(0), s.at(1));
  if (shape.kind == "tube-section") return annulus(s.at(0), s.at(1), facets_of_beams);
  return circle(s.at(0), facets_of_beams);
}

Mesh mesh_of(const results::Shape& shape) {
  const std::vector<double>& s = shape.size;
  if (shape.kind == "box") return extrude(rectangle(s.at(0), s.at(1)), s.at(2));
  if (shape.kind == "cylinder") return extrude(circle(s.at(0), facets_of_rigid), s.at(1));
  if (shape.kind == "sphere") return ellipsoid({s.at(0), s.at(0), s.at(0)});
  if (shape.kind == "capsule") return ellipsoid({s.at(0), s.at(0), s.at(0)}, s.at(1));
  if (shape.kind == "ellipsoid") return ellipsoid({s.at(0), s.at(1), s.at(2)});
  if (shape.kind == "mesh") return FileSurface(s).mesh();
  if (shape.kind == "mesh-points") return marks(s);
  std::vector<PlanePoint> corners;  // a prism
  for (std::size_t k = 1; k + 1 < s.size(); k += 2) corners.push_back({s[k], s[k + 1]});
  return extrude(polygon(std::move(corners)), s.at(0));
}

}  // namespace aleator::core::report
