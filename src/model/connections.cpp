#include "model/connections.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "elements/point_load.hpp"
#include "model/drawn_frames.hpp"

namespace aleator::core {
namespace {

class Hanger {
 public:
  explicit Hanger(const Model& m) : topology_(m.topology), numbers_(m.nominal), frames_(drawn_frames(m.topology)) {}

  Connection joint(const JointRecord& j) const {
    Connection c{j.name, j.kind, true, {hook(j.marker_a), hook(j.marker_b)}};
    if (j.axis >= 0) set_axis(c, j.marker_a, j.axis);
    return c;
  }

  bool moves(int marker) const { return !on_ground(marker); }

  // The frame of the marker's body that is nearest to it.
  Hook hook(int marker) const {
    const Vec3<double> point = placed(marker).p;
    if (on_ground(marker)) return {-1, point};
    const int n = topology_.marker_nodal[marker];
    const int body = topology_.carriers[n >= 0 ? topology_.nodal[n].carrier[0] : topology_.marker_carrier[marker]].body;
    Hook best;
    double nearest = HUGE_VAL;
    for (size_t i = 0; i < frames_.size(); ++i) {
      if (frames_[i].body != body) continue;
      const Placed f = placed(frames_[i]);
      if (const double distance = norm(point - f.x); distance < nearest)
        nearest = distance, best = {int(i), transposed_times(f.R, point - f.x)};
    }
    return best;
  }

  Connection force(const ForceRecord& f) const {
    const GroupData& group = topology_.groups[f.group];
    MarkerPair m;
    group.kernel->marker_pairs(&group.topology[size_t(f.element) * size_t(group.kernel->topology_size)], &m);
    Connection c{f.name, f.kind, false};
    if (group.kernel != &point_load_kernel) c.hooks.push_back(hook(m.a));  // of a load the first marker only carries axes
    c.hooks.push_back(hook(m.b));
    if (f.has_coordinate && f.coordinate.kind == Coordinate::angle) {
      set_axis(c, m.a, 3 - f.coordinate.sine[0] - f.coordinate.sine[1]);  // the one that is in neither
      share_place(c, m);
    }
    return c;
  }

 private:
  bool on_ground(int marker) const { return topology_.marker_carrier[marker] == topology_.ground(); }

  // A marker in inertial axes, as drawn.
  MarkerFrame<double> placed(int marker) const {
    const double *q = numbers_.positions.data(), *v = numbers_.velocities.data();
    if (const int n = topology_.marker_nodal[marker]; n >= 0) {
      Directors<double> directors;
      Status<double> status;
      return nodal_frame(topology_.nodal[n], numbers_.nodal[n], q, v, directors, status);
    }
    if (on_ground(marker)) {
      MarkerFrame<double> m;
      m.p = numbers_.markers[marker].offset, m.R = numbers_.markers[marker].axes;
      return m;
    }
    const int c = topology_.marker_carrier[marker];
    return marker_frame(RigidBody::frame(q + 7 * c, v + 6 * c), numbers_.markers[marker]);
  }

  struct Placed {
    Vec3<double> x;
    Mat3<double> R;
  };
  Placed placed(const DrawnFrame& frame) const {
    const std::array<double, 7> p = frame_pose(topology_, frame, numbers_.positions.data());
    return {{p[0], p[1], p[2]}, rotation_matrix(Quaternion<double>{p[3], {p[4], p[5], p[6]}})};
  }

  void set_axis(Connection& c, int marker, int axis) const {
    const Vec3<double> a = placed(marker).R.column(axis);
    const int frame = c.hooks[0].frame;
    c.has_axis = true;
    c.axis = frame < 0 ? a : transposed_times(placed(frames_[size_t(frame)]).R, a);
  }

  // Where a torque acts on the ground does not matter: it is drawn where it acts on the other body.
  void share_place(Connection& c, const MarkerPair& m) const {
    if (on_ground(m.a)) c.hooks[0].point = placed(m.b).p;
    if (on_ground(m.b)) c.hooks[1].point = placed(m.a).p;
  }

  const Topology& topology_;
  const Parameters& numbers_;
  std::vector<DrawnFrame> frames_;
};

}  // namespace

std::vector<Connection> connections_of(const Model& m) {
  const Hanger hanger(m);
  std::vector<Connection> all;
  for (const JointRecord& j : m.topology.joints)
    if (j.marker_a >= 0 && j.marker_b >= 0) all.push_back(hanger.joint(j));
  for (const ForceRecord& f : m.topology.forces) all.push_back(hanger.force(f));
  return all;
}

std::vector<ObservedPoint> observed_points(const Model& m) {
  static const std::set<std::string, std::less<>> of_points = {"position", "displacement", "velocity", "acceleration"};
  const Hanger hanger(m);
  std::map<std::string, int, std::less<>> marker_of;  // of these outputs the first integer
  for (const Output& o : m.topology.outputs)
    if (!o.index.empty()) marker_of[o.name] = o.index[0];
  std::vector<ObservedPoint> all;
  for (const input::Item& item : m.description.section("outputs")) {
    const auto marker = marker_of.find(item.name);
    if (!of_points.contains(item.kind) || marker == marker_of.end() || !hanger.moves(marker->second)) continue;
    const Hook hook = hanger.hook(marker->second);
    const auto same = [&](const ObservedPoint& p) {
      return p.hook.frame == hook.frame && norm(p.hook.point - hook.point) <= 1e-12 * norm(hook.point);
    };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back({item.name, hook});
  }
  return all;
}

}  // namespace aleator::core
