// The convex hull of a few points in the plane (z = 0) or in space.
#pragma once

#include <array>
#include <vector>

#include "numerics/vec3.hpp"

namespace aleator::core {

struct ConvexHull {
  struct Plane {
    Vec3<double> normal;  // unit, outward
    double offset;        // ⟨normal, x⟩ ≤ offset inside
  };
  int dimension = 3;
  double size = 0;                         // largest distance of a point from the first one
  std::vector<Vec3<double>> points;        // the given ones, without repetitions
  std::vector<Plane> planes;               // one per face (edge in the plane)
  std::vector<std::array<int, 3>> facets;  // triangles (segments in the plane: the first two), of points

  double signed_distance(const Vec3<double>& x) const;  // to the boundary, negative inside
};

// Points in any order, some of them inside, on a face or repeated; throws std::invalid_argument where the hull has no volume
// (area). Tries all triples of points, which is meant for some hundred of them.
ConvexHull convex_hull(int dimension, std::vector<Vec3<double>> points);

}  // namespace aleator::core
