// Modes about loads and steady rotations against closed forms and published numbers, their pairing with nominal ones, sparse against dense.
#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/modal.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"
#include "support/turning_beam.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const double pi = std::acos(-1.0);

std::vector<Mode> modes_of(const Model& m, const std::vector<Override>& overrides, const ModalRequest& request) {
  const Parameters numbers = realize(m, overrides);
  const Realization<double> r = make_realization<double>(m, std::span(&numbers, 1));
  Assembly<double> a(m, r);
  return find_modes(a, request).modes;
}
// In rad/s, of those that vibrate.
std::vector<double> speeds(const std::vector<Mode>& modes) {
  std::vector<double> out;
  for (const Mode& m : modes)
    if (m.oscillating) out.push_back(2 * pi * m.frequency);
  return out;
}
double nearest(const std::vector<double>& all, double to) {
  double best = HUGE_VAL;
  for (const double x : all)
    if (std::abs(x - to) < std::abs(best - to)) best = x;
  return best;
}

// A slender beam between a hinge and a slide, pressed with P along its axis: ω² = (π/L)⁴ EI/m (1 − P/P_E), P_E = π² EI/L².
const std::string column = R"(
plane: xy
parameters: {E: 2e11, P: 0}
bodies: {column: {cable: [[0, 0], [2, 0]], elements: 12, section: {rectangle: {height: 0.01, width: 0.02}}, E: E, nu: 0.3, density: 7800}}
joints:
  foot: {revolute: [ground, column], at: [0, 0]}
  head: {point_on_line: [ground, column], axis: x, at: [2, 0]}
forces: {press: {force: column, at: [2, 0], value: [-P, 0]}}
simulation: {duration: 1}
)";
TEST(ModesOfRealizations, of_a_column_fall_with_its_load) {
  const Model m = model_from(column);
  const double area = 0.01 * 0.02, second = 0.02 * 1e-6 / 12, L = 2, mass = 7800 * area;
  for (const double E : {1.5e11, 2e11, 2.7e11}) {
    const double euler = pi * pi * E * second / (L * L), free = std::pow(pi / L, 4) * E * second / mass;
    for (const double part : {0.0, 0.3, 0.6, 0.9, 0.99}) {
      const std::vector<double> w = speeds(modes_of(m, {{"E", E}, {"P", part * euler}}, {.number = 3, .about = "equilibrium"}));
      // Elements of bending err by (π/12)⁴/720 = 7e-6; the strain of the axis at P_E, π² I/(A L²) = 2e-5, shortens it by as much: 2 of ω².
      // Both are parts of ω₀², of which little is left near P_E.
      EXPECT_NEAR(w[0] * w[0], free * (1 - part), 1e-4 * free) << E << " " << part;
    }
  }
}

// ω = √E c: of a lognormal E with σ the frequency is lognormal with σ/2; at any quantile ω(E_q) = ω_q.
TEST(ModesOfRealizations, of_a_column_follow_the_root_of_its_modulus) {
  const Model m = model_from(column), modal = modal_model(m, {.number = 2});
  ASSERT_EQ(modal.channels.size(), 4u);
  EXPECT_EQ(modal.channels[0].name, "frequency_1");
  EXPECT_EQ(modal.channels[3].name, "damping_2");
  const Trajectory nominal = simulate_model(modal, modal.nominal);
  ASSERT_EQ(nominal.times.size(), 1u);
  for (const double factor : {0.5, 0.8, 1.3, 2.0}) {
    const std::vector<Override> stiffer = {{"E", 2e11 * factor}};
    const Trajectory t = simulate_model(modal, realize(modal, stiffer));
    for (const size_t k : {0u, 2u})
      EXPECT_NEAR(t.values[k] / nominal.values[k], std::sqrt(factor), 1e-8) << factor;  // round-off of K
  }
}

// A beam that turns about its root, flapping across the plane of rotation and lagging in it; lag: μ² = μ_flap² − η².
const std::string blade = R"(
parameters: {speed: 0}
bodies:
  hub: {shape: {cylinder: {radius: 0.05, length: 0.1}}, mass: 5}
  blade: {beam: [[0, 0, 0], [1, 0, 0]], elements: 8, section: {rectangle: {height: 0.004, width: 0.004}}, height_along: [0, 0, 1], E: 2e11, nu: 0, density: 7800}
joints:
  shaft: {revolute: [ground, hub], axis: z, at: [0, 0, 0], motion: speed*t}
  root: {fixed: [hub, blade], at: [0, 0, 0]}
