// Where a part is put: entries that are written in its own coordinates x become entries of the model, at  p + R M x.
#pragma once

#include "input/amount.hpp"
#include "input/field_walk.hpp"

namespace aleator::core::input {

struct Placement {
  AmountVector p = {};                  // position of its origin
  AmountMatrix R = identity_amounts();  // its axes
  int mirror = -1;                      // M: the axis whose coordinate changes its sign (0, 1, 2); -1: none
  int normal = -1;                      // of the plane of a planar model; -1: in space
  Position at = {};                     // of what places it

  bool rotates() const;
  bool moves() const;
  bool is_trivial() const { return !rotates() && !moves() && mirror < 0; }
};

// The place of a mapping with `at` and `orientation`. Throws InputError.
Placement placement_of(const Tree* at, const Tree* orientation, int normal, Arithmetic& arithmetic);

// b inside of a: a's R and p after b's; a must not mirror.
Placement composed(const Placement& a, const Placement& b);

// The keys `at` and `orientation` of a frame, a point (a vector), an entry of a section. Throws InputError.
void place_entry(const Section& section, Tree& entry, const Placement& placement, Arithmetic& arithmetic);
void place_fields(std::span<const Field> fields, Tree& mapping, const Placement& placement, Arithmetic& arithmetic);
void place_point(Tree& vector, const Placement& placement, Arithmetic& arithmetic);

}  // namespace aleator::core::input
