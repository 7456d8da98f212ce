// Impacts, friction and sudden loads with the default settings: steps are adapted to their error, whatever `step` says.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/choose.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A ball falls on a stop without damping.
std::string ball(const std::string& simulation, double stiffness = 1e7) {
  return "gravity: [0, 0, -9.81]\nbodies:\n  ball: {shape: {sphere: {radius: 0.01}}, mass: 1, at: [0, 0, 0.2]}\n"
         "joints:\n  guide: {prismatic: [ground, ball], axis: z, at: [0, 0, 0.2], stops: {lower: -0.2, stiffness: " +
         text(stiffness) + "}}\noutputs:\n  z: {position: ball, component: z}\n  E: {energy: all}\nsimulation: " + simulation +
         "\n";
}

double highest_after(const Result& r, double t) {
  double highest = -1;
  const std::vector<double> z = r.channel("z");
  for (size_t k = 0; k < z.size(); ++k)
    if (r.times[k] > t) highest = std::max(highest, z[k]);
  return highest;
}

// It falls for √(2 H/g) = 0.2019 s, rebounds within a millisecond, and is up again after as long.
TEST(Impacts, a_ball_rebounds_to_where_it_fell_from) {
  for (const double stiffness : {1e5, 1e7, 1e9}) {
    const Result r = run(ball("{duration: 0.5, step: 1e-3, output_step: 1e-3}", stiffness));
    // 10⁻⁶ of the speed in each of some hundred parts of steps, twice that in the height; and output times miss the top by ½ g (0.5 ms)²
    EXPECT_NEAR(highest_after(r, 0.25), 0.2, 0.2 * 2e-4 + 1.3e-6) << stiffness;
    EXPECT_NEAR(r.last("E"), r.at("E", 0), 2e-4 * r.at("E", 0)) << stiffness;
    EXPECT_GT(r.trajectory.adapted.reduced, 0);
    EXPECT_LT(r.trajectory.adapted.smallest, 1e-4);
  }
}

// A drive elsewhere in the model whose velocity jumps at 0.3033 s makes the steps before it a little shorter than a millisecond, so that output times are
// no multiples of them. What is recorded beside the impact is the motion nevertheless, not a polynomial through the nodes around it:
//   z = H − g t²/2 until t₁ = √(2H/g);  v = −v₁ cos ω(t − t₁) + O(g/ω) for π/ω = 1 ms;  then up again.
TEST(Impacts, output_times_beside_an_impact) {
  std::string text = ball("{duration: 0.45, step: 1e-3, output_step: 1e-3}");
  const auto insert = [&](const std::string& before, const std::string& what) { text.insert(text.find(before), what); };
  insert("joints:", "  cart: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [1, 0, 0]}\n");
  insert("outputs:",
         "  drive: {prismatic: [ground, cart], axis: x, at: [1, 0, 0], motion: {piecewise_linear: [[0, 0], [0.3033, 0.3033], "
         "[0.6, 0]]}}\n");
  insert("  z: {position", "  v: {velocity: ball, component: z}\n  x: {displacement: cart, component: x}\n");
  const Result r = run(text);
  const double g = 9.81, t1 = std::sqrt(0.4 / g), v1 = g * t1, omega = std::sqrt(1e7), t2 = t1 + M_PI / omega;
  const auto v = [&](double t) { return t < t1 ? -g * t : t < t2 ? -v1 * std::cos(omega * (t - t1)) : v1 - g * (t - t2); };
  // 10⁻⁶ of the speed in each of some hundred parts of steps, which is time, too: v₁ ω · 10⁻⁴/ω; and g/ω = 3e-3 m/s in the contact
  EXPECT_LT(largest_error(r, "v", v), 2e-4 * v1 + 2 * g / omega);
  EXPECT_LT(largest_error(r, "x", [](double t) { return t < 0.3033 ? t : 0.3033 * (0.6 - t) / (0.6 - 0.3033); }), 1e-12);
  EXPECT_EQ(r.trajectory.times.size(), 451u);
}

