// What moves.
#pragma once

#include "base/aligned.hpp"
#include "elements/energies.hpp"
#include "numerics/scalar.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {

template <class T>
struct State {
  double t = 0;
  AlignedVector<T> positions;  // [7 carriers] rigid bodies: x y z qw qx qy qz; nodes: two vectors
  AlignedVector<T>
      velocities;  // [6 carriers] rigid bodies: velocity, angular velocity in body axes; nodes: two rates; states of elements
  AlignedVector<T> accelerations;  // [6 carriers] their time derivatives v̇
  AlignedVector<T> lambda;         // [rows]
  AlignedVector<T> turns;          // [angles] measured angles at this time; an angle is counted on from here
  Energies<T> power;               // at this time, where a method needs it for its next step
  Energies<T> work;                // since the start, if Assembly::accounts()
};

}  // namespace aleator::core
