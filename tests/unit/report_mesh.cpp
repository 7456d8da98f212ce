#include "report/mesh.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "report/beam_curve.hpp"
#include "support/mesh_files.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

using results::Shape;
constexpr double pi = std::numbers::pi;
constexpr double round_off = 1e-14;  // of sums of a few hundred products, relative

double volume(const Mesh& m) {  // ∫ div(r)/3 dV, over the surface
  double sum = 0;
  for (const auto& [a, b, c] : m.triangles) sum += dot(m.points[a], cross(m.points[b], m.points[c])) / 6;
  return sum;
}

// Corners are one point each, however many faces meet there.
std::vector<std::size_t> welded(const Mesh& m) {
  std::map<std::array<long, 3>, std::size_t> places;
  std::vector<std::size_t> of;
  for (const Vector& p : m.points)
    of.push_back(
        places.emplace(std::array{std::lround(p[0] * 1e9), std::lround(p[1] * 1e9), std::lround(p[2] * 1e9)}, places.size())
            .first->second);
  return of;
}

// Each edge is passed as often in one direction as in the other: the surface has no boundary, and one orientation.
void expect_closed(const Mesh& m) {
  const std::vector<std::size_t> at = welded(m);
  std::map<std::pair<std::size_t, std::size_t>, int> passed;
  for (const auto& t : m.triangles)
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t a = at[t[i]], b = at[t[(i + 1) % 3]];
      ASSERT_NE(a, b) << "a triangle without area";
      ++passed[{a, b}];
    }
  for (const auto& [edge, times] : passed) {
    EXPECT_EQ(times, 1);
    EXPECT_EQ(passed.count({edge.second, edge.first}), 1U);
  }
}

// Of length one, and on the side that the order of the corners says.
void expect_normals_outward(const Mesh& m) {
  ASSERT_EQ(m.normals.size(), m.points.size());
  for (const auto& [a, b, c] : m.triangles) {
    const Vector face = cross(m.points[b] - m.points[a], m.points[c] - m.points[a]);
    for (const std::uint32_t k : {a, b, c}) {
      EXPECT_NEAR(norm(m.normals[k]), 1, round_off);
      EXPECT_GT(dot(face, m.normals[k]), 0);
    }
  }
}

void expect_sound(const Mesh& m) {
  expect_closed(m);
  expect_normals_outward(m);
}

// Area of a regular polygon over that of its circle.
double inscribed(int n) { return n / (2 * pi) * std::sin(2 * pi / n); }

TEST(Mesh, Box) {
  const Mesh m = mesh_of({"box", {0.3, 0.2, 0.7}});
  expect_sound(m);
  EXPECT_NEAR(volume(m), 0.3 * 0.2 * 0.7, round_off * 0.042);
  for (const Vector& p : m.points)
    EXPECT_EQ((std::array{std::abs(p.x), std::abs(p.y), std::abs(p.z)}), (std::array{0.15, 0.1, 0.35}));
  EXPECT_EQ(m.points.size(), 24U) << "flat: each corner once for each of its faces";
}

// A polygon of 48 corners inside the circle: 0.29 % less.
TEST(Mesh, Cylinder) {
  const Mesh m = mesh_of({"cylinder", {0.2, 1.5}});
  expect_sound(m);
  EXPECT_NEAR(volume(m), pi * 0.04 * 1.5 * inscribed(48), round_off);
  EXPECT_NEAR(inscribed(48), 1 - 0.0029, 1e-4);
}

// Frusta of pyramids between 24 bands of parallels: 0.71 % less than the sphere.
TEST(Mesh, Sphere) {
  const Mesh m = mesh_of({"sphere", {0.5}});
  expect_sound(m);
  double bands = 0;
  for (int i = 0; i < 24; ++i) {
    const double a = pi * i / 24, b = pi * (i + 1) / 24;
    const double r = std::sin(a), s = std::sin(b);
    bands += (std::cos(a) - std::cos(b)) * (r * r + r * s + s * s) / 3;
  }
  EXPECT_NEAR(volume(m), 0.125 * pi * bands * inscribed(48), round_off);
  EXPECT_NEAR(volume(m), 4.0 / 3 * pi * 0.125, 0.0072 * 4.0 / 3 * pi * 0.125);
  for (const Vector& p : m.points) EXPECT_NEAR(norm(p), 0.5, round_off);
}