simulation: {duration: 1}
)";
TEST(ModesOfRealizations, of_a_turning_beam) {
  const Model m = model_from(blade);
  const double unit = std::sqrt(2e11 * std::pow(0.004, 4) / 12 / (7800 * 0.004 * 0.004));
  // The same frequencies as they are given in the literature (Wright, Smith, Thresher & Wang, J. Appl. Mech. 49 (1982) 197, as cited by
  // others; the paper itself was not at hand): four decimals, which the series confirms.
  struct Cited {
    double eta, first, second;
  };
  for (const auto& [eta, cited_first, cited_second] :
       {Cited{0, 3.5160, 22.0345}, {1, 3.6817, 22.1810}, {3, 4.7973, 23.3203}, {6, 7.3604, 26.8091}, {12, 13.1702, 37.6031}}) {
    const std::vector<double> series = flap_frequencies(eta, 2);
    const double first = series[0], second = series[1];
    EXPECT_NEAR(first, cited_first, 6e-5);  // half of the last decimal, which they rounded or cut
    EXPECT_NEAR(second, cited_second, 6e-5);
    const std::vector<double> w = speeds(modes_of(m, {{"speed", eta * unit}}, {.number = 6, .about = "rotation"}));
    // Eight elements: (wave number · length)⁴/720 = 3e-5 of the first, 1e-3 of the second; shear and rotary inertia 1e-4 of the second;
    // the blade is longer by ρΩ²L²/(3E): 2e-5 at η = 12
    EXPECT_NEAR(nearest(w, first * unit) / unit, first, 5e-4 * first) << eta;
    EXPECT_NEAR(nearest(w, second * unit) / unit, second, 4e-3 * second) << eta;
    const double lag = std::sqrt(first * first - eta * eta);
    EXPECT_NEAR(nearest(w, lag * unit) / unit, lag, 5e-4 * first * first / lag) << eta;
  }
}

// A disc that spins in a light housing on springs against tilting: J_t ω² ∓ J_p Ω ω − k = 0.
const std::string rotor = R"(
parameters: {speed: 100}
bodies:
  housing: {mass: 1, inertia: {xx: 0.02, yy: 0.02, zz: 0.03}}
  disc: {mass: 5, inertia: {xx: 0.05, yy: 0.05, zz: 0.08}}
joints:
  cardan: {universal: [ground, housing], axis: x, second_axis: y, at: [0, 0, 0]}
  bearing: {revolute: [housing, disc], axis: z, at: [0, 0, 0], motion: speed*t}
forces: {mount: {bushing: [ground, housing], at: [0, 0, 0], rotational_stiffness: [700, 700, 0], rotational_damping: [0.1, 0.1, 0]}}
simulation: {duration: 1}
)";
TEST(ModesOfRealizations, of_a_spinning_disc_split) {
  const Model m = model_from(rotor);
  for (const double speed : {0.0, 50.0, 100.0, 400.0}) {
    const std::vector<Mode> all = modes_of(m, {{"speed", speed}}, {.number = 4, .about = "steady"});
    const double half = 0.08 * speed / (2 * 0.07), root = std::sqrt(half * half + 700 / 0.07);
    const std::vector<double> w = speeds(all);
    // Damping changes |s| in second order, (0.1/(2 · 0.07 · ω))² < 1e-4
    EXPECT_NEAR(nearest(w, root - half), root - half, 2e-4 * (root - half)) << speed;
    EXPECT_NEAR(nearest(w, root + half), root + half, 2e-4 * (root + half)) << speed;
    for (const Mode& mode : all) EXPECT_FALSE(mode.unstable);
  }
}

// Two masses side by side whose frequencies cross: channels keep to their masses.
TEST(ModesOfRealizations, are_paired_through_a_crossing) {
  const Model m = model_from(R"(
parameters: {k: 400}
bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}, b: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 1, 0]}}
joints:
  slide_a: {prismatic: [ground, a], axis: x, at: [0, 0, 0], spring: {stiffness: k}, damper: 0.4}
  slide_b: {prismatic: [ground, b], axis: x, at: [0, 1, 0], spring: {stiffness: 900}}
simulation: {duration: 1}
)");
  const Model modal = modal_model(m, {.number = 2, .shapes = true});
  const auto value = [&](const Trajectory& t, const std::string& name) {
    for (size_t c = 0; c < modal.channels.size(); ++c)
      if (modal.channels[c].name == name) return t.values[c];
    throw std::logic_error("no channel " + name);
  };
  for (const double k : {100.0, 400.0, 899.0, 901.0, 2500.0}) {
    const std::vector<Override> other = {{"k", k}};
    const Trajectory t = simulate_model(modal, realize(modal, other));
    EXPECT_NEAR(value(t, "frequency_1"), std::sqrt(k) / (2 * pi), 1e-10);
    EXPECT_NEAR(value(t, "damping_1"), 0.4 / (2 * std::sqrt(k)), 1e-12);
    EXPECT_NEAR(value(t, "frequency_2"), 30 / (2 * pi), 1e-10);
    for (const char* one : {"mac_1", "mac_2", "shape_1.a.x", "shape_2.b.x"}) EXPECT_NEAR(value(t, one), 1, 1e-12) << one;
    for (const char* none : {"shape_1.b.x", "shape_2.a.x"}) EXPECT_NEAR(value(t, none), 0, 1e-12) << none;
  }
}

