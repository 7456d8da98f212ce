#include "model/drawn_mesh.hpp"

#include "meshes/solid.hpp"

namespace aleator::core {

std::vector<double> drawn_mesh(const DrawnShape& shape, std::size_t most) {
  const meshes::Mesh mesh = meshes::simplified(shape.mesh->mesh, most);
  std::vector<double> numbers = {double(mesh.points.size())};
  numbers.reserve(1 + 3 * (mesh.points.size() + mesh.triangles.size()));
  for (const meshes::Point& p : mesh.points)
    for (std::size_t i = 0; i < 3; ++i) numbers.push_back(shape.size[i] * p[i]);
  const bool mirrored = shape.size[0] * shape.size[1] * shape.size[2] < 0;
  for (const meshes::Corners& t : mesh.triangles)
    numbers.insert(numbers.end(), {double(t[0]), double(t[mirrored ? 2 : 1]), double(t[mirrored ? 1 : 2])});
  return numbers;
}

}  // namespace aleator::core
