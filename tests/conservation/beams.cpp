// Flexible bodies over many vibrations: are energy, momentum and angular momentum kept without damping; what does damping take away,
// and what does it leave alone?
#include <gtest/gtest.h>

#include "dynamics/simulate.hpp"
#include "support/statics_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Soft and thick, so that explicit steps of 1e-4 s resolve the fastest motion, that of the directors: √(12 E/ρ)/height = 2e3 rad/s.
std::string rubber(const std::string& points, const std::string& more) {
  return "{beam: " + points + ", section: {rectangle: {height: 0.06, width: 0.05}}, E: 1e6, nu: 0.3, density: 1000" + more + "}";
}
// A beam, a cable and a lump in free flight, in space: the lump is off the axis, so that the beam bends and twists.
const std::string flight = R"(
bodies:
  rod: )" + rubber("[[0, 0, 0], [1, 0, 0]]", ", elements: 3, velocity: [0.2, 0.1, -0.3], angular_velocity: [0.5, 2, 3]") +
                           R"(
  lump: {mass: 0.5, inertia: {xx: 2e-3, yy: 3e-3, zz: 4e-3, xy: 1e-4}, at: [1, 0.1, 0.05], velocity: [0.2, 0.1, -0.3], angular_velocity: [0.5, 2, 3]}
  tail: {cable: [[0, 0, 0], [-0.5, 0.1, 0]], section: {circle: {radius: 0.03}}, E: 1e6, nu: 0.3, density: 1000, elements: 2, velocity: [0.2, 0.1, -0.3]}
joints:
  hold: {fixed: [rod, lump], at: [1, 0, 0]}
  ball: {spherical: [rod, tail], at: [0, 0, 0]}
outputs:
  energy: {energy: all}
simulation: {duration: 1, step: 1e-4, output_step: 0.01}
)";
// A flexible pendulum that falls from the horizontal, in the plane.
const std::string pendulum = R"(
plane: xy
gravity: [0, -9.81]
bodies:
  rod: )" + rubber("[[0, 0], [1, 0]]", ", elements: 4") +
                             R"(
joints:
  pin: {revolute: [ground, rod], at: [0, 0]}
outputs:
  energy: {energy: all}
  swing: {kinetic_energy: all}
simulation: {duration: 1, step: 1e-4, output_step: 0.01}
)";

// Generalized momenta P = M v add up: forces on places r to a force, and Σ e × P is the moment about the origin.
struct Momenta {
  Vec3<double> linear, angular;
};
Momenta momenta(Mechanism& m, const State<double>& s) {
  const Topology& t = m.model.topology;
  const size_t n = s.velocities.size();
  m.assembly.kinematics(s.t, Side::right, s.positions.data(), s.velocities.data(), s.turns.data());
  m.assembly.constrain();
  m.assembly.forces();
  std::vector<double> with(n), without(n), zero(std::max<size_t>(n, s.lambda.size()));
  m.assembly.residual(s.velocities.data(), zero.data(), with.data());
  m.assembly.residual(zero.data(), zero.data(), without.data());
  Momenta out;
  for (int c = 0; c < t.ground(); ++c) {
    const double* q = &s.positions[7 * c];
    const auto P = [&](int half) {
      Vec3<double> p;
      for (int i = 0; i < 3; ++i) p[i] = with[6 * c + 3 * half + i] - without[6 * c + 3 * half + i];
      return p;
    };
    const Vec3<double> first = P(0), second = P(1);
    if (c < t.rigid || t.carriers[c].is_place) out.linear += first;
    out.angular += cross({q[0], q[1], q[2]}, first) + (c < t.rigid ? second : cross({q[3], q[4], q[5]}, second));
  }
  return out;
}

struct Change3 {
  double linear, angular, energy;  // at the end, relative to the beginning
};
Change3 change_after(const std::string& text_of, const Change& how) {
  Mechanism m(text_of);
  Settings settings = m.model.settings;
  settings.integrator = how.integrator.value_or("generalized-alpha");
  settings.step = how.step.value_or(settings.step);
  settings.rho = how.rho.value_or(settings.rho);
  const Momenta before = momenta(m, m.start);
  const Trajectory way = simulate(m.assembly, m.start, settings);
  const Momenta after = momenta(m, way.final_state);
  return {norm(after.linear - before.linear) / norm(before.linear), norm(after.angular - before.angular) / norm(before.angular),
          m.output(way.final_state, "energy") / m.output(m.start, "energy") - 1};
}

