// STL of both kinds and OBJ: what is read, and what is said of files that are damaged.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <limits>

#include "base/errors.hpp"
#include "meshes/solid.hpp"
#include "support/mesh_files.hpp"
#include "support/message_of.hpp"

namespace aleator::core::meshes {
namespace ALEATOR_FILE {

using test::box_mesh;
using test::tetrahedron_mesh;

std::string refusal(const std::string& bytes, const std::string& file = "part.stl") {
  return test::message_of<aleator::InputError>([&] { read_mesh(bytes, file); });
}

const Mesh box = box_mesh({0, 0, 0}, {0.5, 2, 4});  // numbers that floats have

TEST(MeshesRead, the_same_box_from_all_kinds_of_files) {
  const std::string text = test::ascii_stl(box);
  std::string shouted = text, windows;
  for (char& c : shouted) c = c >= 'a' && c <= 'z' ? char(c - 32) : c;
  for (const char c : text) windows += c == '\n' ? "\r\n" : std::string(1, c);
  const std::pair<std::string, std::string> files[] = {{"box.stl", text},
                                                       {"box.STL", shouted},
                                                       {"box.stl", windows},
                                                       {"box", test::binary_stl(box)},
                                                       {"solid.stl", test::binary_stl(box, "solid by another program")},
                                                       {"box.obj", test::obj(box)}};
  for (const auto& [name, bytes] : files) {
    Mesh m = read_mesh(bytes, name);
    EXPECT_EQ(m.points.size(), 8U) << name;
    EXPECT_EQ(m.triangles.size(), 12U) << name;
    EXPECT_EQ(solid_of(m).volume, 4) << name;
  }
}

// Both kinds of indices, polygons, and what is beside triangles in such files.
TEST(MeshesRead, obj_as_programs_write_it) {
  Mesh m = read_mesh(
      "# a cube\nmtllib cube.mtl\no Cube\nv 0 0 0\nv 1 0 0 0.5\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n"
      "vt 0 0\nvn 0 0 1\nusemtl none\ns off\nf 4/1/1 3/1/1 2/1/1 1/1/1\nf 5//1 6//1 7//1 8//1 # top\nf -8 -7 -3 -4\nf 2 3 7 6\n"
      "f 3/1 4/1 8/1 7/1\ng side\n\nf 4 1 5 8\nl 1 2\n",
      "cube.obj");
  EXPECT_EQ(m.triangles.size(), 12U);
  const Solid s = solid_of(m);
  EXPECT_EQ(s.defect(), "");
  EXPECT_EQ(s.volume, 1);
  EXPECT_EQ(s.turned, 0U);
}

TEST(MeshesRead, triangles_without_area_are_counted_and_left_out) {
  Mesh m = box;
  m.triangles.push_back({0, 0, 1});
  const Mesh read = read_mesh(test::binary_stl(m), "m.stl");
  EXPECT_EQ(read.triangles.size(), 12U);
  EXPECT_EQ(read.collapsed, 1U);
}

TEST(MeshesRead, damaged_text) {
  const std::string begin = "solid a\nfacet normal 0 0 1\nouter loop\n";
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 1 0 nan\n"), "part.stl:5: 'nan' is not a number");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 1 0 1e999\n"), "part.stl:5: '1e999' is not a number");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 1 0\n"), "part.stl:5: a vertex needs three numbers");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 1,0 0 1\n"), "part.stl:5: '1,0' is not a number");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 1 0 0\nendloop\nendfacet\n"),
            "part.stl:2: a facet has three vertices, this one has 2");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nvertex 1 1 0\n"),
            "part.stl:7: a facet has three vertices, this is the fourth");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertx 1 0 0\n"),
            "part.stl:5: 'vertx' is no line of an STL file (facet, outer loop, vertex, endloop, endfacet)");
  EXPECT_EQ(refusal("solid a\nendsolid a\n"), "part.stl: the mesh has no triangles");
  EXPECT_EQ(refusal(begin + "vertex 0 0 0\nvertex 0 0 0\nvertex 1 0 0\n"),
            "part.stl: all triangles of the mesh are points or lines");
  EXPECT_EQ(refusal(""), "part.stl: the mesh is empty");
  EXPECT_EQ(refusal("hello\n"), "part.stl: this is no STL file: it neither begins with 'solid' nor has a binary head");
}

