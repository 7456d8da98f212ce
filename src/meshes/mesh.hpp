// Triangle meshes as files have them: STL (both kinds) and OBJ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace aleator::core::meshes {

using Point = std::array<double, 3>;
using Corners = std::array<std::uint32_t, 3>;  // of a triangle: indices of points, counter-clockwise seen from outside

struct Mesh {
  std::vector<Point> points;       // each place once
  std::vector<Corners> triangles;  // with three different corners
  std::size_t collapsed = 0;       // triangles of the file with two corners at one place, which are left out
};

inline constexpr std::size_t most_triangles = 2'000'000;

// Sizes of factors by which coordinates may be scaled: beyond them the volume, of third degree, leaves the range of numbers.
inline constexpr double least_scale = 1e-15, most_scale = 1e15;

// Reads the bytes of a file, whatever its name ends in. `file` is what messages call it. Throws aleator::InputError, whatever the bytes.
Mesh read_mesh(std::string_view bytes, const std::string& file);

// Collects points, each place once, and triangles.
class MeshBuilder {
 public:
  explicit MeshBuilder(std::string file) : file_(std::move(file)) {}
  std::uint32_t point(const Point& p);  // its index; the same one for the same place
  void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, int line);
  [[noreturn]] void refuse(int line, const std::string& why) const;
  Mesh take();  // refuses a mesh without triangles

 private:
  void grow();

  std::string file_;
  Mesh mesh_;
  std::vector<std::uint32_t> table_;  // open addressing: index of a point plus one, 0 where empty
};

Mesh read_stl(std::string_view bytes, const std::string& file);
Mesh read_obj(std::string_view bytes, const std::string& file);

// A mesh of at most so many triangles that looks the same from afar: points are joined that share a cell of a grid, which is made
// coarser until few enough are left.
Mesh simplified(const Mesh& mesh, std::size_t most);

}  // namespace aleator::core::meshes
