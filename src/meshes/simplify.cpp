#include <algorithm>
#include <cmath>
#include <set>

#include "meshes/mesh.hpp"

namespace aleator::core::meshes {

namespace {

// Points of a cell become one, in their middle; triangles with two corners in a cell vanish.
Mesh clustered(const Mesh& mesh, const Point& low, double cell) {
  MeshBuilder cells("");
  std::vector<std::uint32_t> cell_of(mesh.points.size());
  for (std::size_t k = 0; k < mesh.points.size(); ++k) {
    Point c;
    for (int i = 0; i < 3; ++i) c[i] = std::floor((mesh.points[k][i] - low[i]) / cell);
    cell_of[k] = cells.point(c);
  }
  Mesh out;
  std::vector<double> count;
  for (std::size_t k = 0; k < mesh.points.size(); ++k) {
    if (cell_of[k] >= out.points.size()) out.points.resize(cell_of[k] + 1, Point{}), count.resize(cell_of[k] + 1, 0.0);
    for (int i = 0; i < 3; ++i) out.points[cell_of[k]][i] += mesh.points[k][i];
    count[cell_of[k]] += 1;
  }
  for (std::size_t k = 0; k < out.points.size(); ++k)
    for (double& x : out.points[k]) x /= count[k];
  std::set<Corners> seen;  // the same triangle need not be there twice
  for (const Corners& t : mesh.triangles) {
    Corners c = {cell_of[t[0]], cell_of[t[1]], cell_of[t[2]]};
    if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
    std::rotate(c.begin(), std::min_element(c.begin(), c.end()), c.end());
    if (seen.insert(c).second) out.triangles.push_back(c);
  }
  return out;
}

}  // namespace

Mesh simplified(const Mesh& mesh, std::size_t most) {
  if (mesh.triangles.size() <= most) return mesh;
  Point low = mesh.points[0], high = low;
  for (const Point& p : mesh.points)
    for (int i = 0; i < 3; ++i) low[i] = std::min(low[i], p[i]), high[i] = std::max(high[i], p[i]);
  const double size = std::max({high[0] - low[0], high[1] - low[1], high[2] - low[2]});
  // A surface crosses some 2 cells² of n³, and has about two triangles per cell.
  for (double cells = std::max(4.0, std::sqrt(double(most)));; cells *= 0.8) {
    Mesh out = clustered(mesh, low, size / cells);
    if (out.triangles.size() <= most || cells < 4) return out;
  }
}

}  // namespace aleator::core::meshes
