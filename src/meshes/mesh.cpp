#include "meshes/mesh.hpp"

#include <bit>
#include <utility>

#include <fmt/format.h>

#include "base/errors.hpp"

namespace aleator::core::meshes {

namespace {

std::size_t hash_of(const Point& p) {
  std::uint64_t h = 0x9E3779B97F4A7C15U;
  for (const double x : p) {
    h ^= std::bit_cast<std::uint64_t>(x);
    h *= 0xFF51AFD7ED558CCDU;
    h ^= h >> 32;
  }
  return std::size_t(h);
}

}  // namespace

void MeshBuilder::refuse(int line, const std::string& why) const { throw aleator::InputError(file_, line, 0, why); }

void MeshBuilder::grow() {
  table_.assign(table_.empty() ? 1024 : 2 * table_.size(), 0);
  for (std::uint32_t k = 0; k < mesh_.points.size(); ++k) {
    std::size_t at = hash_of(mesh_.points[k]) & (table_.size() - 1);
    while (table_[at] != 0) at = (at + 1) & (table_.size() - 1);
    table_[at] = k + 1;
  }
}

std::uint32_t MeshBuilder::point(const Point& given) {
  Point p;
  for (int i = 0; i < 3; ++i) p[i] = given[i] + 0.0;  // −0 is 0
  if (2 * (mesh_.points.size() + 1) > table_.size()) grow();
  std::size_t at = hash_of(p) & (table_.size() - 1);
  for (; table_[at] != 0; at = (at + 1) & (table_.size() - 1))
    if (mesh_.points[table_[at] - 1] == p) return table_[at] - 1;
  mesh_.points.push_back(p);
  table_[at] = std::uint32_t(mesh_.points.size());
  return table_[at] - 1;
}

void MeshBuilder::triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, int line) {
  if (a == b || b == c || c == a) {
    ++mesh_.collapsed;
    return;
  }
  if (mesh_.triangles.size() == most_triangles)
    refuse(line, fmt::format("a mesh has at most {} triangles; reduce it in the program that wrote it", most_triangles));
  mesh_.triangles.push_back({a, b, c});
}

Mesh MeshBuilder::take() {
  if (mesh_.triangles.empty())
    refuse(0, mesh_.collapsed > 0 ? "all triangles of the mesh are points or lines" : "the mesh has no triangles");
  return std::move(mesh_);
}

Mesh read_mesh(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) throw aleator::InputError(file, 0, 0, "the mesh is empty");
  const auto ends_in = [&](std::string_view ending) {
    if (file.size() < ending.size()) return false;
    for (std::size_t i = 0; i < ending.size(); ++i)
      if (const char c = file[file.size() - ending.size() + i]; (c >= 'A' && c <= 'Z' ? c + 32 : c) != ending[i]) return false;
    return true;
  };
  for (const std::string_view other : {".dae", ".gltf", ".glb", ".ply", ".step", ".stp", ".3mf", ".fbx", ".msh"})
    if (ends_in(other))
      throw aleator::InputError(
          file, 0, 0, fmt::format("meshes are read as STL and OBJ, not as {}; convert it, with Blender or MeshLab, say", other));
  return ends_in(".obj") ? read_obj(bytes, file) : read_stl(bytes, file);
}

}  // namespace aleator::core::meshes
