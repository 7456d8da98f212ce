// Meshes for tests, and the files they would be in.
#pragma once

#include <string>
#include <vector>

#include "meshes/mesh.hpp"

namespace aleator::core::test {

using meshes::Corners;
using meshes::Point;

// A box with one corner at `low`, 12 triangles that face outwards.
meshes::Mesh box_mesh(const Point& low, const Point& size);
// Corners at the origin and at a, b, c on the axes.
meshes::Mesh tetrahedron_mesh(double a, double b, double c);
// A sphere of radius 1: `meridians` corners on each parallel circle, `bands` between the poles.
meshes::Mesh sphere_mesh(int meridians, int bands);
// Both, as one mesh of several shells.
meshes::Mesh together(meshes::Mesh a, const meshes::Mesh& b);
meshes::Mesh inside_out(meshes::Mesh m);

std::string ascii_stl(const meshes::Mesh& m);
std::string binary_stl(const meshes::Mesh& m, const std::string& head = "");
std::string obj(const meshes::Mesh& m);

}  // namespace aleator::core::test