// The halves of the sphere apart by the cylinder, whose facets are those of its equator.
TEST(Mesh, Capsule) {
  const Mesh m = mesh_of({"capsule", {0.5, 0.8}}), sphere = mesh_of({"sphere", {0.5}});
  expect_sound(m);
  EXPECT_NEAR(volume(m), volume(sphere) + 0.8 * pi * 0.25 * inscribed(48), 10 * round_off);
  double top = 0;
  for (const Vector& p : m.points) top = std::max(top, p.z);
  EXPECT_EQ(top, 0.5 + 0.4);
}

TEST(Mesh, Ellipsoid) {
  const Mesh m = mesh_of({"ellipsoid", {0.5, 0.2, 0.7}}), sphere = mesh_of({"sphere", {1}});
  expect_sound(m);
  EXPECT_NEAR(volume(m), 0.5 * 0.2 * 0.7 * volume(sphere), round_off);
}

// Sharp edges stay sharp: each corner of a cube once for each of its faces. A fine sphere is smooth: each point once.
TEST(Mesh, SurfaceOfAFile) {
  const auto shape = [](const meshes::Mesh& m) {
    Shape s{"mesh", {double(m.points.size())}};
    for (const meshes::Point& p : m.points) s.size.insert(s.size.end(), p.begin(), p.end());
    for (const meshes::Corners& t : m.triangles) s.size.insert(s.size.end(), t.begin(), t.end());
    return s;
  };
  const Mesh cube = mesh_of(shape(test::box_mesh({0, 0, 0}, {1, 2, 3})));
  expect_sound(cube);
  EXPECT_NEAR(volume(cube), 6, 10 * round_off);
  EXPECT_EQ(cube.points.size(), 24U);
  const meshes::Mesh ball = test::sphere_mesh(48, 24);
  const Mesh smooth = mesh_of(shape(ball));
  expect_sound(smooth);
  EXPECT_EQ(smooth.points.size(), ball.points.size());
}

TEST(Mesh, ConcavePrismInEitherOrder) {
  const Mesh a = mesh_of({"prism", {0.5, 0, 0, 4, 0, 4, 1, 1, 1, 1, 3, 0, 3}});
  const Mesh b = mesh_of({"prism", {0.5, 0, 3, 1, 3, 1, 1, 4, 1, 4, 0, 0, 0}});
  for (const Mesh& m : {a, b}) {
    expect_sound(m);
    EXPECT_NEAR(volume(m), 0.5 * 6, round_off * 6);
  }
}

// A star has no three neighbouring convex corners; the last one closes onto the first as some programs write it.
TEST(Mesh, StarWithItsFirstCornerRepeated) {
  std::vector<double> size = {2};
  for (int k = 0; k <= 14; ++k) {
    const double r = k % 2 == 0 ? 1 : 0.3;
    size.push_back(k == 14 ? 1 : r * std::cos(pi * k / 7));
    size.push_back(k == 14 ? 0 : r * std::sin(pi * k / 7));
  }
  const Mesh m = mesh_of({"prism", size});
  expect_sound(m);
  EXPECT_NEAR(volume(m), 2 * 14 * 0.5 * 0.3 * std::sin(pi / 7), 10 * round_off);
}

// A corner on a straight edge is kept, or the sides would not fit the ends.
TEST(Mesh, PrismWithACornerOnAnEdge) {
  const Mesh m = mesh_of({"prism", {1, 0, 0, 1, 0, 2, 0, 2, 2, 0, 2}});
  expect_sound(m);
  EXPECT_NEAR(volume(m), 4, 4 * round_off);
}

TEST(Mesh, EarsOfAPolygonThatCrossesItselfEnd) {
  EXPECT_EQ(cut_ears({{0, 0}, {1, 1}, {1, 0}, {0, 1}}).size(), 2U);
  EXPECT_EQ(cut_ears({{0, 0}, {1, 0}, {2, 0}, {3, 0}}).size(), 2U) << "all on a line";
}

TEST(Mesh, PointsAreMarked) {
  const Mesh m = mesh_of({"mesh-points", {0, 0, 0, 1, 0, 0, 0, 1, 0}});
  expect_sound(m);
  EXPECT_NEAR(volume(m), 3 * 4.0 / 3 * 1e-6, 1e-18);  // octahedra of radius 1 % of the extent
}

// --- beams --------------------------------------------------------------------------------------------------------------------

