// Meshes as shapes of bodies: mass properties, scale, what is refused, what is drawn.
#include <gtest/gtest.h>

#include "meshes/solid.hpp"
#include "model/drawn_mesh.hpp"
#include "model/model.hpp"
#include "model/plausibility.hpp"
#include "support/mesh_files.hpp"
#include "support/message_of.hpp"
#include "support/temporary_folder.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string model_of(const std::string& body) {
  return "bodies:\n  part: {" + body + "}\noutputs: {p: {position: part}}\nsimulation: {duration: 1, step: 1e-2}\n";
}

class Meshes : public testing::Test {
 protected:
  Model load(const std::string& body) const { return load_model(folder.write("m.yaml", model_of(body))); }
  const BodyProperties& part(const std::string& body) {
    loaded = load(body);
    return loaded->bodies[0];
  }
  // Without the path of the folder.
  std::string refusal(const std::string& body) const {
    std::string text = message_of<aleator::InputError>([&] { load(body); });
    for (std::size_t at; (at = text.find(folder.path() + "/")) != std::string::npos;) text.erase(at, folder.path().size() + 1);
    return text;
  }

  TemporaryFolder folder;
  std::optional<Model> loaded;
};

constexpr double round_off = 1e-14;

// A tetrahedron in millimetres:  m = ρ abc/6,  J = m (tr Z I − Z) with the Z of meshes_solid.cpp
TEST_F(Meshes, mass_properties_of_a_scaled_mesh) {
  folder.write("t.stl", ascii_stl(tetrahedron_mesh(600, 900, 400)));
  const BodyProperties& p = part("shape: {mesh: t.stl, scale: 0.001}, density: 2700, at: [1, 2, 3]");
  const double a = 0.6, b = 0.9, c = 0.4, m = 2700 * a * b * c / 6;
  EXPECT_NEAR(p.mass, m, 10 * round_off * m);
  EXPECT_NEAR(p.center_of_mass.x, 1 + a / 4, round_off);
  EXPECT_NEAR(p.center_of_mass.z, 3 + c / 4, round_off);
  EXPECT_NEAR(p.inertia[0][0], m * 3 * (b * b + c * c) / 80, 1e-12);
  EXPECT_NEAR(p.inertia[2][2], m * 3 * (a * a + b * b) / 80, 1e-12);
  EXPECT_NEAR(p.inertia[0][1], m * a * b / 80, 1e-12) << "−∫xy dm";
  EXPECT_NEAR(p.inertia[1][2], m * b * c / 80, 1e-12);
}

// Factors of the axes, one of them negative: a mirrored part keeps its mass, and its products of inertia change sign.
TEST_F(Meshes, mirrored_by_a_negative_factor) {
  folder.write("t.obj", obj(tetrahedron_mesh(1, 1, 1)));
  const BodyProperties& p = part("shape: {mesh: t.obj, scale: [0.6, -0.9, 0.4]}, mass: 3");
  EXPECT_NEAR(p.mass, 3, round_off);
  EXPECT_NEAR(p.center_of_mass.y, -0.9 / 4, round_off);
  EXPECT_NEAR(p.inertia[0][1], -3 * 0.6 * 0.9 / 80, round_off);
  EXPECT_NEAR(p.inertia[0][2], 3 * 0.6 * 0.4 / 80, round_off);
  EXPECT_NEAR(p.shapes[0].volume, 0.6 * 0.9 * 0.4 / 6, round_off);
  const std::vector<double> drawn = drawn_mesh(p.shapes[0], 100);
  ASSERT_EQ(drawn.size(), 1U + 12 + 12);
  EXPECT_EQ(drawn[0], 4);
  meshes::Mesh seen;
  for (std::size_t k = 0; k < 4; ++k) seen.points.push_back({drawn[1 + 3 * k], drawn[2 + 3 * k], drawn[3 + 3 * k]});
  for (std::size_t k = 13; k < 25; k += 3)
    seen.triangles.push_back({std::uint32_t(drawn[k]), std::uint32_t(drawn[k + 1]), std::uint32_t(drawn[k + 2])});
  EXPECT_EQ(meshes::solid_of(seen).turned, 0U) << "seen from outside";
}

TEST_F(Meshes, an_open_one_needs_mass_center_and_inertia) {
  meshes::Mesh open = box_mesh({0, 0, 0}, {1, 1, 1});
  open.triangles.pop_back();
  folder.write("open.stl", binary_stl(open));
  const std::string why =
      "m.yaml:2:24: body 'part': the mesh 'open.stl' has no mass of its own, for it is open: 3 of its edges belong to one "
      "triangle alone, or to an odd number of them; close it, or give 'mass', 'center_of_mass' and 'inertia' of the body";
  EXPECT_EQ(refusal("shape: {mesh: open.stl}, density: 1000"), why);
  EXPECT_EQ(refusal("shape: {mesh: open.stl}, mass: 2"), why);
  EXPECT_EQ(refusal("shape: {mesh: open.stl}, mass: 2, center_of_mass: [0, 0, 0]"), why);
  const BodyProperties& p = part("shape: {mesh: open.stl}, mass: 2, center_of_mass: [0.5, 0, 0], inertia: {xx: 1, yy: 1, zz: 1}");
  EXPECT_EQ(p.mass, 2);
  EXPECT_EQ(p.center_of_mass.x, 0.5);
  EXPECT_EQ(p.shapes.at(0).kind, "mesh");
}

