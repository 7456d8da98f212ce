#include <fmt/format.h>

#include <array>

#include "elements/reference_node.hpp"
#include "model/beams.hpp"
#include "model/drawn_beam.hpp"

namespace aleator::core {

using input::Item;

void add_reference_node(const Item& item, int body, const BodyProperties& p, Builder& b) {
  const int normal = b.normal();
  // Directors: the body's axes; in a planar model the two in the plane.
  const int axis[3] = {normal < 0 ? 0 : (normal + 1) % 3, normal < 0 ? 1 : (normal + 2) % 3, normal < 0 ? 2 : normal};
  std::array<Vec3<double>, 4> node = {p.center_of_mass, {}, {}, {}}, rate = {p.velocity, {}, {}, {}};
  for (int i = 0; i < 3; ++i) {
    node[1 + i] = p.orientation.column(axis[i]);
    rate[1 + i] = cross(p.angular_velocity, node[1 + i]);
  }
  const int directors = normal < 0 ? 3 : 2;
  ReferenceNode::Topology t{};
  t.directors = directors;
  t.carrier[0] = b.add_carrier(body, std::span(node).first(2), std::span(rate).first(2), true, false);
  t.carrier[1] =
      b.add_carrier(body, std::span(node).subspan(2, directors - 1), std::span(rate).subspan(2, directors - 1), false, true);

  JointRecord rows;
  rows.name = item.name + ".rigid", rows.kind = "reference node", rows.at = item.at;
  rows.first = rows.second = item.name;
  t.row = b.add_joint(rows).row;
  for (int k = 0; k < ReferenceNode::rows(directors); ++k) {
    const int i = ReferenceNode::carrier_of(ReferenceNode::pairs_of[k][0]),
              j = ReferenceNode::carrier_of(ReferenceNode::pairs_of[k][1]);
    const auto [first, second] = ReferenceNode::pairs_of[k];
    const std::string what = first == second ? fmt::format("length of its director {}", "xyz"[first])
                                             : fmt::format("angle between its directors {} and {}", "xyz"[first], "xyz"[second]);
    const int row = b.row(what, true);
    const int block = b.carrier_block(row, t.carrier[i]);
    if (k == 0) t.block = block;
    if (i != j) b.carrier_block(row, t.carrier[j]);
  }
  ReferenceNode::Parameters<double> q{p.mass, {}};
  if (normal >= 0) {
    q.second[0][0] = q.second[1][1] = 0.5 * p.inertia[normal][normal];
  } else {
    const Mat3<double> J = transposed_times(p.orientation, p.inertia * p.orientation);
    q.second = 0.5 * trace(J) * Mat3<double>::identity() - J;
  }
  const Builder::Place place = b.add<ReferenceNode>(reference_node_kernel, t, q);
  b.add_beam_record({body, place.group, place.element, 1});

  b.set_markers(body, [node, t, normal](const Vec3<double>& point) {
    Builder::NodalPlace found{};
    found.topology = {{t.carrier[0], t.carrier[1]}, 2, 1};
    const Vec3<double> offset = point - node[0];
    found.parameters.s[0] = 1;
    for (int i = 0; i < t.directors; ++i) found.parameters.s[1 + i] = dot(offset, node[1 + i]);
    found.parameters.c[2] = 1;
    if (normal >= 0)
      found.parameters.fixed = node[3];
    else
      found.parameters.d[3] = 1;
    found.frame = frame_of(node[2], node[3]);
    return found;
  });
}

}  // namespace aleator::core
