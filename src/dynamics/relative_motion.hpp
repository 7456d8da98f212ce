// The state of explicit methods where bodies hang on hinges, or are fixed to others (model/pass_relative.hpp). Of such a body it has, in the places of
// the first numbers of its carrier,
//   positions c = cos θ/2, s = sin θ/2,   velocity θ̇,
// its motion relative to its parent, and nothing else; other bodies are as in State. With the axis n, common to the markers A of the parent and B of
// the body,   R_B = R_A R_n(θ),   p_B = p_A,   ω_B = ω_A + θ̇ n,   ω̇_B = ω̇_A + θ̈ n + ω_A × θ̇ n.
// Joints of this kind are closed by construction: there is nothing to stabilise, and three numbers instead of thirteen go through the stages.
// A motion in these coordinates is called reduced below; one of whole bodies (six numbers per carrier, turns in body axes) is not.
#pragma once

#include "elements/frames.hpp"
#include "elements/rigid_body.hpp"
#include "model/pass_relative.hpp"

namespace aleator::core {

template <class T>
class RelativeMotion {
 public:
  explicit RelativeMotion(const Model& model) : joints_(find_relative(model)), place_(model.topology.carriers.size(), -1) {
    axis_.resize(joints_.size()), marker_.resize(joints_.size());
    for (size_t k = 0; k < joints_.size(); ++k) place_[joints_[k].carrier] = int(k);
  }

  bool any() const { return !joints_.empty(); }
  const std::vector<RelativeJoint>& joints() const { return joints_; }
  bool has(int carrier) const { return place_[carrier] >= 0; }
  int joint_of(int carrier) const { return place_[carrier]; }  // −1: none of these
  // Which numbers of a reduced state there are, of a carrier that it has.
  bool has_position(int i) const { return i % 7 < 2 && joints_[place_[i / 7]].axis >= 0; }
  bool has_velocity(int i) const { return i % 6 == 0 && joints_[place_[i / 6]].axis >= 0; }

  // Frames of these bodies from those of the others, then the axes of their markers.
  void place(const T* q, const T* v, const MarkerParameters<T>* parameters, BodyFrame<T>* frames);
  void turn_markers(MarkerFrame<T>* markers) const {
    for (size_t k = 0; k < joints_.size(); ++k) markers[joints_[k].at_child].R = marker_[k];
  }
  // After place: the axis of a joint, inertial axes.
  const Vec3<T>& axis(int joint) const { return axis_[joint]; }

  // Of a state: whole → reduced, in place.
  void reduce(const MarkerParameters<T>* parameters, T* q, T* v) const;
  // After place: reduced → whole, in place.
  void restore(const MarkerParameters<T>* parameters, const BodyFrame<T>* frames, T* q, T* v) const;
  // After place, whole → reduced, in place: velocities, accelerations or a correction.
  void reduce_motion(const BodyFrame<T>* frames, T* motion) const;
  // After place, reduced → whole, in place: small changes of velocities and, if there are any, of positions at the reduced ones q. Those of
  // quaternions are such that they have the size of the turn.
  void spread(const T* q, const MarkerFrame<T>* markers, const BodyFrame<T>* frames, T* dv, T* dq) const;

  // q̇, q moved by a small reduced step, and q normalised, of these bodies alone.
  void derivative(const T* q, const T* v, T* out) const;
  void move(const T* q, const T* step, T* out) const;
  void normalize(T* q) const;

 private:
  static void normalize(T& c, T& s);
  static Quaternion<T> conjugate(const Quaternion<T>& q) { return {q.w, -q.v}; }
  // Of a whole body; the ground does not turn.
  Quaternion<T> orientation(const T* q, int carrier) const {
    return carrier < int(place_.size()) ? RigidBody::orientation(q + 7 * carrier) : Quaternion<T>{};
  }

  std::vector<RelativeJoint> joints_;
  std::vector<int> place_;       // [carriers] index into joints_, −1
  std::vector<Vec3<T>> axis_;    // [joints] by place
  std::vector<Mat3<T>> marker_;  // [joints] axes of the marker of the child, by place
};

extern template class RelativeMotion<double>;
extern template class RelativeMotion<Traced>;
extern template class RelativeMotion<Dual>;

}  // namespace aleator::core
