// STL: ASCII (solid … facet normal … outer loop, three times vertex x y z, endloop, endfacet … endsolid) and binary (80 bytes, a
// count, and for each triangle a normal, three corners and two bytes, as floats). Normals are not looked at: files often have none.
#include <cstring>

#include <fmt/format.h>

#include "meshes/mesh.hpp"
#include "meshes/text_lines.hpp"

namespace aleator::core::meshes {

namespace {

constexpr std::size_t stl_head = 84, stl_record = 50;

std::uint32_t count_in_head(std::string_view bytes) {
  std::uint32_t n = 0;
  for (int i = 3; i >= 0; --i) n = n << 8 | static_cast<unsigned char>(bytes[std::size_t(80 + i)]);
  return n;
}

float float_at(const char* bytes) {
  std::uint32_t bits = 0;
  for (int i = 3; i >= 0; --i) bits = bits << 8 | static_cast<unsigned char>(bytes[i]);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

Mesh binary_stl(std::string_view bytes, const std::string& file) {
  MeshBuilder mesh(file);
  const std::size_t n = count_in_head(bytes), there = (bytes.size() - stl_head) / stl_record;
  if (n > there)
    mesh.refuse(
        0, fmt::format("the file is cut off, or it is no STL file: its head says {} triangle{}, and there are {}; write it again",
                       n, n == 1 ? "" : "s", there));
  if (n > most_triangles)
    mesh.refuse(0, fmt::format("a mesh has at most {} triangles, this one has {}; reduce it in the program that wrote it",
                               most_triangles, n));
  for (std::size_t k = 0; k < n; ++k) {
    const char* record = bytes.data() + stl_head + k * stl_record + 12;
    std::uint32_t corner[3];
    for (int c = 0; c < 3; ++c, record += 12) {
      const Point p = {float_at(record), float_at(record + 4), float_at(record + 8)};
      for (const double x : p)
        if (!(x > -1e30 && x < 1e30))
          mesh.refuse(0, fmt::format("triangle {} has a corner at {:g}, which is no place", k + 1, x));
      corner[c] = mesh.point(p);
    }
    mesh.triangle(corner[0], corner[1], corner[2], 0);
  }
  return mesh.take();
}

// Whatever is between the vertices may be left out or be in any case.
Mesh ascii_stl(std::string_view text, const std::string& file) {
  MeshBuilder mesh(file);
  TextLines lines(text);
  std::uint32_t corner[3] = {};
  int corners = 0, facet_line = 0;
  const auto is = [](std::string_view word, std::string_view name) {
    if (word.size() != name.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i)
      if ((word[i] | 32) != name[i]) return false;
    return true;
  };
  const auto close = [&] {
    if (corners != 0 && corners != 3)
      mesh.refuse(facet_line, fmt::format("a facet has three vertices, this one has {}", corners));
    if (corners == 3) mesh.triangle(corner[0], corner[1], corner[2], facet_line);
    corners = 0;
  };
  while (lines.next()) {
    const std::string_view word = lines.word();
    if (word.empty() || is(word, "solid") || is(word, "endsolid") || is(word, "endloop") || is(word, "outer")) continue;
    if (is(word, "facet") || is(word, "endfacet")) {
      close();
      facet_line = lines.number();
    } else if (is(word, "vertex")) {
      if (corners == 3) mesh.refuse(lines.number(), "a facet has three vertices, this is the fourth");
      Point p;
      for (double& x : p)
        if (const std::string_view w = lines.word(); !number_in(w, x))
          mesh.refuse(lines.number(),
                      w.empty() ? "a vertex needs three numbers" : fmt::format("'{}' is not a number", w.substr(0, 40)));
      corner[corners++] = mesh.point(p);
    } else {
      mesh.refuse(lines.number(), fmt::format("'{}' is no line of an STL file (facet, outer loop, vertex, endloop, endfacet)",
                                              word.substr(0, 40)));
    }
  }
  close();
  return mesh.take();
}

}  // namespace

Mesh read_stl(std::string_view bytes, const std::string& file) {
  // Some programs begin binary files with "solid", too: their length tells.
  if (bytes.size() >= stl_head && bytes.size() == stl_head + stl_record * std::size_t(count_in_head(bytes)))
    return binary_stl(bytes, file);
  std::string_view begin = bytes;
  while (!begin.empty() && (begin[0] == ' ' || begin[0] == '\n' || begin[0] == '\r' || begin[0] == '\t')) begin.remove_prefix(1);
  const bool text = begin.size() >= 5 && (begin.starts_with("solid") || begin.starts_with("SOLID")) &&
                    bytes.substr(0, 1000).find('\0') == std::string_view::npos;
  if (text) return ascii_stl(bytes, file);
  if (bytes.size() < stl_head)
    MeshBuilder(file).refuse(0, "this is no STL file: it neither begins with 'solid' nor has a binary head");
  return binary_stl(bytes, file);
}

}  // namespace aleator::core::meshes