// Linear momentum is kept by any linear method: round-off. Angular momentum and energy to the order of the method; what is fast
// against the step loses energy at order 5.
TEST(BeamsConserve, momentum_and_energy_in_free_flight_by_runge_kutta) {
  const Change3 coarse = change_after(flight, {.integrator = "runge-kutta", .step = 2e-4}),
                fine = change_after(flight, {.integrator = "runge-kutta", .step = 1e-4});
  EXPECT_LT(std::max(coarse.linear, fine.linear), 1e-13);
  EXPECT_GT(std::log2(coarse.angular / fine.angular), 3.7);
  EXPECT_GT(std::log2(coarse.energy / fine.energy), 3.7);
  EXPECT_LT(fine.angular, 5e-11);          // 1.5e-11, truncation
  EXPECT_LT(std::abs(fine.energy), 4e-6);  // 1.2e-6
}
TEST(BeamsConserve, momentum_and_energy_in_free_flight_by_generalized_alpha) {
  for (const double rho : {1.0, 0.95}) {
    const Change3 coarse = change_after(flight, {.step = 1e-3, .rho = rho}),
                  fine = change_after(flight, {.step = 2.5e-4, .rho = rho});
    EXPECT_LT(std::max(coarse.linear, fine.linear), 1e-13);
    EXPECT_LT(fine.angular, 8e-7);           // 2.7e-7, order h²; it vibrates, so no order is read from two values at the end
    EXPECT_LT(std::abs(fine.energy), 1e-4);  // 3e-5
    EXPECT_LT(fine.angular, 0.3 * coarse.angular);
    EXPECT_LT(std::abs(fine.energy), 0.3 * std::abs(coarse.energy));
  }
}

double largest_change(const Result& r, const std::string& name) {
  double worst = 0;
  const std::vector<double> E = r.channel(name);
  for (const double e : E) worst = std::max(worst, std::abs(e - E[0]));
  return worst;
}

// 14 J are exchanged.
TEST(BeamsConserve, energy_of_a_flexible_pendulum) {
  const Model m = model_from(pendulum);
  const auto change = [&](const std::string& integrator, double h, double rho) {
    return largest_change(run(m, {.integrator = integrator, .step = h, .rho = rho}), "energy");
  };
  const double rk_coarse = change("runge-kutta", 4e-4, 1), rk_fine = change("runge-kutta", 2e-4, 1);
  EXPECT_NEAR(std::log2(rk_coarse / rk_fine), 4, 0.2);
  EXPECT_LT(rk_fine, 2e-9);  // 5.7e-10 J, truncation
  for (const double rho : {1.0, 0.95}) {
    const double coarse = change("generalized-alpha", 2e-3, rho), fine = change("generalized-alpha", 1e-3, rho);
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1) << rho;
    EXPECT_LT(fine, 1e-3) << rho;  // 3.2e-4 J, truncation
  }
}

// --- damping -----------------------------------------------------------------------------------------------------------------

// Kelvin–Voigt damping takes energy away at every moment, until the body turns as one; angular momentum is not its business, and
// neither is the rotation that remains.
TEST(BeamsConserve, internal_damping_leaves_rigid_rotation_alone) {
  const std::string text_of = R"(
bodies:
  rod: )" + rubber("[[0, 0, 0], [1, 0, 0]]", ", elements: 3, angular_velocity: [0, 0, 3], damping: {stiffness: 0.05}") +
                              R"(
outputs:
  energy: {energy: all}
  kinetic: {kinetic_energy: all}
  left: {position: rod, at: [0, 0, 0]}
  right: {position: rod, at: [1, 0, 0]}
  turning: {angular_velocity: rod, at: [0, 0, 0], component: z}
  turning_right: {angular_velocity: rod, at: [1, 0, 0], component: z}
