#include "peers/simbody/tools.hpp"

namespace simbody_peer {

using namespace SimTK;

std::vector<double> chain(const Input& in, const Settings& settings) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, Vec3(3.924, 2.943, -8.496));
  const size_t n = in.bodies.size();
  std::vector<MobilizedBody::Pin> rods;
  MobilizedBody parent = matter.Ground();
  for (size_t i = 0; i < n; ++i) {
    const CoordinateAxis axis = i % 2 ? CoordinateAxis(XAxis) : CoordinateAxis(YAxis);
    rods.emplace_back(parent, frame(i ? &in.bodies[i - 1] : nullptr, vec(in.joints[i]), ZAxis, axis), rigid(in.bodies[i]),
                      frame(&in.bodies[i], vec(in.joints[i]), ZAxis, axis));
    parent = rods.back();
  }
  const State state = system.realizeTopology();

  const Vec3 tip(0, 0, -0.1 * double(n)), middle(0, 0, -0.1 * double(n / 2));
  const Vec3 tip_of_rod = local(&in.bodies[n - 1], tip), middle_of_rod = local(&in.bodies[n / 2], middle);
  Run run{system, settings, 5, {}, {}, {}};
  run.observe = [&](const State& s, double* values) {
    const Vec3 moved = rods[n - 1].findStationLocationInGround(s, tip_of_rod) - tip;
    for (int i = 0; i < 3; ++i) values[i] = moved[i];
    values[3] = rods[n / 2].findStationVelocityInGround(s, middle_of_rod)[0];
    values[4] = rods[0].getAngle(s);
  };
  return run.go(state);
}

}  // namespace simbody_peer