// The sparse matrix gives what the dense one gives: damped, turning, and free to move.
TEST(ModesOfRealizations, sparse_as_dense) {
  struct Case {
    std::string text;
    const char* about;
  };
  const std::string damped = replaced(column, "density: 7800}", "density: 7800, damping: {mass: 3, stiffness: 1e-5}}");
  for (const auto& [text, about] :
       {Case{damped, "start"}, Case{replaced(damped, "  foot: {revolute: [ground, column], at: [0, 0]}\n", ""), "start"},
        Case{replaced(blade, "speed: 0}", "speed: 30}"), "rotation"}}) {
    const Model m = model_from(text);
    const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
    Assembly<double> a(m, r);
    ModalRequest request{.number = 5, .about = about};
    const std::vector<Mode> dense = find_modes(a, request).modes;
    request.sparse_above = 0;
    const std::vector<Mode> sparse = find_modes(a, request).modes;
    ASSERT_GE(sparse.size(), 5u);
    for (size_t k = 0; k < sparse.size(); ++k) {
      EXPECT_EQ(sparse[k].rigid, dense[k].rigid) << k;
      // Frequencies of 10 Hz beside 10⁵ Hz of the stiffest motions leave 1e-16 (10⁴)² of their squares; ε = 1e-11 of the constraints
      EXPECT_NEAR(sparse[k].frequency, dense[k].frequency, 1e-6 * (0.1 + dense[k].frequency)) << k;
      EXPECT_NEAR(sparse[k].damping_ratio, dense[k].damping_ratio, 1e-6) << k;
    }
  }
}

// Models of more velocities than are solved densely: a cantilever by the sparse and the dense matrix, the rigid motions of a free beam, and
// a chain of links, whose lowest frequency is that of a hanging chain, ω = 2.40483/2 √(g/L).
std::string long_beam(int elements, const std::string& joints) {
  return "bodies:\n  b: {beam: [[0, 0, 0], [1, 0, 0]], elements: " + std::to_string(elements) +
         ", section: {rectangle: {height: 0.01, width: 0.02}}, E: 2e11, nu: 0.3, density: 7800}\n" + joints +
         "simulation: {duration: 0.1}\n";
}
std::vector<Mode> modes_above(const Model& m, int number, int sparse_above) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  return find_modes(a, {.number = number, .sparse_above = sparse_above}).modes;
}

TEST(ModesOfLargeModels, a_cantilever_has_as_many_as_asked_for) {
  const Model m = model_from(long_beam(30, "joints: {f: {fixed: [ground, b], at: [0, 0, 0]}}\n"));
  const std::vector<Mode> dense = modes_above(m, 20, 100000), sparse = modes_above(m, 20, 0);
  ASSERT_EQ(sparse.size(), 20u);
  // Round-off of K: 1e-16 of (10⁶/s)² beside (51/s)²
  for (size_t k = 0; k < sparse.size(); ++k) EXPECT_NEAR(sparse[k].frequency / dense[k].frequency, 1, 1e-6) << k;
}

TEST(ModesOfLargeModels, a_free_beam_has_six_rigid_motions) {
  const std::vector<Mode> found = modes_above(model_from(long_beam(70, "")), 16, sparse_above);
  ASSERT_EQ(found.size(), 22u);
  for (size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k].rigid, k < 6) << k;
  // 4.73004² √(EI/ρA) / 2π of a free beam; shear and elements change it by 1e-2
  EXPECT_NEAR(found[6].frequency, 22.3733 * std::sqrt(2e11 / 7800 * 1e-4 / 12) / (2 * pi), 0.6);
}

TEST(ModesOfLargeModels, a_hanging_chain_of_links) {
  const int links = 200;
  const std::string n = std::to_string(links);
  const Model m = model_from("gravity: [0, 0, -9.81]\nbodies:\n  link${i}: {repeat: {for: i, to: " + n +
                             "}, shape: {box: [0.01, 0.01, 0.1]}, density: 7800, at: [0, 0, '-0.1*(${i}-0.5)']}\njoints:\n"
                             "  p1: {universal: [ground, link1], axis: x, second_axis: y, at: [0, 0, 0]}\n"
                             "  p${i}: {repeat: {for: i, from: 2, to: " +
                             n +
                             "}, universal: ['link${i-1}', 'link${i}'], axis: x, second_axis: y, at: [0, 0, '-0.1*${i-1}']}\n"
                             "simulation: {duration: 1}\n");
  const std::vector<Mode> found = modes_above(m, 6, sparse_above);
  ASSERT_EQ(found.size(), 6u);
  const double w = 2.404825558 / 2 * std::sqrt(9.81 / (0.1 * links));
  for (const int k : {0, 1}) EXPECT_NEAR(found[size_t(k)].frequency, w / (2 * pi), 1e-4 * w);  // links: (1/200)² and less
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
