// Small helpers shared by the output files.
#pragma once

#include <fmt/format.h>

#include "elements/builder.hpp"
#include "elements/output.hpp"

namespace aleator::core {

template <class F>
Output new_output(const input::Item& item, const char* unit) {
  Output o;
  o.name = item.name;
  o.unit = unit;
  o.scalar = F::template observe<double>;
  o.traced = F::template observe<Traced>;
  return o;
}

inline int moving_body(const input::Item& item, const Builder& b) {
  if (item.subject.word == "ground")
    throw input::InputError(item.at, fmt::format("output '{}': the ground does not move", item.name));
  return b.body(item.subject.word);
}

// Accelerations of a marker's point and axes.
//   rigid body: p̈ = ẍ + α × arm + ω × (ω × arm);   on nodes: p̈ = Σ s_k ë_k,  φ̈ = B_u ü + B_w ẅ + (its part without accelerations)
template <class T>
struct MarkerAcceleration {
  Vec3<T> linear, angular;
};
template <class T>
MarkerAcceleration<T> acceleration_of(int m, const Observation<T>& s) {
  const Evaluation<T>& e = *s.evaluation;
  const MarkerFrame<T>& f = e.marker[m];
  MarkerAcceleration<T> out = {f.a, f.alpha};
  const int n = e.marker_nodal[m], c = e.marker_carrier[m];
  if (n < 0) {
    if (c == s.ground) return out;
    const T* vd = s.acceleration + 6 * c;
    out.angular = s.carrier[c].R * Vec3<T>{vd[3], vd[4], vd[5]};
    out.linear += Vec3<T>{vd[0], vd[1], vd[2]} + cross(out.angular, f.arm);
    return out;
  }
  const NodalTopology& t = e.nodal[n];
  const NodalParameters<T>& p = e.nodal_parameters[n];
  Vec3<T> u, w;
  for (int k = 0; k < 2 * t.count; ++k) {
    const T* a = s.acceleration + 6 * t.carrier[k / 2] + 3 * (k % 2);
    const Vec3<T> x = {a[0], a[1], a[2]};
    out.linear += p.s[k] * x;
    u += p.c[k] * x, w += p.d[k] * x;
  }
  if (t.framed != 0) out.angular += e.director[n].Bu * u + e.director[n].Bw * w;
  return out;
}

inline std::vector<input::Field> vector_fields() {
  return {{.key = "component",
           .type = input::FieldType::word,
           .doc = "One component, or the norm.",
           .fallback = "all three",
           .words = {"x", "y", "z", "norm"}},
          {.key = "in",
           .type = input::FieldType::body,
           .doc = "Body in whose axes the components are given.",
           .fallback = "ground: inertial axes"}};
}

inline std::vector<int> integers_of(const Coordinate& c) {
  return {c.kind, c.a, c.b, c.axis, c.sine[0], c.sine[1], c.cosine[0], c.cosine[1], c.turn};
}
inline Coordinate coordinate_of(const Output& o) {
  const auto& i = o.index;
  return {i[0], i[1], i[2], i[3], {i[4], i[5]}, {i[6], i[7]}, i[8]};
}

}  // namespace aleator::core
