#include "dynamics/relative_motion.hpp"

#include <algorithm>

namespace aleator::core {

template <class T>
void RelativeMotion<T>::place(const T* q, const T* v, const MarkerParameters<T>* parameters, BodyFrame<T>* frames) {
  for (size_t k = 0; k < joints_.size(); ++k) {
    const RelativeJoint& j = joints_[k];
    const MarkerFrame<T> A = marker_frame(frames[j.parent], parameters[j.at_parent]);
    Mat3<T> R = A.R;
    Vec3<T> w = A.w;
    if (j.axis >= 0) {
      const T c = q[7 * j.carrier], s = q[7 * j.carrier + 1];
      const T cosine = c * c - s * s, sine = T(2) * c * s;
      const int n = j.axis, x = (n + 1) % 3, y = (n + 2) % 3;
      for (int i = 0; i < 3; ++i) {
        R[i][x] = cosine * A.R[i][x] + sine * A.R[i][y];
        R[i][y] = cosine * A.R[i][y] - sine * A.R[i][x];
      }
      axis_[k] = A.R.column(n);
      w += v[6 * j.carrier] * axis_[k];
    }
    marker_[k] = R;
    const MarkerParameters<T>& own = parameters[j.at_child];
    BodyFrame<T>& f = frames[j.carrier];
    f.R = R * transpose(own.axes);
    const Vec3<T> arm = f.R * own.offset;
    f.x = A.p - arm;
    f.v = A.v - cross(w, arm);
    f.w = w;
    f.omega = transposed_times(f.R, w);
  }
}

template <class T>
void RelativeMotion<T>::reduce(const MarkerParameters<T>* parameters, T* q, T* v) const {
  // From the last on: parents are still whole.
  for (size_t k = joints_.size(); k-- > 0;) {
    const RelativeJoint& j = joints_[k];
    T *const position = q + 7 * j.carrier, *const velocity = v + 6 * j.carrier;
    const bool on_ground = j.parent >= int(place_.size());
    const Quaternion<T> parent = orientation(q, j.parent), child = RigidBody::orientation(position);
    const Mat3<T>&A = parameters[j.at_parent].axes, &B = parameters[j.at_child].axes;
    T c(0), s(0), rate(0);
    if (j.axis >= 0) {
      const Quaternion<T> turn = conjugate(parent * quaternion_of(A)) * (child * quaternion_of(B));
      const T scale = T(1) / sqrt(turn.w * turn.w + turn.v[j.axis] * turn.v[j.axis]);
      c = scale * turn.w, s = scale * turn.v[j.axis];
      // ω_B − ω_A along the axis, each where it is constant: n is a column of the axes of both
      rate = dot(B.column(j.axis), Vec3<T>{velocity[3], velocity[4], velocity[5]});
      if (!on_ground) {
        const T* const u = v + 6 * j.parent;
        rate -= dot(A.column(j.axis), Vec3<T>{u[3], u[4], u[5]});
      }
    }
    std::fill_n(position, 7, T(0)), std::fill_n(velocity, 6, T(0));
    position[0] = c, position[1] = s, velocity[0] = rate;
  }
}

template <class T>
void RelativeMotion<T>::restore(const MarkerParameters<T>* parameters, const BodyFrame<T>* frames, T* q, T* v) const {
  for (const RelativeJoint& j : joints_) {
    T *const position = q + 7 * j.carrier, *const velocity = v + 6 * j.carrier;
    Quaternion<T> turn;
    if (j.axis >= 0) turn.w = position[0], turn.v[j.axis] = position[1];
    const Quaternion<T> now = normalized(orientation(q, j.parent) * quaternion_of(parameters[j.at_parent].axes) * turn *
                                         conjugate(quaternion_of(parameters[j.at_child].axes)));
    const BodyFrame<T>& f = frames[j.carrier];
    position[3] = now.w;
    for (int i = 0; i < 3; ++i) {
      position[i] = f.x[i], position[4 + i] = now.v[i];
      velocity[i] = f.v[i], velocity[3 + i] = f.omega[i];
    }
  }
}

template <class T>
void RelativeMotion<T>::reduce_motion(const BodyFrame<T>* frames, T* motion) const {
  const auto turn = [&](int c) {
    return c < int(place_.size()) ? frames[c].R * Vec3<T>{motion[6 * c + 3], motion[6 * c + 4], motion[6 * c + 5]} : Vec3<T>{};
  };
  for (size_t k = joints_.size(); k-- > 0;) {
    const RelativeJoint& j = joints_[k];
    const T rate = j.axis >= 0 ? dot(axis_[k], turn(j.carrier) - turn(j.parent)) : T(0);
    std::fill_n(motion + 6 * j.carrier, 6, T(0));
    motion[6 * j.carrier] = rate;
  }
}

template <class T>
void RelativeMotion<T>::spread(const T* q, const MarkerFrame<T>* markers, const BodyFrame<T>* frames, T* dv, T* dq) const {
  struct Small {
    Vec3<T> move, turn;  // inertial axes
  };
  const auto vector = [](const T* x) { return Vec3<T>{x[0], x[1], x[2]}; };
  const auto beyond = [&](const RelativeJoint& j, size_t k, const Small& parent, const T& rate) {
    Small out = parent;
    if (j.axis >= 0) out.turn += rate * axis_[k];
    out.move += cross(parent.turn, markers[j.at_parent].arm) - cross(out.turn, markers[j.at_child].arm);
    return out;
  };
  for (size_t k = 0; k < joints_.size(); ++k) {
    const RelativeJoint& j = joints_[k];
    Small velocity, position;  // of the parent
    if (j.parent < int(place_.size())) {
      velocity = {vector(dv + 6 * j.parent), frames[j.parent].R * vector(dv + 6 * j.parent + 3)};
      if (dq) {
        const T* const p = dq + 7 * j.parent;
        position.move = vector(p);
        const Quaternion<T> change{p[3], vector(p + 4)};
        // a body that has been spread has its turn there, another one the change of its quaternion: δφ = 2 δq q⁻¹
        position.turn = T(2) * (has(j.parent) ? change.v : (change * conjugate(RigidBody::orientation(q + 7 * j.parent))).v);
      }
    }
    const T rate = dv[6 * j.carrier];
    const Small v = beyond(j, k, velocity, rate);
    if (dq) {
      const T *const from = q + 7 * j.carrier, *const change = dq + 7 * j.carrier;
      const T angle = T(2) * (from[0] * change[1] - from[1] * change[0]);
      const Small p = beyond(j, k, position, angle);
      T* const to = dq + 7 * j.carrier;
      to[3] = T(0);
      for (int i = 0; i < 3; ++i) to[i] = p.move[i], to[4 + i] = T(0.5) * p.turn[i];
    }
    const Vec3<T> turn = transposed_times(frames[j.carrier].R, v.turn);
    for (int i = 0; i < 3; ++i) dv[6 * j.carrier + i] = v.move[i], dv[6 * j.carrier + 3 + i] = turn[i];
  }
}

template <class T>
void RelativeMotion<T>::derivative(const T* q, const T* v, T* out) const {
  for (const RelativeJoint& j : joints_) {
    const T *const x = q + 7 * j.carrier, half = T(0.5) * v[6 * j.carrier];
    T* const to = out + 7 * j.carrier;
    const T c = -(half * x[1]), s = half * x[0];
    std::fill_n(to, 7, T(0));
    to[0] = c, to[1] = s;
  }
}

template <class T>
void RelativeMotion<T>::move(const T* q, const T* step, T* out) const {
  for (const RelativeJoint& j : joints_) {
    const T c = q[7 * j.carrier], s = q[7 * j.carrier + 1], half = T(0.5) * step[6 * j.carrier];
    T* const to = out + 7 * j.carrier;
    to[0] = c - half * s, to[1] = s + half * c;  // tan of the half angle, up to its cube: a correction is small
    if (j.axis >= 0) normalize(to[0], to[1]);
  }
}

// 1/√n by its series about n = 1: what is left of n − 1, the error of a step, is its fourth power.
template <class T>
void RelativeMotion<T>::normalize(T& c, T& s) {
  const T e = c * c + s * s - T(1);
  const T scale = T(1) - e * (T(0.5) - e * (T(0.375) - e * T(0.3125)));
  c = scale * c, s = scale * s;
}

template <class T>
void RelativeMotion<T>::normalize(T* q) const {
  for (const RelativeJoint& j : joints_)
    if (j.axis >= 0) normalize(q[7 * j.carrier], q[7 * j.carrier + 1]);
}

template class RelativeMotion<double>;
template class RelativeMotion<Traced>;
template class RelativeMotion<Dual>;

}  // namespace aleator::core
