// What the mechanisms have in common: from our numbers to Simbody's bodies, and from its states to our output times.
#pragma once

#include <Simbody.h>

#include <functional>
#include <memory>

#include "peers/simbody/mechanisms.hpp"

namespace simbody_peer {

inline SimTK::Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
// The frame of a body is at its centre of mass, parallel to inertial axes at t = 0. Planar bodies know one moment of inertia: it is
// taken for the other two as well, about which they never turn.
SimTK::Body::Rigid rigid(const BodyNumbers& b, bool planar = false);
// A point (inertial, t = 0) as a body sees it; no body: the ground.
SimTK::Vec3 local(const BodyNumbers* body, const SimTK::Vec3& point);
// A frame there, one of its axes (z for pins, x for sliders) along an inertial one.
SimTK::Transform frame(const BodyNumbers* body, const SimTK::Vec3& point, SimTK::CoordinateAxis own, SimTK::CoordinateAxis along);

// Steps through smooth pieces and hands every output time to `observe`, realized to accelerations.
struct Run {
  const SimTK::MultibodySystem& system;
  const Settings& settings;
  std::vector<double> kinks;                                   // inside ]0, duration[
  std::function<void(size_t k, const SimTK::State&)> observe;  // limits from the right at kinks
  std::function<void(size_t piece)> enter;                     // called when a piece begins, if there are several
  void go(SimTK::State state) const;
};

}  // namespace simbody_peer
