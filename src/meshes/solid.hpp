// The solid that a closed mesh encloses: volume, centre and second moments, by the divergence theorem.
//   Each triangle (a, b, c) and the origin span a tetrahedron of signed volume v = a·(b×c)/6, whose integrals are
//   ∫x dV = v (a + b + c)/4,   ∫xxᵀ dV = v/20 (s sᵀ + aaᵀ + bbᵀ + ccᵀ),  s = a + b + c;
// their sums are those of the solid exactly, whatever the origin, if every edge is passed as often in one direction as in the other.
#pragma once

#include <cstddef>
#include <string>

#include "meshes/mesh.hpp"

namespace aleator::core::meshes {

struct Solid {
  std::size_t open_edges = 0;   // edges of an odd number of triangles
  std::size_t mixed_edges = 0;  // edges at which orientations contradict each other and cannot be told apart
  std::size_t shells = 0;       // parts that share no edge
  std::size_t turned = 0;       // triangles that were turned round, because their neighbours or their shell were the other way
  Point low{}, high{};          // the box around it

  double volume = 0;  // of a closed mesh; positive
  Point center{};
  std::array<double, 6> second{};  // (1/V) ∫ x xᵀ dV about the centre: xx, yy, zz, xy, xz, yz

  bool closed() const { return open_edges == 0 && mixed_edges == 0; }
  // What is wrong with it as a solid, in words; empty: nothing.
  std::string defect() const;
};

struct SolidMesh {
  Mesh mesh;
  Solid solid;
};

// Turns triangles of the mesh round where it must: neighbours the same way, shells outwards, cavities inwards.
Solid solid_of(Mesh& mesh);

}  // namespace aleator::core::meshes
