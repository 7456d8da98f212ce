// Volume, centre and second moments of solids that have closed forms, and what is no solid.
#include "meshes/solid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/mesh_files.hpp"

namespace aleator::core::meshes {
namespace ALEATOR_FILE {

using test::box_mesh;
using test::inside_out;
using test::sphere_mesh;
using test::tetrahedron_mesh;
using test::together;

// Sums of tens to thousands of tetrahedra of both signs, each within a few units of the last digit.
constexpr double round_off = 1e-14;

void expect_solid(const Solid& s, double volume, const Point& center, const std::array<double, 6>& second) {
  EXPECT_EQ(s.defect(), "");
  EXPECT_NEAR(s.volume, volume, round_off * volume);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(s.center[i], center[i], round_off) << i;
  for (std::size_t k = 0; k < 6; ++k) EXPECT_NEAR(s.second[k], second[k], round_off) << k;
}

TEST(MeshesSolid, a_box) {
  Mesh m = box_mesh({0.1, -0.2, 0.3}, {0.5, 0.7, 1.1});
  const Solid s = solid_of(m);
  expect_solid(s, 0.5 * 0.7 * 1.1, {0.35, 0.15, 0.85}, {0.25 / 12, 0.49 / 12, 1.21 / 12, 0, 0, 0});
  EXPECT_EQ(s.turned, 0U);
  EXPECT_EQ(s.shells, 1U);
}

// ∫x² dV / V = a²/10, ∫xy dV / V = ab/20 about the corner; the centre is at (a, b, c)/4.
TEST(MeshesSolid, a_tetrahedron) {
  const double a = 0.6, b = 0.9, c = 0.4;
  Mesh m = tetrahedron_mesh(a, b, c);
  expect_solid(solid_of(m), a * b * c / 6, {a / 4, b / 4, c / 4},
               {3 * a * a / 80, 3 * b * b / 80, 3 * c * c / 80, -a * b / 80, -a * c / 80, -b * c / 80});
}

// Far from the origin of its file: coordinates of 1000 with a size of 1 lose three digits of the size, no more.
TEST(MeshesSolid, a_box_far_away) {
  Mesh m = box_mesh({1000, 2000, -3000}, {1, 1, 1});
  const Solid s = solid_of(m);
  EXPECT_NEAR(s.volume, 1, 1e-12);
  EXPECT_NEAR(s.center[2], -2999.5, 1e-12);
  for (const int k : {0, 1, 2}) EXPECT_NEAR(s.second[std::size_t(k)], 1.0 / 12, 1e-12);
}

// The exact polyhedron by slices: between two parallels its sections are regular polygons whose circumradius ρ is linear in z, with
//   A = ρ² n/2 sin(2π/n),   ∫x² dA = ρ⁴ n/24 sin(2π/n) (2 + cos(2π/n)),
// integrated along z by Gauss' rule of three points, which is exact for the polynomials of degree 4 at hand.
struct Slices {
  double volume = 0, xx = 0, zz = 0;
};
Slices polyhedron(int n, int bands) {
  const double pi = std::numbers::pi, angle = 2 * pi / n;
  const double area = n / 2.0 * std::sin(angle), moment = n / 24.0 * std::sin(angle) * (2 + std::cos(angle));
  const double nodes[] = {-std::sqrt(0.6), 0, std::sqrt(0.6)}, weights[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  Slices s;
  for (int i = 0; i < bands; ++i) {
    const double p = pi * i / bands, q = pi * (i + 1) / bands, height = std::cos(p) - std::cos(q);
    for (int g = 0; g < 3; ++g) {
      const double u = 0.5 * (1 + nodes[g]), w = weights[g] * height;
      const double r = (1 - u) * std::sin(p) + u * std::sin(q), z = (1 - u) * std::cos(p) + u * std::cos(q);
      s.volume += w * area * r * r;
      s.xx += w * moment * r * r * r * r;
      s.zz += w * area * r * r * z * z;
    }
  }
  return s;
}

TEST(MeshesSolid, a_sphere_of_facets_is_the_polyhedron_it_is) {
  for (const int n : {4, 7, 48}) {
    const int bands = n / 2 + 1;
    Mesh m = sphere_mesh(n, bands);
    const Slices s = polyhedron(n, bands);
    expect_solid(solid_of(m), s.volume, {0, 0, 0}, {s.xx / s.volume, s.xx / s.volume, s.zz / s.volume, 0, 0, 0});
  }
  // and near the sphere: 4π/3 less 1 %, r²/5
  Mesh fine = sphere_mesh(96, 48);
  const Solid s = solid_of(fine);
  EXPECT_NEAR(s.volume, 4 * std::numbers::pi / 3, 0.01 * 4.19);
  EXPECT_NEAR(s.second[0], 0.2, 0.002);
}

TEST(MeshesSolid, inside_out_is_the_same_solid) {
  Mesh m = inside_out(tetrahedron_mesh(1, 1, 1));
  const Solid s = solid_of(m);
  EXPECT_NEAR(s.volume, 1.0 / 6, round_off);
  EXPECT_EQ(s.turned, 4U);
  EXPECT_EQ(m.triangles[0], tetrahedron_mesh(1, 1, 1).triangles[0]) << "drawn from outside, too";
}

TEST(MeshesSolid, one_triangle_the_wrong_way_round) {
  Mesh m = box_mesh({0, 0, 0}, {1, 2, 3});
  std::swap(m.triangles[5][0], m.triangles[5][1]);
  const Solid s = solid_of(m);
  expect_solid(s, 6, {0.5, 1, 1.5}, {1.0 / 12, 4.0 / 12, 9.0 / 12, 0, 0, 0});
  EXPECT_EQ(s.turned, 1U);
}

TEST(MeshesSolid, two_shells_add) {
  Mesh m = together(box_mesh({-2, 0, 0}, {1, 1, 1}), box_mesh({1, 0, 0}, {1, 1, 1}));
  const Solid s = solid_of(m);
  EXPECT_EQ(s.shells, 2U);
  // centres at ±1.5:  1/12 + 1.5²
  expect_solid(s, 2, {0, 0.5, 0.5}, {1.0 / 12 + 2.25, 1.0 / 12, 1.0 / 12, 0, 0, 0});
  // one of them inside out, where neither is in the other
  Mesh half = together(box_mesh({-2, 0, 0}, {1, 1, 1}), inside_out(box_mesh({1, 0, 0}, {1, 1, 1})));
  EXPECT_NEAR(solid_of(half).volume, 2, round_off);
}

// The difference of two boxes: V = 8 − 1; moments of the parts about their common centre.
TEST(MeshesSolid, a_cavity_is_taken_away) {
  const Mesh hollow = together(box_mesh({-1, -1, -1}, {2, 2, 2}), inside_out(box_mesh({-0.5, -0.5, -0.5}, {1, 1, 1})));
  const double second = (8 * 4.0 / 12 - 1.0 / 12) / 7;
  Mesh m = hollow, turned = inside_out(hollow);
  expect_solid(solid_of(m), 7, {0, 0, 0}, {second, second, second, 0, 0, 0});
  expect_solid(solid_of(turned), 7, {0, 0, 0}, {second, second, second, 0, 0, 0});
}

// Boxes that touch along an edge: four triangles there, each box closed for itself.
TEST(MeshesSolid, shells_that_share_an_edge) {
  MeshBuilder b("m");
  for (const Mesh& part : {box_mesh({0, 0, 0}, {1, 1, 1}), box_mesh({1, 1, 0}, {1, 1, 1})})
    for (const Corners& t : part.triangles)
      b.triangle(b.point(part.points[t[0]]), b.point(part.points[t[1]]), b.point(part.points[t[2]]), 0);
  Mesh m = b.take();
  EXPECT_EQ(m.points.size(), 14U);
  const Solid s = solid_of(m);
  expect_solid(s, 2, {1, 1, 0.5}, {1.0 / 3, 1.0 / 3, 1.0 / 12, 0.25, 0, 0});
}

TEST(MeshesSolid, an_open_surface_is_none) {
  Mesh m = box_mesh({0, 0, 0}, {1, 1, 1});
  m.triangles.pop_back();
  EXPECT_EQ(solid_of(m).defect(), "it is open: 3 of its edges belong to one triangle alone, or to an odd number of them");
  m.triangles.pop_back();  // the whole face
  EXPECT_EQ(solid_of(m).open_edges, 4U);
}

// The projective plane of six points: every edge has two triangles, and no orientation fits.
TEST(MeshesSolid, a_surface_with_one_side_is_none) {
  Mesh m;
  for (int k = 0; k < 6; ++k) m.points.push_back({double(k), double(k * k), double(k * k * k)});
  m.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}, {0, 5, 1}, {1, 2, 4}, {2, 3, 5}, {3, 4, 1}, {4, 5, 2}, {5, 1, 3}};
  const Solid s = solid_of(m);
  EXPECT_EQ(s.open_edges, 0U);
  EXPECT_NE(s.defect().find("triangles that face in and out meet"), std::string::npos) << s.defect();
}

TEST(MeshesSolid, a_flat_one_encloses_nothing) {
  Mesh m = tetrahedron_mesh(1, 1, 1);
  for (Point& p : m.points) p[2] = 0;
  m.points[3] = {0.3, 0.3, 0};
  EXPECT_EQ(solid_of(m).defect(), "it encloses no volume");
}

TEST(MeshesSimplify, few_triangles_that_look_the_same) {
  const Mesh fine = sphere_mesh(200, 100), coarse = simplified(fine, 2000);
  EXPECT_LE(coarse.triangles.size(), 2000U);
  EXPECT_GE(coarse.triangles.size(), 500U);
  for (const Point& p : coarse.points)  // cells of about 1/10: averages of points lie a little inside of the sphere
    EXPECT_NEAR(std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]), 1, 0.02);
  EXPECT_EQ(simplified(fine, fine.triangles.size()).triangles, fine.triangles) << "as they are where they may be";
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::meshes
