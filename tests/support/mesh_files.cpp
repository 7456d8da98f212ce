#include "support/mesh_files.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace aleator::core::test {

meshes::Mesh box_mesh(const Point& low, const Point& size) {
  meshes::Mesh m;
  for (int k = 0; k < 8; ++k)  // corner k has bit i where it is at the far end of axis i
    m.points.push_back({low[0] + (k & 1 ? size[0] : 0), low[1] + (k & 2 ? size[1] : 0), low[2] + (k & 4 ? size[2] : 0)});
  const std::uint32_t faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& f : faces) {
    m.triangles.push_back({f[0], f[1], f[2]});
    m.triangles.push_back({f[0], f[2], f[3]});
  }
  return m;
}

meshes::Mesh tetrahedron_mesh(double a, double b, double c) {
  meshes::Mesh m;
  m.points = {{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}};
  m.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  return m;
}

meshes::Mesh sphere_mesh(int meridians, int bands) {
  meshes::Mesh m;
  const auto n = std::uint32_t(meridians);
  m.points.push_back({0, 0, 1});
  for (int i = 1; i < bands; ++i)
    for (int k = 0; k < meridians; ++k) {
      const double polar = std::numbers::pi * i / bands, around = 2 * std::numbers::pi * k / meridians;
      m.points.push_back({std::sin(polar) * std::cos(around), std::sin(polar) * std::sin(around), std::cos(polar)});
    }
  m.points.push_back({0, 0, -1});
  const auto last = std::uint32_t(m.points.size() - 1);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t next = (k + 1) % n;
    m.triangles.push_back({0, 1 + k, 1 + next});
    for (std::uint32_t i = 0; i + 2 < std::uint32_t(bands); ++i) {
      const std::uint32_t a = 1 + i * n + k, b = 1 + i * n + next;
      m.triangles.push_back({a, a + n, b + n});
      m.triangles.push_back({a, b + n, b});
    }
    m.triangles.push_back({last, last - n + next, last - n + k});
  }
  return m;
}

meshes::Mesh together(meshes::Mesh a, const meshes::Mesh& b) {
  const auto n = std::uint32_t(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (const Corners& t : b.triangles) a.triangles.push_back({t[0] + n, t[1] + n, t[2] + n});
  return a;
}

meshes::Mesh inside_out(meshes::Mesh m) {
  for (Corners& t : m.triangles) std::swap(t[1], t[2]);
  return m;
}

std::string ascii_stl(const meshes::Mesh& m) {
  std::string out = "solid of a test\n";
  for (const Corners& t : m.triangles) {
    out += "facet normal 0 0 0\n outer loop\n";
    for (const std::uint32_t k : t)
      out += fmt::format("  vertex {:.17g} {:.17g} {:.17g}\n", m.points[k][0], m.points[k][1], m.points[k][2]);
    out += " endloop\nendfacet\n";
  }
  return out + "endsolid of a test\n";
}

std::string binary_stl(const meshes::Mesh& m, const std::string& head) {
  std::string out = head;
  out.resize(80, ' ');
  const auto put = [&](const auto& value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);  // tests run on little-endian machines
    out.append(bytes, sizeof value);
  };
  put(std::uint32_t(m.triangles.size()));
  for (const Corners& t : m.triangles) {
    for (int i = 0; i < 3; ++i) put(0.0F);
    for (const std::uint32_t k : t)
      for (const double x : m.points[k]) put(float(x));
    put(std::uint16_t(0));
  }
  return out;
}

std::string obj(const meshes::Mesh& m) {
  std::string out = "# of a test\no part\n";
  for (const Point& p : m.points) out += fmt::format("v {:.17g} {:.17g} {:.17g}\n", p[0], p[1], p[2]);
  for (const Corners& t : m.triangles) out += fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
  return out;
}

}  // namespace aleator::core::test
