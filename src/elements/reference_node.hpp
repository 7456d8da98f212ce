// A rigid body as an ANCF reference node: r at its centre of mass and directors r_x, r_y, r_z along its axes, a place fixed to it
//   p = r + x r_x + y r_y + z r_z,
// so that joints to ANCF nodes are linear. Its mass matrix is constant: m for r, and the second moments ∫ x_i x_j dm for directors
// i, j. The directors stay orthonormal by the rows
//   ½(r_i·r_i − 1) = 0,   r_i·r_j = 0   (three in the plane, six in space).
#pragma once

#include "elements/kernel.hpp"

namespace aleator::core {

struct ReferenceNode {
  struct Topology {
    int carrier[2];  // (r, r_x), (r_y, r_z)
    int directors;   // 2 in the plane, 3 in space
    int row, block;  // first of its rows; blocks in the order of the rows, one per carrier that takes part
  };
  template <class T>
  struct Parameters {
    T mass;
    Mat3<T> second;  // ∫ x_i x_j dm, body axes
  };

  // Rows: pairs of directors. A director i is half (i + 1) % 2 of carrier (i + 1) / 2.
  static constexpr int pairs_of[6][2] = {{0, 0}, {1, 1}, {0, 1}, {2, 2}, {1, 2}, {0, 2}};
  static constexpr int rows(int directors) { return directors == 2 ? 3 : 6; }
  static constexpr int carrier_of(int director) { return (director + 1) / 2; }
  static constexpr int half_of(int director) { return (director + 1) % 2; }
};

extern const Kernel reference_node_kernel;

}  // namespace aleator::core