TEST(MeshesRead, damaged_bytes) {
  std::string bytes = test::binary_stl(box);
  EXPECT_EQ(refusal(bytes.substr(0, bytes.size() - 30)),
            "part.stl: the file is cut off, or it is no STL file: its head says 12 triangles, and there are 11; write it again");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes.data() + 84 + 2 * 50 + 12, &nan, 4);
  EXPECT_EQ(refusal(bytes), "part.stl: triangle 3 has a corner at nan, which is no place");
}

TEST(MeshesRead, damaged_obj) {
  const auto of = [](const std::string& text) { return refusal(text, "part.obj"); };
  const std::string begin = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  EXPECT_EQ(of(begin + "f 1 2 4\n"), "part.obj:4: a face has the vertex 4, and there are 3 so far");
  EXPECT_EQ(of(begin + "f 1 2 0\n"), "part.obj:4: a face has the vertex 0, and there are 3 so far");
  EXPECT_EQ(of(begin + "f 1 2 -4\n"), "part.obj:4: a face has the vertex -4, and there are 3 so far");
  EXPECT_EQ(of(begin + "f 1 2\n"), "part.obj:4: a face has at least three corners, this one has 2");
  EXPECT_EQ(of(begin + "f 1 2 x\n"), "part.obj:4: 'x' is no corner of a face: expected v, v/vt, v//vn or v/vt/vn");
  EXPECT_EQ(of("v 0 0\n"), "part.obj:1: a vertex needs three numbers");
  EXPECT_EQ(of("v 0 0 inf\n"), "part.obj:1: 'inf' is not a number");
  EXPECT_EQ(of(begin), "part.obj: the mesh has no triangles");
  EXPECT_EQ(of(begin + "curv 0 1 1 2\n"),
            "part.obj:4: 'curv' is a curved surface; only vertices and faces are read; export it as triangles");
}

TEST(MeshesRead, kinds_that_are_not_read) {
  EXPECT_EQ(refusal("<COLLADA>", "arm.dae"),
            "arm.dae: meshes are read as STL and OBJ, not as .dae; convert it, with Blender or MeshLab, say");
}

TEST(MeshesRead, too_many_triangles) {
  std::string text = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
  for (std::size_t k = 0; k <= most_triangles; ++k) text += "f 1 2 3\n";
  EXPECT_EQ(refusal(text, "part.obj"),
            "part.obj:2000004: a mesh has at most 2000000 triangles; reduce it in the program that wrote it");
}

// Whatever the bytes: a mesh, or a message. One byte after the other of two small files is changed.
TEST(MeshesRead, mutated_files) {
  const Mesh small = tetrahedron_mesh(1, 1, 1);
  const std::pair<std::string, std::string> files[] = {
      {"a.stl", test::ascii_stl(small)}, {"b.stl", test::binary_stl(small)}, {"c.obj", test::obj(small)}};
  for (const auto& [name, bytes] : files)
    for (std::size_t at = 0; at < bytes.size(); ++at)
      for (const unsigned char to : {0x00U, 0x0AU, 0x2DU, 0x39U, 0x7FU, 0xFFU}) {
        std::string changed = bytes;
        changed[at] = std::bit_cast<char>(to);
        try {
          Mesh m = read_mesh(changed, name);
          const Solid s = solid_of(m);
          if (s.defect().empty()) EXPECT_GT(s.volume, 0);
        } catch (const aleator::InputError&) {
        }
      }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::meshes