TEST_F(Meshes, files_that_cannot_be_read) {
  const auto of = [&](const std::string& name) { return refusal("shape: {mesh: " + name + "}, density: 1"); };
  EXPECT_EQ(of("none.stl"),
            "m.yaml:2:24: body 'part': 'shape.mesh' cannot be read: none.stl: cannot be opened: No such file or "
            "directory");
  EXPECT_EQ(of("../none.stl"),
            "m.yaml:2:24: body 'part': 'shape.mesh' is outside the folder of the model, found '../none.stl' "
            "(--allow-files " +
                folder.path().substr(0, folder.path().rfind('/') + 1) + " allows it)");
  EXPECT_EQ(of("[a.stl]"), "m.yaml:2:24: body 'part': 'shape.mesh' must be the name of a file (STL or OBJ), found a list of 1");
  folder.write("empty.stl", "");
  EXPECT_EQ(of("empty.stl"), "empty.stl: the mesh is empty");
  folder.write("bad.obj", "v 0 0 0\nv 1 0 nan\n");
  EXPECT_EQ(of("bad.obj"), "bad.obj:2: 'nan' is not a number");
  EXPECT_NE(of("."), no_error) << "a folder";
}

TEST_F(Meshes, factors_that_cannot_be_meant) {
  folder.write("t.obj", obj(tetrahedron_mesh(1, 1, 1)));
  const auto of = [&](const std::string& scale) { return refusal("shape: {mesh: t.obj, scale: " + scale + "}, density: 1"); };
  EXPECT_EQ(of("0"), "m.yaml:2:38: body 'part': 'scale' of a mesh must not be zero");
  EXPECT_EQ(of("1e-200"), "m.yaml:2:38: body 'part': 'scale' of a mesh must have sizes from 1e-15 to 1e+15, found 1e-200");
  EXPECT_EQ(of("[1, 1]"), "m.yaml:2:38: body 'part': 'shape.scale' must be a number or a list of 3, found a list of 2");
}

// Each name is read once; together they are bounded.
TEST_F(Meshes, files_that_are_too_large) {
  const std::string large = obj(tetrahedron_mesh(1, 1, 1)) + "#" + std::string(60 << 20, '-') + "\n";
  folder.write("a.obj", large);
  std::string text = "bodies:\n", name = "a.obj";
  for (int k = 0; k < 5; ++k, name = "./" + name)
    text += "  b" + std::to_string(k) + ": {shape: {mesh: " + name + "}, mass: 1}\n";
  folder.write("m.yaml", text + "outputs: {p: {position: b0}}\nsimulation: {duration: 1, step: 1e-2}\n");
  const std::string told = message_of<aleator::InputError>([&] { load_model(folder / "m.yaml"); });
  EXPECT_NE(told.find("m.yaml:6:22: body 'b4': 'shape.mesh' is too much: all meshes have at most 256 MiB"), std::string::npos)
      << told;
  folder.write("b.obj", large + large);
  EXPECT_NE(refusal("shape: {mesh: b.obj}, mass: 1").find("'shape.mesh' cannot be read: b.obj: is larger than 64 MiB"),
            std::string::npos);
}

// What was mended is told by check.
TEST_F(Meshes, what_was_turned_round_is_told) {
  meshes::Mesh m = inside_out(box_mesh({0, 0, 0}, {1, 1, 1}));
  m.triangles.push_back({0, 0, 1});
  folder.write("m.stl", binary_stl(m));
  const std::vector<std::string> notes = plausibility_notes(load("shape: {mesh: m.stl}, density: 100"));
  const auto told = [&](const std::string& words) {
    return std::any_of(notes.begin(), notes.end(), [&](const std::string& n) { return n.find(words) != std::string::npos; });
  };
  EXPECT_TRUE(told(":2:24: note: body 'part': the mesh 'm.stl' has 12 triangles that faced inwards, which were turned round"));
  EXPECT_TRUE(told("the mesh 'm.stl' has 1 triangle without area, which was left out"));
}

// A file in millimetres without its factor weighs a thousand million times too much.
TEST_F(Meshes, millimetres_taken_for_metres_are_asked_about) {
  folder.write("m.stl", binary_stl(box_mesh({0, 0, 0}, {100, 200, 300})));
  const std::vector<std::string> notes = plausibility_notes(load("shape: {mesh: m.stl}, density: 7800"));
  ASSERT_FALSE(notes.empty());
  EXPECT_NE(notes[0].find("are these in millimetres?"), std::string::npos) << notes[0];
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
