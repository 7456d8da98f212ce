// OBJ: `v x y z` and `f a b c …`, where a corner is `v`, `v/vt`, `v//vn` or `v/vt/vn`, counted from 1, or from the end by negative
// numbers. Polygons are cut into triangles from their first corner, which changes no integral as long as they are plane.
#include <fmt/format.h>

#include "meshes/mesh.hpp"
#include "meshes/text_lines.hpp"

namespace aleator::core::meshes {

namespace {

constexpr std::size_t most_corners = 10'000;  // of a polygon

std::uint32_t obj_corner(std::string_view word, const std::vector<std::uint32_t>& vertices, int line, const MeshBuilder& mesh) {
  long long index = 0;
  const std::string_view first = word.substr(0, word.find('/'));
  const auto [end, error] = std::from_chars(first.data(), first.data() + first.size(), index);
  if (first.empty() || error != std::errc{} || end != first.data() + first.size())
    mesh.refuse(line, fmt::format("'{}' is no corner of a face: expected v, v/vt, v//vn or v/vt/vn", word.substr(0, 40)));
  const long long count = (long long)(vertices.size()), k = index < 0 ? count + index : index - 1;
  if (k < 0 || k >= count) mesh.refuse(line, fmt::format("a face has the vertex {}, and there are {} so far", index, count));
  return vertices[std::size_t(k)];
}

}  // namespace

Mesh read_obj(std::string_view bytes, const std::string& file) {
  MeshBuilder mesh(file);
  TextLines lines(bytes);
  std::vector<std::uint32_t> vertices;
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word == "v") {
      if (vertices.size() == 2 * most_triangles)
        mesh.refuse(lines.number(), fmt::format("a mesh has at most {} vertices", 2 * most_triangles));
      Point p;
      for (double& x : p)
        if (const std::string_view w = lines.word(); !number_in(w, x))
          mesh.refuse(lines.number(),
                      w.empty() ? "a vertex needs three numbers" : fmt::format("'{}' is not a number", w.substr(0, 40)));
      vertices.push_back(mesh.point(p));
    } else if (word == "f") {
      const int line = lines.number();
      std::uint32_t first = 0, last = 0;
      std::size_t corners = 0;
      for (std::string_view w = lines.word(); !w.empty() && w[0] != '#'; w = lines.word(), ++corners) {
        const std::uint32_t corner = obj_corner(w, vertices, line, mesh);
        if (corners == most_corners) mesh.refuse(line, fmt::format("a face has at most {} corners", most_corners));
        if (corners == 0) first = corner;
        if (corners >= 2) mesh.triangle(first, last, corner, line);
        last = corner;
      }
      if (corners < 3) mesh.refuse(line, fmt::format("a face has at least three corners, this one has {}", corners));
    } else if (word == "curv" || word == "surf" || word == "cstype") {
      mesh.refuse(lines.number(),
                  fmt::format("'{}' is a curved surface; only vertices and faces are read; export it as triangles", word));
    } else if (word.find('\0') != std::string_view::npos) {
      mesh.refuse(lines.number(), "this is no OBJ file, which is text");
    }
  }
  return mesh.take();
}

}  // namespace aleator::core::meshes
