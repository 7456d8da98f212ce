#include "peers/simbody_peers.hpp"

#include <fmt/format.h>

#include <map>

#include "dynamics/recorder.hpp"
#include "numerics/rotation.hpp"
#include "peers/simbody/mechanisms.hpp"

namespace aleator::core::bench {

namespace {

simbody_peer::Input numbers_of_row(const Case& c, long row) {
  const std::vector<Override> overrides = c.random->overrides(c.random->sample(c.seed, std::uint64_t(row)));
  simbody_peer::Input out;
  for (const BodyProperties& b : realize_bodies(c.model, overrides)) {
    const Vec3<double>& x = b.center_of_mass;
    const Mat3<double>& J = b.inertia;
    out.bodies.push_back({b.mass, {x.x, x.y, x.z}, {J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]}});
  }
  const Parameters numbers = realize(c.model, overrides);
  for (const JointRecord& j : c.model.topology.joints) {  // seen from the second body, which is never the ground
    const double* q = &numbers.positions[size_t(7) * c.model.topology.marker_carrier[j.marker_b]];
    const Vec3<double> p = Vec3<double>{q[0], q[1], q[2]} +
                           rotation_matrix(Quaternion<double>{q[3], {q[4], q[5], q[6]}}) * numbers.markers[j.marker_b].offset;
    out.joints.push_back({p.x, p.y, p.z});
  }
  return out;
}

}  // namespace

Contender simbody_contender(const Case& c, const std::string& integrator, double accuracy, double step) {
  const auto simulate = c.name == "five-body"        ? simbody_peer::five_body
                        : c.name == "andrews-random" ? simbody_peer::andrews
                                                     : simbody_peer::chain;
  const Settings& s = c.model.settings;
  const simbody_peer::Settings settings{integrator, accuracy, step, s.duration, output_times(s.duration, s.output_step)};
  // Drawn in the first run, which is not measured.
  auto inputs = std::make_shared<std::map<long, simbody_peer::Input>>();
  return {[=, &c](long first, long count, std::vector<Response>& out) {
            for (long i = 0; i < count; ++i) {
              const long row = first + i;
              if (!inputs->contains(row)) inputs->emplace(row, numbers_of_row(c, row));
              try {
                out[i] = {true, "", simulate(inputs->at(row), settings)};
              } catch (const std::exception& e) {
                out[i] = {false, e.what(), {}};
              }
            }
          },
          step > 0 ? fmt::format("{}, h = {:.3g}", integrator, step) : fmt::format("{}, accuracy {:.3g}", integrator, accuracy)};
}

}  // namespace aleator::core::bench
