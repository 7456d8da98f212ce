// Small helpers shared by the output files.
#pragma once

#include <fmt/format.h>

#include "elements/builder.hpp"
#include "elements/output.hpp"

namespace aleator {

template <class F>
Output new_output(const input::Item& item, const char* unit) {
  Output o;
  o.name = item.name;
  o.unit = unit;
  o.scalar = F::template observe<double>;
  o.pack4 = F::template observe<Pack<4>>;
  return o;
}

inline int moving_body(const input::Item& item, const Builder& b) {
  if (item.subject.word == "ground")
    throw input::InputError(item.at, fmt::format("output '{}': the ground does not move", item.name));
  return b.body(item.subject.word);
}

inline std::vector<input::Field> vector_fields() {
  return {{.key = "component",
           .type = input::FieldType::word,
           .doc = "One component, or the norm.",
           .fallback = "all three",
           .words = {"x", "y", "z", "norm"}},
          {.key = "in",
           .type = input::FieldType::body,
           .doc = "The body in whose axes the components are given.",
           .fallback = "ground: inertial axes"}};
}

inline std::vector<int> integers_of(const Coordinate& c) {
  return {c.kind, c.a, c.b, c.axis, c.sine[0], c.sine[1], c.cosine[0], c.cosine[1], c.turn};
}
inline Coordinate coordinate_of(const Output& o) {
  const auto& i = o.index;
  return {i[0], i[1], i[2], i[3], {i[4], i[5]}, {i[6], i[7]}, i[8]};
}

}  // namespace aleator
