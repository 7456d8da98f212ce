// What overrides replace of a rigid body, read once: realizations have other values of the same numbers.
#pragma once

#include <span>
#include <vector>

#include "model/mass_properties.hpp"

namespace aleator::core {

struct MassChange {
  enum Kind { mass, center_of_mass, inertia } kind;
  int row = 0, column = 0;  // of a centre of mass or an inertia
  int number = 0;           // of the override
};
// Of those that name the body, in their order. Throws InputError.
std::vector<MassChange> mass_changes(std::span<const Override> overrides, const input::Item& item);

// What changes, on any scalar.
template <class T>
struct MassProperties {
  T mass;
  Vec3<T> center_of_mass;
  Mat3<T> inertia;
};
// An inertia comes after the mass, which scales it. False: a mass that is not positive.
template <class T>
MaskOf<T> apply(std::span<const MassChange> changes, const T* values, bool has_mass, MassProperties<T>& p) {
  MaskOf<T> positive = true;
  for (const MassChange& c : changes) {
    const T& value = values[c.number];
    if (c.kind == MassChange::mass) {
      positive = positive & (T(0) < value);
      if (has_mass) p.inertia = (value / p.mass) * p.inertia;
      p.mass = value;
    } else if (c.kind == MassChange::center_of_mass) {
      p.center_of_mass[c.row] = value;
    }
  }
  for (const MassChange& c : changes)
    if (c.kind == MassChange::inertia) p.inertia[c.row][c.column] = p.inertia[c.column][c.row] = values[c.number];
  return positive;
}

// J belongs to a real body exactly when Z = (½ tr J I − J)/m has no negative eigenvalue. By elimination, with pivots far above round-off: most
// bodies, without eigenvalues.
template <class T>
MaskOf<T> surely_possible(const Mat3<T>& J) {
  const T half = trace(J) * T(0.5), enough = T(1e-8) * half;
  const T a = half - J[0][0], b = half - J[1][1], c = half - J[2][2];
  const T d = -J[0][1], e = -J[0][2], f = -J[1][2];
  const T b1 = b - d * d / a, f1 = f - d * e / a, c1 = c - e * e / a;
  return (enough < a) & (enough < b1) & (enough < c1 - f1 * f1 / b1);
}

// A rigid body with these changes, made of the one without any: mass, centre of mass, inertia, motion, axes; no shapes. False: there is no such
// body.
bool with_masses(const BodyProperties& nominal, int normal, std::span<const MassChange> changes, std::span<const double> values,
                 BodyProperties& to);

}  // namespace aleator::core