// Nodes of an arc of radius 1 in the plane of x and y, from angle 0 on; height outward is −y of the node.
std::vector<double> arc(int nodes, double angle) {
  std::vector<double> poses;
  for (int k = 0; k < nodes; ++k) {
    const double a = angle * k / (nodes - 1), turn = a + pi / 2;
    for (const double x : {std::cos(a), std::sin(a), 0.0, std::cos(turn / 2), 0.0, 0.0, std::sin(turn / 2)}) poses.push_back(x);
  }
  return poses;
}

TEST(BeamCurve, PassesThroughItsNodesAlongTheirTangents) {
  const std::vector<double> poses = arc(5, 2);
  const std::vector<Frame> frames = beam_frames(poses.data(), 5, false);
  ASSERT_EQ(frames.size(), 4U * rings_per_element + 1);
  for (std::size_t node = 0; node < 5; ++node) {
    const Frame expected = frame_of(poses.data() + 7 * node), &f = frames[node * rings_per_element];
    for (const auto& d : {f.origin - expected.origin, f.x - expected.x, f.y - expected.y, f.z - expected.z})
      EXPECT_NEAR(norm(d), 0, round_off);
  }
}

// Hermite's cubic of an arc of angle θ = 1/2 is off by 16 s² (1 − s)² θ⁴/384: at most 1.6e-4, with a slope of at most 1e-3. (The
// length of the tangents is known to 4e-4 only, which adds 5 %.)
TEST(BeamCurve, FollowsAnArc) {
  const std::vector<double> poses = arc(5, 2);
  for (const Frame& f : beam_frames(poses.data(), 5, false)) {
    EXPECT_NEAR(norm(f.origin), 1, 1.8e-4);
    EXPECT_NEAR(dot(f.x, f.origin), 0, 1.1e-3);
    EXPECT_NEAR(dot(f.x, f.y), 0, round_off);
    EXPECT_NEAR(norm(f.y), 1, round_off);
    EXPECT_NEAR(f.z[2], 1, round_off);
  }
}

TEST(BeamCurve, StraightElementsAreSpacedEvenly) {
  const double poses[] = {0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 0, 0};
  const std::vector<Frame> frames = beam_frames(poses, 2, false);
  for (std::size_t k = 0; k < frames.size(); ++k)
    EXPECT_NEAR(frames[k].origin[0], 3.0 * double(k) / rings_per_element, round_off);
}

// The axes across a cable are any: here those of the second node are turned by half a turn. Nothing may be pinched.
TEST(BeamCurve, RoundSectionsAreCarriedAlong) {
  const double poses[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0};
  for (const Frame& f : beam_frames(poses, 2, true)) EXPECT_NEAR(f.y[1], 1, round_off);
}

// Between two rings that are turned by δ against each other the volume is area · sin δ (radius 1), not the area · δ of Pappus. The
// cubic is inside the arc by up to 1.7e-4.
TEST(BeamMesh, Sections) {
  const std::vector<double> poses = arc(5, 2);
  const double tube = pi * (0.04 * 0.04 - 0.03 * 0.03) * inscribed(24), circle = pi * 0.04 * 0.04 * inscribed(24);
  const std::pair<Shape, double> cases[] = {{{"rectangle-section", {0.1, 0.05}}, 0.1 * 0.05},
                                            {{"circle-section", {0.04}}, circle},
                                            {{"tube-section", {0.04, 0.03}}, tube},
                                            {{"tube-section", {0.04, 0}}, circle}};
  for (const auto& [shape, area] : cases) {
    SCOPED_TRACE(shape.kind);
    const Mesh m = sweep(section_of(shape), beam_frames(poses.data(), 5, is_round(shape)));
    expect_closed(m);
    EXPECT_NEAR(volume(m), 24 * std::sin(2.0 / 24) * area, 2 * area * 1.7e-4);
    ASSERT_EQ(m.rings.size(), m.points.size());
    EXPECT_EQ(m.rings.back(), 4U * rings_per_element);
  }
}

TEST(Frames, QuaternionsOfFramesComeBack) {
  const Quaternion<double> all[] = {{1, {0, 0, 0}}, {0, {1, 0, 0}},         {0, {0, 1, 0}},
                                    {0, {0, 0, 1}}, {0.5, {0.5, 0.5, 0.5}}, {0.1, {-0.7, 0.1, 0.7}}};
  for (const Quaternion<double>& q : all) {
    const double pose[] = {1, 2, 3, q.w, q.v.x, q.v.y, q.v.z};
    const Quaternion<double> back = quaternion_of(frame_of(pose));
    EXPECT_NEAR(std::abs(q.w * back.w + dot(q.v, back.v)), 1, round_off);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
