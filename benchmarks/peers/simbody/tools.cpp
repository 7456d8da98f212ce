#include "peers/simbody/tools.hpp"

#include <algorithm>
#include <stdexcept>

namespace simbody_peer {

using namespace SimTK;

Body::Rigid rigid(const BodyNumbers& b, bool planar) {
  const auto& J = b.inertia;
  const Inertia inertia = planar ? Inertia(J[2], J[2], J[2]) : Inertia(J[0], J[1], J[2], J[3], J[4], J[5]);
  return Body::Rigid(MassProperties(b.mass, Vec3(0), inertia));
}

Vec3 local(const BodyNumbers* body, const Vec3& point) { return body ? point - vec(body->center_of_mass) : point; }

Transform frame(const BodyNumbers* body, const Vec3& point, CoordinateAxis own, CoordinateAxis along) {
  return Transform(own == along ? Rotation() : Rotation(UnitVec3(along), own), local(body, point));
}

namespace {

std::unique_ptr<Integrator> make_integrator(const MultibodySystem& system, const Settings& s) {
  std::unique_ptr<Integrator> out;
  if (s.integrator == "RungeKuttaMerson") out = std::make_unique<RungeKuttaMersonIntegrator>(system);
  if (s.integrator == "RungeKuttaFeldberg") out = std::make_unique<RungeKuttaFeldbergIntegrator>(system);
  if (s.integrator == "RungeKutta3") out = std::make_unique<RungeKutta3Integrator>(system);
  if (s.integrator == "RungeKutta2") out = std::make_unique<RungeKutta2Integrator>(system);
  if (s.integrator == "Verlet") out = std::make_unique<VerletIntegrator>(system);
  if (s.integrator == "Adams") out = std::make_unique<CPodesIntegrator>(system, CPodes::Adams);
  if (s.integrator == "BDF") out = std::make_unique<CPodesIntegrator>(system, CPodes::BDF);
  if (!out) throw std::runtime_error("Simbody has no integrator " + s.integrator);
  out->setAccuracy(s.accuracy);
  return out;
}

}  // namespace

void Run::go(State state) const {
  std::vector<double> ends = kinks;
  ends.push_back(settings.duration);
  const std::vector<double>& times = settings.times;
  const double close = 1e-9 * settings.duration;
  size_t k = 0;
  for (size_t piece = 0; piece < ends.size(); ++piece) {
    if (enter) enter(piece);
    state.invalidateAllCacheAtOrAbove(Stage::Time);
    system.realize(state, Stage::Time);
    system.prescribe(state);
    const std::unique_ptr<Integrator> integrator = make_integrator(system, settings);
    integrator->setFinalTime(ends[piece]);
    integrator->initialize(state);
    const bool last = piece + 1 == ends.size();
    for (; k < times.size() && times[k] < ends[piece] + (last ? close : -close); ++k) {
      const double t = std::min(times[k], ends[piece]);
      while (integrator->getTime() < t - close) integrator->stepTo(t);
      system.realize(integrator->getState(), Stage::Acceleration);
      observe(k, integrator->getState());
    }
    while (!last && integrator->getTime() < ends[piece] - close) integrator->stepTo(ends[piece]);
    state = integrator->getAdvancedState();
  }
}

}  // namespace simbody_peer
