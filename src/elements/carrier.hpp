// Carriers: what moves, in portions of six velocities. A carrier is a rigid body (velocity of its centre of mass, angular velocity)
// or two vectors of an ANCF node, (r, r_x) or (r_y, r_z), whose velocities are simply their rates. Rigid bodies come first.
// Positions are stored seven per carrier; the seventh of vectors is not used.
//
// An element may have numbers of its own that follow a first-order equation, ẋ = f(…), as hysteresis has. They are the velocities of a
// carrier of unit mass, on which f acts as a force: whatever integrates velocities integrates them, with its order and in its Newton iteration.
// (The positions of such a carrier are ∫ x dt, which nobody reads.) Its first half are the states, of order one by the choice of
// their unit; its second half integrals of theirs, which no error control looks at. These carriers are the last ones.
#pragma once

#include "elements/rigid_body.hpp"

namespace aleator::core {

struct Carrier {
  int body;        // whose it is
  int node;        // carriers with the same node are eliminated together
  int vectors;     // 0: a rigid body; 1 or 2: vectors of a node
  bool is_place;   // its first three coordinates are a place (a length), not a direction
  int states = 0;  // of an element: how many of its first half, and as many integrals

  bool operator==(const Carrier&) const = default;
  // Whether velocity i of six exists in a model with this normal (−1 in space).
  bool active(int i, int normal) const {
    if (states > 0) return i % 3 < states;
    if (vectors == 0) return normal < 0 || (i < 3 ? i != normal : i - 3 == normal);
    return i < 3 * vectors && i % 3 != normal;
  }
};

// All carriers: the first `rigid` of `count` are rigid bodies, those from `first_state` on have states of elements.
struct Carriers {
  int rigid, count, first_state;

  bool flexible() const { return first_state > rigid; }

  // q ∘ exp(step); q and out may be the same
  template <class T>
  void move(const T* q, const T* step, T* out) const {
    for (int c = 0; c < rigid; ++c) RigidBody::move(q + 7 * c, step + 6 * c, out + 7 * c);
    for (int c = rigid; c < count; ++c)
      for (int i = 0; i < 6; ++i) out[7 * c + i] = q[7 * c + i] + step[6 * c + i];
  }
  // q̇ as a plain vector of seven per carrier
  template <class T>
  void derivative(const T* q, const T* v, T* out) const {
    for (int c = 0; c < rigid; ++c) RigidBody::derivative(q + 7 * c, v + 6 * c, out + 7 * c);
    for (int c = rigid; c < count; ++c) {
      for (int i = 0; i < 6; ++i) out[7 * c + i] = v[6 * c + i];
      out[7 * c + 6] = T(0);
    }
  }
  template <class T>
  void normalize(T* q) const {
    for (int c = 0; c < rigid; ++c) RigidBody::normalize(q + 7 * c);
  }
};

// The frame of a carrier of vectors: its "rotation" is the identity, so that inertial and body axes are the same to it.
template <class T>
ALEATOR_HD BodyFrame<T> vector_frame(const T* q, const T* v) {
  const Vec3<T> second = {v[3], v[4], v[5]};
  return {{q[0], q[1], q[2]}, Mat3<T>::identity(), {v[0], v[1], v[2]}, second, second};
}

}  // namespace aleator::core
