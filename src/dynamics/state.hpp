// What moves.
#pragma once

#include "numerics/aligned.hpp"
#include "numerics/pack.hpp"
#include "numerics/scalar.hpp"

namespace aleator {

template <class T>
struct State {
  double t = 0;
  AlignedVector<T> positions;      // [7 bodies] x y z qw qx qy qz
  AlignedVector<T> velocities;     // [6 bodies] velocity, angular velocity in body axes
  AlignedVector<T> accelerations;  // [6 bodies] their time derivatives v̇
  AlignedVector<T> lambda;         // [rows]
  AlignedVector<T> turns;          // [angles] measured angles at this time; an angle is counted on from here
};

}  // namespace aleator
