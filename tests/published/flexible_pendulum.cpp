// The very flexible pendulum of Escalona, Hussien & Shabana (J. Sound Vib. 214, 1998) and Omar & Shabana (J. Sound Vib. 243, 2001): 1.2 m long, 0.2 × 0.009 m
// (A = 0.0018 m², I = 1.215e-8 m⁴), ρ = 5540 kg/m³, E = 0.7e6 N/m², falls from the horizontal under gravity. The papers show curves, not numbers; what is
// compared here are our two elements, which share nothing but the axis (shear-deformable beam and cable), and meshes.
#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::test {
namespace {

Result pendulum(const std::string& kind, int elements, const std::string& section = "height: 0.009, width: 0.2", const std::string& E = "0.7e6") {
  return run(R"(
plane: xy
gravity: [0, -9.81]
bodies:
  rod: {)" + kind + R"(: [[0, 0], [1.2, 0]], section: {rectangle: {)" + section + R"(}}, E: )" + E + R"(, nu: 0.3, density: 5540, elements: )" +
             std::to_string(elements) + R"(}
joints:
  pin: {revolute: [ground, rod], at: [0, 0]}
outputs:
  tip: {position: rod, at: [1.2, 0]}
  middle: {position: rod, at: [0.6, 0]}
  energy: {energy: all}
simulation: {duration: 1, output_step: 0.02, step: 1e-3}
)");
}

double distance(const Result& a, const Result& b, const std::string& point, double until) {
  const std::vector<double> ax = a.channel(point + ".x"), ay = a.channel(point + ".y"), bx = b.channel(point + ".x"), by = b.channel(point + ".y");
  double worst = 0;
  for (size_t k = 0; k < ax.size(); ++k)
    if (a.times[k] <= until + 1e-9) worst = std::max(worst, std::hypot(ax[k] - bx[k], ay[k] - by[k]));
  return worst;
}

TEST(FlexiblePendulum, meshes_and_elements_agree) {
  for (int v = 0; v < 2; ++v) {
  const auto pend = [&](const char* k, int n) { return v == 0 ? pendulum(k, n) : pendulum(k, n, "height: 0.0009, width: 2", "70e6"); };
  const Result cable16 = pend("cable", 16), cable32 = pend("cable", 32), beam16 = pend("beam", 16), beam32 = pend("beam", 32);
  for (const char* point : {"tip", "middle"}) {
    for (double until : {0.6, 1.0}) std::printf("%s %g: cc %g bb %g bc16 %g bc32 %g\n", point, until, distance(cable16, cable32, point, until),
                distance(beam16, beam32, point, until), distance(beam16, cable32, point, until), distance(beam32, cable32, point, until));
  }
  for (double t : {0.2, 0.4, 0.6, 0.8, 1.0}) std::printf("%g %g %g   %g %g   E %g %g\n", t, cable32.at("tip.x", t), cable32.at("tip.y", t), beam32.at("tip.x", t), beam32.at("tip.y", t), beam32.at("energy", t), cable32.at("energy", t));
  }
}

}  // namespace
}  // namespace aleator::test
