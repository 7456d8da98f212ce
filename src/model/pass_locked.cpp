#include "model/pass_locked.hpp"

#include <algorithm>
#include <cmath>

#include "elements/locked_directions.hpp"

namespace aleator::core {

namespace {

// The inertial axis an axis of the ground marker is parallel to, −1 if none.
int inertial_axis(const Mat3<double>& axes, int i) {
  const Vec3<double> a = axes.column(i);
  for (int k = 0; k < 3; ++k)
    if (std::abs(a[k]) > 1 - 1e-14) return k;
  return -1;
}

void lock_joint(const Topology& t, const Parameters& n, const LockedDirections::Topology& e, Structure& s) {
  const int a = t.marker_carrier[e.a], b = t.marker_carrier[e.b];
  if (a < 0 || b < 0) return;
  if (a != t.ground() && b != t.ground()) return;
  const int body = a == t.ground() ? b : a;
  const bool turns_locked = e.rotations == (t.normal >= 0 ? 1 : 3) && e.turns_a + e.turns_b == 0;
  if (!turns_locked) return;

  for (int i = 3; i < 6; ++i) s.dof[6 * body + i] = -1;
  for (int k = 0; k < e.rotations; ++k) s.row_active[e.row + e.translations + k] = 0;
  const Mat3<double>& axes = n.markers[a == t.ground() ? e.a : e.b].axes;
  for (int k = 0; k < e.translations; ++k) {
    const int axis = e.coincident ? e.axis[k] : inertial_axis(axes, e.axis[k]);
    if (e.signal[k] >= 0 || axis < 0) continue;
    s.dof[6 * body + axis] = -1;
    s.row_active[e.row + k] = 0;
  }
}

}  // namespace

void lock_unmoved(const Topology& t, const Parameters& n, Structure& s) {
  for (const GroupData& g : t.groups) {
    if (g.kernel != &locked_directions_kernel) continue;
    for (int i = 0; i < g.count; ++i) {
      const auto& e = reinterpret_cast<const LockedDirections::Topology*>(g.topology.data())[i];
      const bool observed = std::any_of(t.outputs.begin(), t.outputs.end(),
                                        [&](const Output& o) { return o.joint >= 0 && t.joints[o.joint].row == e.row; });
      if (!observed) lock_joint(t, n, e, s);
    }
  }
}

}  // namespace aleator::core
