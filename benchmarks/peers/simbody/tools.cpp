#include "peers/simbody/tools.hpp"

#include <algorithm>
#include <cmath>
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

std::unique_ptr<Integrator> make_integrator(const MultibodySystem& system, const Settings& s, double piece) {
  std::unique_ptr<Integrator> out;
  if (s.integrator == "RungeKuttaMerson") out = std::make_unique<RungeKuttaMersonIntegrator>(system);
  if (s.integrator == "RungeKuttaFeldberg") out = std::make_unique<RungeKuttaFeldbergIntegrator>(system);
  if (s.integrator == "RungeKutta3") out = std::make_unique<RungeKutta3Integrator>(system);
  if (s.integrator == "RungeKutta2") out = std::make_unique<RungeKutta2Integrator>(system);
  if (s.integrator == "Verlet") out = std::make_unique<VerletIntegrator>(system);
  if (s.integrator == "Adams") out = std::make_unique<CPodesIntegrator>(system, CPodes::Adams);
  if (s.integrator == "BDF") out = std::make_unique<CPodesIntegrator>(system, CPodes::BDF);
  if (!out) throw std::runtime_error("Simbody has no integrator " + s.integrator);
  out->setAccuracy(s.step > 0 ? 0.99 : s.accuracy);  // equal steps: nothing may reject them
  // Its projection is not along the mass matrix and costs accuracy: so seldom as its default (a tenth of the accuracy) asks for it is
  // best; equal steps of Andrews' mechanism are more accurate without it.
  if (s.step > 0) {
    out->setConstraintTolerance(1e-3);
    out->setFixedStepSize(piece / std::ceil(piece / s.step * (1 - 1e-9)));
  }
  return out;
}

// Values at the steps of a smooth piece, and between them by the polynomial through the six nearest.
class Nodes {
 public:
  explicit Nodes(size_t channels) : channels_(channels) {}
  void clear() { times_.clear(), values_.clear(); }
  double* add(double t) {
    times_.push_back(t);
    values_.resize(values_.size() + channels_);
    return &values_[values_.size() - channels_];
  }
  void interpolate(double t, double* out) const {
    const size_t n = std::min<size_t>(6, times_.size());
    const size_t after = size_t(std::lower_bound(times_.begin(), times_.end(), t) - times_.begin());
    const size_t first = std::min(after > n / 2 ? after - n / 2 : 0, times_.size() - n);
    std::fill(out, out + channels_, 0.0);
    for (size_t i = first; i < first + n; ++i) {
      double weight = 1;
      for (size_t j = first; j < first + n; ++j)
        if (j != i) weight *= (t - times_[j]) / (times_[i] - times_[j]);
      for (size_t c = 0; c < channels_; ++c) out[c] += weight * values_[i * channels_ + c];
    }
  }

 private:
  size_t channels_;
  std::vector<double> times_, values_;
};

}  // namespace

std::vector<double> Run::go(State state) const {
  std::vector<double> ends = kinks;
  ends.push_back(settings.duration);
  const std::vector<double>& times = settings.times;
  const double close = 1e-9 * settings.duration;
  std::vector<double> out(times.size() * channels);
  Nodes nodes(channels);
  size_t k = 0;
  for (size_t piece = 0; piece < ends.size(); ++piece) {
    if (enter) enter(piece);
    state.invalidateAllCacheAtOrAbove(Stage::Time);
    system.realize(state, Stage::Time);
    system.prescribe(state);
    const double start = piece > 0 ? ends[piece - 1] : 0;
    const std::unique_ptr<Integrator> integrator = make_integrator(system, settings, ends[piece] - start);
    integrator->setFinalTime(ends[piece]);
    integrator->setReturnEveryInternalStep(true);
    integrator->initialize(state);

    nodes.clear();
    const auto record = [&] {
      const State& s = integrator->getAdvancedState();
      system.realize(s, Stage::Acceleration);
      observe(s, nodes.add(s.getTime()));
    };
    record();
    while (integrator->getAdvancedTime() < ends[piece] - close)
      if (integrator->stepTo(ends[piece]) != Integrator::StartOfContinuousInterval) record();
    state = integrator->getAdvancedState();

    const bool last = piece + 1 == ends.size();
    for (; k < times.size() && times[k] < ends[piece] + (last ? close : -close); ++k)
      nodes.interpolate(times[k], &out[k * channels]);
  }
  return out;
}

}  // namespace simbody_peer
