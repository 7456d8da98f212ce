// How a joint lets its second body b move relative to its first, a: the motion of b at the joint is that of a there, plus
//   Σ free_i q_i  with unknown q,   Σ lock_r.by · c_r  where row r of the joint asks for  G_r v̇ = c_r.
// Each free direction, and what each row gives, is a translation or a rotation, never both. This is exact also where constraints are
// violated: seen from the point of the joint, gradients of rows are pure forces or pure moments, opposite for a and b.
#pragma once

#include <array>

#include "elements/frames.hpp"

namespace aleator::core {

// The rows of a joint that has a joint space, as integers.
struct JointRows {
  int a, b;        // markers
  int row, count;  // first of its rows
};

// A free direction of a joint, as integers: the joint by the first of its rows, and the place among `free` (−1: it is driven, a row of the joint).
struct JointDirection {
  int row, place;
};
// An inertia that moves with the coordinate of a free direction: q̇ = ±along · (motion of b relative to a, at the joint).
template <class T>
struct DirectionInertia {
  T inertia;
  bool turns;
  Vec3<T> along;
};

template <class T>
struct JointSpace {
  struct Free {
    bool turns;
    int axis;  // of the inertial frame, or −1: any direction
    Vec3<T> along;
  };
  struct Lock {
    int row;
    bool turns;
    Vec3<T> by;
  };
  bool apart = false;  // the joint is at b's point for both; otherwise their points coincide, and it is at each one's own
  Vec3<T> distance;    // p_b − p_a, when apart
  int frees = 0, locks = 0;
  std::array<Free, 6> free;
  std::array<Lock, 6> lock;

  void set_free(bool turns, const Vec3<T>& along) { free[frees++] = {turns, -1, along}; }
  void set_free(bool turns, int axis) {
    Vec3<T> unit;
    unit[axis] = T(1);
    free[frees++] = {turns, axis, unit};
  }
  void set_lock(int row, bool turns, const Vec3<T>& by) { lock[locks++] = {row, turns, by}; }
};

}  // namespace aleator::core
