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

// Steps through smooth pieces. Outputs are taken at its steps and interpolated to output times, as ours are: to have Simbody report at
// output times is less work for the user, but takes more time than the integration where they are close (five-body: 26 ms instead of 6).
struct Run {
  const SimTK::MultibodySystem& system;
  const Settings& settings;
  size_t channels;
  std::vector<double> kinks;                                         // inside ]0, duration[
  std::function<void(const SimTK::State&, double* values)> observe;  // of a state realized to accelerations
  std::function<void(size_t piece)> enter;                           // called when a piece begins, if there are several
  std::vector<double> go(SimTK::State state) const;                  // [times][channels]; limits from the right at kinks
};

}  // namespace simbody_peer
