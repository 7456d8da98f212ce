// A force or torque given as functions of time, at a marker b; its components are in the axes of marker a:
// an inertial marker for a fixed load, b itself for one that follows the body.
//   F = R_a f(t) or M = R_a f(t) on b.
#pragma once

#include "elements/kernel.hpp"

namespace aleator::core {

struct PointLoad {
  struct Topology {
    int axes, b;    // marker that carries the axes, marker that is loaded
    int torque;     // 0: force, 1: torque
    int signal[3];  // components
  };
  template <class T>
  struct Parameters {};
  static constexpr int pairs = 1;
  static constexpr bool is_force = true;
  static MarkerPair markers(const Topology& t) { return {t.axes, t.b}; }

  template <class T>
  ALEATOR_HD static Vec3<T> load(const Topology& t, const Evaluation<T>& e) {
    return e.marker[t.axes].R * Vec3<T>{e.signal[t.signal[0]].f, e.signal[t.signal[1]].f, e.signal[t.signal[2]].f};
  }
  template <class T>
  ALEATOR_HD static PairWrench<T> force(const Topology& t, const Parameters<T>&, const Evaluation<T>& e) {
    PairWrench<T> w;
    (t.torque != 0 ? w.b.M : w.b.F) = load(t, e);
    return w;
  }
  template <class T>
  ALEATOR_HD static void tangent(const Topology& t, const Parameters<T>& p, const Evaluation<T>& e, PairTangent<T>& d,
                                 PairWrench<T>& w) {
    w = force(t, p, e);
    d.K[t.torque != 0 ? 3 : 2][1] = -skew(load(t, e));  // the load turns with its axes
  }
  template <class T>
  ALEATOR_HD static T energy(const Topology&, const Parameters<T>&, const Evaluation<T>&) {
    return T(0);
  }
  template <class T>
  ALEATOR_HD static void power(const Topology& t, const Parameters<T>&, const Evaluation<T>& e, bool, Energies<T>& out) {
    const MarkerFrame<T>& b = e.marker[t.b];
    out.supply(dot(load(t, e), t.torque != 0 ? b.w : b.v));
  }
};

extern const Kernel point_load_kernel;

}  // namespace aleator::core
