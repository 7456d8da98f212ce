// A beam as drawn: its nodes, the points of it, and the markers they carry.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "elements/ancf_axis.hpp"
#include "elements/builder.hpp"

namespace aleator::core {

// Nodes with their vectors r, r_x, r_y, r_z, at equal distances.
struct DrawnBeam {
  bool cable = false, straight = false;
  int normal = -1;
  double element_length = 0, reach = 0;  // reach: how far from the axis its points are
  std::vector<std::array<Vec3<double>, 4>> nodes;

  int elements() const { return int(nodes.size()) - 1; }
  Vec3<double> axis(int element, double xi) const { return line(element, xi, false); }
  Vec3<double> slope(int element, double xi) const { return line(element, xi, true); }
  // Director i (2 or 3) at ξ, as the element has it.
  Vec3<double> director(int element, double xi, int i) const { return (1 - xi) * nodes[element][i] + xi * nodes[element + 1][i]; }

 private:
  Vec3<double> line(int element, double xi, bool slope) const {
    double n[4];
    if (slope)
      ancf::hermite_slope(element_length, xi, n);
    else
      ancf::hermite(element_length, xi, n);
    const auto &p = nodes[element], &q = nodes[element + 1];
    return n[0] * p[0] + n[1] * p[1] + n[2] * q[0] + n[3] * q[1];
  }
};

struct PlaceOnBeam {
  int element;
  double xi;
  double y, z;  // from the axis
};

// Throws std::invalid_argument when the point is not on the beam.
PlaceOnBeam find_on(const DrawnBeam& beam, const Vec3<double>& point, const std::string& name);
Builder::NodalPlace nodal_place(const DrawnBeam& beam, const PlaceOnBeam& at, int first_carrier);

// [a1 a2 a3] of two directors (nodal_marker.hpp)
Mat3<double> frame_of(const Vec3<double>& u, const Vec3<double>& w);

}  // namespace aleator::core
