#include "model/drawn_beam.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace aleator::core {

PlaceOnBeam find_on(const DrawnBeam& beam, const Vec3<double>& point, const std::string& name) {
  double best = HUGE_VAL;
  PlaceOnBeam found{};
  for (int e = 0; e < beam.elements(); ++e) {
    double xi = 0, closest = HUGE_VAL;
    for (int i = 0; i <= 8; ++i)
      if (const double d = norm(beam.axis(e, i / 8.0) - point); d < closest) closest = d, xi = i / 8.0;
    for (int k = 0; k < 30; ++k) {  // Gauss–Newton for (c − p)·c' = 0
      const Vec3<double> t = beam.slope(e, xi);
      const double before = xi;
      xi = std::clamp(xi - dot(beam.axis(e, xi) - point, t) / (dot(t, t) * beam.element_length), 0.0, 1.0);
      if (xi == before) break;
    }
    if (const double d = norm(beam.axis(e, xi) - point); d < best - 1e-9 * beam.element_length) best = d, found = {e, xi, 0, 0};
  }
  if (found.xi < 1e-7) found.xi = 0;
  if (found.xi > 1 - 1e-7) found.xi = 1;
  const Vec3<double> offset = point - beam.axis(found.element, found.xi), t = beam.slope(found.element, found.xi);
  const double length = beam.element_length * beam.elements(), apart = std::abs(dot(offset, t));
  if (apart > 1e-6 * length || norm(offset) > std::max(beam.cable ? 0 : beam.reach, 1e-6 * length)) {
    const std::string where = beam.normal < 0
                                  ? fmt::format("[{:g}, {:g}, {:g}]", point.x, point.y, point.z)
                                  : fmt::format("[{:g}, {:g}]", point[beam.normal == 0 ? 1 : 0], point[beam.normal == 2 ? 1 : 2]);
    throw std::invalid_argument(
        fmt::format("the point {} is not on '{}': the nearest one of its axis is {:.3g} m away", where, name, norm(offset)));
  }
  if (norm(offset) > 1e-9 * length && !beam.cable) {
    found.y = dot(offset, beam.director(found.element, found.xi, 2));
    found.z = dot(offset, beam.director(found.element, found.xi, 3));
  }
  return found;
}

Mat3<double> frame_of(const Vec3<double>& u, const Vec3<double>& w) {
  Status<double> status;
  const Directors<double> f = directors(u, w, {}, {}, status);
  return transpose(Mat3<double>{{f.a1, f.a2, f.a3}});
}

Builder::NodalPlace nodal_place(const DrawnBeam& beam, const PlaceOnBeam& at, int first_carrier) {
  const int per_node = beam.cable ? 1 : 2;
  const bool at_node = at.xi == 0 || at.xi == 1;
  const int node = at.element + (at.xi == 1 ? 1 : 0), nodes = at_node ? 1 : 2;
  Builder::NodalPlace p{};
  p.topology.count = nodes * per_node;
  for (int c = 0; c < p.topology.count; ++c) p.topology.carrier[c] = first_carrier + (at_node ? node : at.element) * per_node + c;
  p.topology.framed = !beam.cable || beam.normal >= 0;
  // Weights of r, r_x at both nodes; directors are linear.
  double n[4], slope[4];
  ancf::hermite(beam.element_length, at.xi, n);
  ancf::hermite_slope(beam.element_length, at.xi, slope);
  NodalParameters<double>& w = p.parameters;
  for (int i = 0; i < nodes; ++i) {
    const int k = 2 * per_node * i, a = at_node ? (at.xi == 1 ? 2 : 0) : 2 * i;
    const double share = at_node ? 1 : i == 0 ? 1 - at.xi : at.xi;
    w.s[k] = n[a], w.s[k + 1] = n[a + 1];
    if (beam.cable) {
      w.c[k] = at_node ? 0 : slope[a];
      w.c[k + 1] = at_node ? 1 : slope[a + 1];
      continue;
    }
    w.s[k + 2] = share * at.y, w.s[k + 3] = share * at.z;
    w.c[k + 2] = share;
    if (beam.normal < 0) w.d[k + 3] = share;
  }
  p.frame = p.section = Mat3<double>::identity();
  if (p.topology.framed == 0) return p;
  if (beam.normal >= 0) w.fixed[beam.normal] = 1;
  const Vec3<double> u = beam.cable ? beam.slope(at.element, at.xi) : beam.director(at.element, at.xi, 2);
  p.frame = p.section = frame_of(u, beam.normal >= 0 ? w.fixed : beam.director(at.element, at.xi, 3));
  if (beam.cable) {  // u is its tangent
    const Vec3<double> along = p.frame.column(1), across = p.frame.column(2);
    p.section = transpose(Mat3<double>{{along, cross(across, along), across}});
  }
  return p;
}

}  // namespace aleator::core
