// Shapes as triangles: closed surfaces, oriented outwards, with a normal at each vertex.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "report/frame.hpp"
#include "results/run.hpp"

namespace aleator::core::report {

struct Mesh {
  std::vector<Vector> points, normals;  // corners of flat faces are there once for each face
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> rings;  // of a sweep: which of its frames each point belongs to
};

using PlanePoint = std::array<double, 2>;
using Triangles = std::vector<std::array<std::uint32_t, 3>>;

// A plane area that is swept along a curve. Its boundary has the area on its left.
struct Section {
  std::vector<PlanePoint> points, normals;             // of the boundary
  std::vector<std::array<std::uint32_t, 2>> segments;  // of the boundary, from point to point
  std::vector<PlanePoint> cap;                         // corners of the area
  Triangles triangles;                                 // of the area, counter-clockwise
};

// Of a full circle. With 48 radii are short by up to 0.2 %, areas by 0.3 %; beams have many sections, and 24: 0.9 %, 1.1 %.
inline constexpr int facets_of_rigid = 48, facets_of_beams = 24;

Section rectangle(double height, double width);
Section circle(double radius, int facets);
Section annulus(double outer, double inner, int facets);
Section polygon(std::vector<PlanePoint> corners);  // in either order; need not be convex

// The section in the planes of y and z of each frame, from frame to frame along x.
Mesh sweep(const Section& section, std::span<const Frame> frames);

Section section_of(const results::Shape& shape);  // of a beam
bool is_round(const results::Shape& shape);       // a section that looks the same however it is turned

Mesh mesh_of(const results::Shape& shape);  // of a rigid body, in the axes of the shape

// Triangles of a simple polygon, counter-clockwise: by cutting off ears.
Triangles cut_ears(const std::vector<PlanePoint>& counter_clockwise);

}  // namespace aleator::core::report
