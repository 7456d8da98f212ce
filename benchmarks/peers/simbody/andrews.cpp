#include "peers/simbody/tools.hpp"

namespace simbody_peer {

using namespace SimTK;

std::vector<double> andrews(const Input& in, const Settings& settings) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  const auto& b = in.bodies;  // K1 … K7
  enum { O, F, B, E23, E24, E26, G, H, A5, A7 };
  std::vector<Vec3> at;
  for (const auto& point : in.joints) at.push_back(vec(point));
  const auto pin = [&](MobilizedBody parent, const BodyNumbers* p, int joint, const BodyNumbers& body) {
    return MobilizedBody::Pin(parent, frame(p, at[joint], ZAxis, ZAxis), rigid(body, true),
                              frame(&body, at[joint], ZAxis, ZAxis));
  };
  MobilizedBody ground = matter.Ground();
  const MobilizedBody::Pin K1 = pin(ground, nullptr, O, b[0]), K2 = pin(K1, b.data(), F, b[1]),
                           K3 = pin(ground, nullptr, B, b[2]), K5 = pin(ground, nullptr, A5, b[4]),
                           K7 = pin(ground, nullptr, A7, b[6]), K4 = pin(K5, &b[4], G, b[3]), K6 = pin(K7, &b[6], H, b[5]);
  // The loops close at E: points of K3, K4 and K6 stay on a line of K2 along z, two equations each.
  MobilizedBody base = K2;
  const auto close_loop = [&](MobilizedBody follower, int body, int joint) {
    Constraint::PointOnLine(base, UnitVec3(0, 0, 1), local(&b[1], at[joint]), follower, local(&b[body], at[joint]));
  };
  close_loop(K3, 2, E23), close_loop(K4, 3, E24), close_loop(K6, 5, E26);

  // The spring from C to D of K3, whose place in K3 the parameters of the model do not change.
  const Vec3 C(0.014, 0.072, 0);
  const double gamma = 0.455279819163070;
  const Vec3 D(at[B] +
               Vec3(0.018 * std::sin(gamma) + 0.02 * std::cos(gamma), -0.018 * std::cos(gamma) + 0.02 * std::sin(gamma), 0));
  constexpr double stiffness = 4530, rest = 0.07785;
  Force::TwoPointLinearSpring(forces, ground, C, K3, local(&b[2], D), stiffness, rest);
  Force::MobilityConstantForce(forces, K1, 0, 0.033);
  const State state = system.realizeTopology();

  Run run{system, settings, 9, {}, {}, {}};
  run.observe = [&](const State& s, double* values) {
    values[0] = K1.getAngle(s);
    values[1] = K2.getAngle(s);
    values[2] = K3.getAngle(s);
    values[3] = K5.getAngle(s);
    values[4] = K7.getAngle(s);
    values[5] = K4.getAngle(s);
    values[6] = K6.getAngle(s);
    values[7] = K1.getRate(s);
    values[8] = stiffness * ((K3.findStationLocationInGround(s, local(&b[2], D)) - C).norm() - rest);
  };
  return run.go(state);
}

}  // namespace simbody_peer