simulation: {duration: 4, step: 1e-3, output_step: 0.01}
)";
  const Result r = run(text_of);
  const std::vector<double> E = r.channel("energy");
  const double start = E[0];
  // Truncation of the method shows as 2e-6 of the energy of the vibration.
  for (size_t k = 1; k < E.size(); ++k) EXPECT_LT(E[k] - E[k - 1], 1e-8 * start) << r.times[k];
  EXPECT_LT(E.back(), start * (1 - 1e-5)) << "something was taken";
  EXPECT_NEAR(E[200], E[400], 1e-9 * start) << "and then no more";
  EXPECT_NEAR(r.at("turning", 2), r.at("turning", 4), 1e-7);
  EXPECT_NEAR(r.at("turning", 4), r.at("turning_right", 4), 1e-6);
  // Stretched to an ellipse of inertia: L = J ω is kept while J grows, so that ω falls by the stretch, ρ ω² L²/E about 1e-3 of it.
  const double omega = r.at("turning", 4);
  EXPECT_LT(omega, 3);
  EXPECT_GT(omega, 3 * (1 - 2e-2));
  EXPECT_GT(std::hypot(r.at("right.x", 4) - r.at("left.x", 4), r.at("right.y", 4) - r.at("left.y", 4)), 1 + 1e-4);
  EXPECT_LT(change_after(text_of, {}).angular, 1e-5);
}

// M v̇ = −α M v: everything slows down at the same rate, whatever the shape of the motion.
TEST(BeamsConserve, mass_proportional_damping_slows_free_flight) {
  const double alpha = 0.7;
  for (const std::string kind : {"beam", "cable"}) {
    const Result r = run(
        R"(
bodies:
  rod: {)" +
        kind +
        R"(: [[0, 0, 0], [1, 0.2, 0]], section: {circle: {radius: 0.03}}, E: 1e6, nu: 0.3, density: 1000, elements: 2, velocity: [2, -1, 0.5],
        damping: {mass: 0.7}}
outputs:
  speed: {velocity: rod, at: [1, 0.2, 0]}
  middle: {velocity: rod, at: [0.5, 0.1, 0]}
simulation: {duration: 2, integrator: runge-kutta, step: 2.5e-4, output_step: 0.1}
)");
    const auto slowed = [&](double v) { return [=](double t) { return v * std::exp(-alpha * t); }; };
    for (const char* point : {"speed", "middle"}) {  // order h⁴, and round-off of stiff forces
      EXPECT_LT(largest_error(r, std::string(point) + ".x", slowed(2)), 1e-10) << kind;
      EXPECT_LT(largest_error(r, std::string(point) + ".y", slowed(-1)), 1e-10) << kind;
      EXPECT_LT(largest_error(r, std::string(point) + ".z", slowed(0.5)), 1e-10) << kind;
    }
  }
}

// Both together are Rayleigh's damping: a mode of ω has the ratio α/2ω + τ ω/2. About an unstressed shape this is exact; round-off of
// eigenvalues whose squares span ten decades.
TEST(BeamsConserve, damping_ratio_of_modes) {
  const double tau = 2e-5, alpha = 3;
  for (const std::string kind : {"beam", "cable"})
    for (const bool planar : {true, false}) {
      if (kind == "cable" && !planar) continue;  // in space a straight cable has no damping of bending: ancf_cable.hpp
      const std::string zero = planar ? "" : ", 0";
      Mechanism m((planar ? "plane: xy\n" : "\n") + ("bodies:\n  rod: {" + kind) + ": [[0, 0" + zero + "], [1, 0" + zero +
                  "]], section: {rectangle: {height: 0.02, width: 0.01}}, material: steel, elements: 3, damping: {stiffness: "
                  "2e-5, mass: 3}}\n" +
                  "joints:\n  pin: {spherical: [ground, rod], at: [0, 0" + zero +
                  "]}\n  end: {spherical: [ground, rod], at: [1, 0" + zero + "]}\nsimulation: {duration: 1}\n");
      int seen = 0;
      for (const Mode& mode : modes(m.assembly, m.start)) {
        if (!mode.oscillating) continue;
        const double omega = 2 * std::acos(-1.0) * mode.frequency;
        EXPECT_NEAR(mode.damping_ratio, alpha / (2 * omega) + tau * omega / 2, 1e-6 * mode.damping_ratio)
            << kind << planar << " " << omega;
        ++seen;
      }
      EXPECT_GE(seen, planar ? 4 : 6);
    }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