// Outputs ten times closer than the thousandth part of the duration: the force of a stop, F = −ω v₁ m sin ω(t − t₁), lasts 3 ms. It never
// pulls, and what rebounds has the energy it came with. (Interpolated between steps of 2 ms, the force was −180 N and the speed 2.2 m/s.)
TEST(Impacts, outputs_that_are_closer_than_default_steps) {
  std::string text = ball("{duration: 2, output_step: 1e-4}");
  text.insert(text.find("  z: {position"), "  v: {velocity: ball, component: z}\n");
  const Result r = run(text);
  double fastest = 0;
  for (const double v : r.channel("v")) fastest = std::max(fastest, std::abs(v));
  // 10⁻⁶ of the way in each of some thousand steps
  EXPECT_NEAR(fastest, std::sqrt(2 * 9.81 * 0.2), 2e-3);
}

// Steps are as long as given where nothing happens.
TEST(Impacts, free_fall_needs_no_reduction) {
  const Result r = run(ball("{duration: 0.15, step: 1e-3, output_step: 1e-3}"));
  EXPECT_EQ(r.trajectory.adapted.reduced, 0);
  EXPECT_EQ(r.trajectory.steps, 150);
}

// A kilogram at 1 m/s stops after v²/(2 F/m) = 0.05 m; regularised friction, tanh(v/v_c), lets it creep ∫(1/tanh − 1) further, which is
// of the order of m v_c²/F = 1e-7 m.
TEST(Impacts, friction_stops_a_mass_where_it_should) {
  const Result r =
      run("bodies:\n  m: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}\n"
          "joints:\n  guide: {prismatic: [ground, m], axis: x, friction: {force: 10}}\n"
          "outputs:\n  x: {position: m, component: x}\nsimulation: {duration: 0.2, step: 1e-3}\n");
  EXPECT_NEAR(r.last("x"), 0.05, 1e-6);  // creeping, and 10⁻⁶ of the speed in each step
}

// A steel cantilever of 50 elements, loaded at once by 10 N at its end. All modes have the mass ρAl/4 there:
//   y = −4P/(ρAl) Σ (1 − cos ωᵢt)/ωᵢ²,    ωᵢ = βᵢ² √(EI/(ρAl⁴)),  cos β cosh β = −1.
TEST(Impacts, a_sudden_load_on_a_fine_beam) {
  const Result r = run(
      "plane: xy\nbodies:\n  b: {beam: [[0, 0], [1, 0]], elements: 50, section: {rectangle: {height: 0.01, width: 0.01}}, "
      "E: 2.1e11, nu: 0.3, density: 7850}\njoints:\n  clamp: {fixed: [ground, b], at: [0, 0]}\n"
      "forces:\n  load: {force: b, at: [1, 0], value: [0, -10]}\noutputs:\n  tip: {displacement: b, at: [1, 0], component: y}\n"
      "simulation: {duration: 4e-3, step: 1e-3, output_step: 1e-3}\n");
  const double mass = 7850 * 1e-4, rate = std::sqrt(2.1e11 * 1e-8 / 12 / mass);
  double sum = 0;
  for (int i = 1; i <= 30; ++i) {
    const double beta = i == 1 ? 1.875104069 : i == 2 ? 4.694091133 : (i - 0.5) * M_PI, omega = beta * beta * rate;
    sum += (1 - std::cos(omega * 4e-3)) / (omega * omega);
  }
  // Shear and rotary inertia, which slow down short waves: (h/λ)², λ = l/3 for the third mode
  EXPECT_NEAR(r.last("tip"), -4 * 10 / mass * sum, 5e-3 * 4 * 10 / mass * sum);
}

// A spring so stiff that differences of accelerations are lost in round-off: ω = √(k/m).
TEST(Impacts, the_fastest_motion_of_very_stiff_springs) {
  for (const double stiffness : {1e8, 1e10, 1e12, 1e14}) {
    const Model m = model_from(
        "bodies:\n  mass: {shape: {box: [1, 1, 1]}, mass: 2}\njoints:\n  guide: {prismatic: [ground, mass], axis: x}\n"
        "forces:\n  spring: {spring_damper: [ground, mass], points: [[-3, 0, 0], [0, 0, 0]], stiffness: " +
        text(stiffness) + "}\nsimulation: {duration: 1}\n");
    EXPECT_NEAR(fastest_rate(m, m.nominal), std::sqrt(stiffness / 2), 1e-6 * std::sqrt(stiffness / 2)) << stiffness;
    EXPECT_EQ(choose(m, {}, {}, best_isa()).settings.integrator, "radau") << stiffness;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
