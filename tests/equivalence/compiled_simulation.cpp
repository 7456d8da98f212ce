// One simulation by the compiled program of a single lane and without it: the same motion, forces, energies and messages.
#include "dynamics/compiled_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "dynamics/choose.hpp"
#include "dynamics/equilibrium.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// As it is stepped by default, at most so many steps of it.
Model stepped(const std::string& name, int steps, const CompileOptions& options = {}) {
  Model m = model_of_file("examples/" + name + ".yaml", options);
  if (is_open(m.settings)) m.settings = choose(m, {}, {}, best_isa()).settings;
  if (m.settings.duration > steps * m.settings.step) m.settings.duration = steps * m.settings.step;
  m.settings.output_step = std::min(m.settings.output_step, m.settings.duration);
  return m;
}

struct Both {
  std::optional<Trajectory> compiled;
  Trajectory uncompiled;
};

Both both_ways(const Model& m) {
  const SimulateOptions options{.poses = true, .forces = true, .dissipation = true};
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  State<double> s = assemble(a);
  if (m.settings.start_at_equilibrium) s = equilibrium(a, s).state;
  const CompiledSimulation compiled(m, {}, m.settings, true);
  return {compiled(r, &s, options), simulate(a, s, m.settings, options)};
}

// The largest difference of a column, in parts of its largest number or of `least`.
double apart(const AlignedVector<double>& a, const AlignedVector<double>& b, size_t times, double least) {
  EXPECT_EQ(a.size(), b.size());
  if (a.size() != b.size() || times == 0) return HUGE_VAL;
  const size_t columns = a.size() / times;
  double worst = 0;
  for (size_t c = 0; c < columns; ++c) {
    double size = least, difference = 0;
    for (size_t i = c; i < a.size(); i += columns)
      size = std::max(size, std::abs(b[i])), difference = std::max(difference, std::abs(a[i] - b[i]));
    worst = std::max(worst, difference / size);
  }
  return worst;
}

void expect_the_same(const Model& m, double tolerance) {
  const auto [compiled, t] = both_ways(m);
  ASSERT_TRUE(compiled);
  ASSERT_FALSE(t.failed) << t.why;
  double force = 1;  // the largest
  for (const double x : t.forces) force = std::max(force, std::abs(x));
  EXPECT_EQ(compiled->times, t.times);
  EXPECT_EQ(compiled->steps, t.steps);
  EXPECT_EQ(compiled->integrator, t.integrator);
  EXPECT_EQ(compiled->adapted.reduced, t.adapted.reduced);
  EXPECT_EQ(compiled->final_state.t, t.final_state.t);
  EXPECT_LT(apart(compiled->values, t.values, t.times.size(), 1e-6), tolerance);
  EXPECT_LT(apart(compiled->poses, t.poses, t.times.size(), 1), tolerance);
  EXPECT_LT(apart(compiled->forces, t.forces, t.times.size(), force), tolerance);
  const double energy = std::max(t.energy.kinetic, 1e-6);
  EXPECT_NEAR(compiled->energy.change, t.energy.change, tolerance * energy);
  EXPECT_NEAR(compiled->energy.kinetic, t.energy.kinetic, tolerance * energy);
  EXPECT_NEAR(compiled->energy.work.supplied, t.energy.work.supplied, tolerance * energy);
  EXPECT_NEAR(compiled->energy.work.dissipated, t.energy.work.dissipated, tolerance * energy);
  EXPECT_EQ(compiled->energy.off, t.energy.off);
  EXPECT_EQ(compiled->softness, t.softness);
}

TEST(CompiledSimulation, is_the_uncompiled_one_in_the_examples) {
  for (const std::string name : {"adjacent-buildings", "andrews", "base-isolation", "five-body", "gearbox", "pendulum", "pulse",
                                 "quarter-car", "shaker", "slider-crank-rigid", "top", "vehicle-bump"}) {
    SCOPED_TRACE(name);
    expect_the_same(stepped(name, name == "quarter-car" ? 3000 : 300),
                    1e-9);  // measured: 5e-11 and less; the car waits for the bump
  }
}

TEST(CompiledSimulation, is_the_uncompiled_one_with_beams) {
  for (const std::string integrator : {"generalized-alpha", "radau"}) {
    SCOPED_TRACE(integrator);
    Model m = stepped("slider-crank", 200);
    m.settings.integrator = integrator;
    m.settings.tolerance = 1e-12;  // what Newton's iteration leaves must not be seen
    expect_the_same(m, 1e-9);
  }
}

// Reactions of redundant constraints are those of a least norm, but of constraints that are open by a little: other reactions. In joint
// coordinates, which lanes may take here and the uncompiled method does not, there is no ε = 1e-11 in the rows of the tree.
TEST(CompiledSimulation, of_redundant_constraints_moves_alike) {
  for (const bool tree : {false, true}) {
    const auto [compiled, t] = both_ways(stepped("bricard", 300, {.tree = tree}));
    ASSERT_TRUE(compiled);
    const double tolerance = tree ? 1e-8 : 1e-9;  // measured: 1.7e-9 with the tree
    EXPECT_LT(apart(compiled->values, t.values, t.times.size(), 1e-6), tolerance) << tree;
    EXPECT_LT(apart(compiled->poses, t.poses, t.times.size(), 1), tolerance) << tree;
  }
}

TEST(CompiledSimulation, ends_where_it_is_stopped) {
  const Model m = stepped("five-body", 300);
  std::atomic<bool> stop{false};
  SimulateOptions options{.forces = true, .stop = &stop, .progress = [&](double t) { stop = t > 0.01; }};
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  const std::optional<Trajectory> t = CompiledSimulation(m, {}, m.settings)(r, nullptr, options);
  ASSERT_TRUE(t);
  EXPECT_GT(t->final_state.t, 0.01);
  EXPECT_LT(t->final_state.t, 0.0103);
  EXPECT_FALSE(t->failed);
  ASSERT_FALSE(t->times.empty());
  EXPECT_LE(t->times.back(), t->final_state.t + 1e-12);
  EXPECT_GT(t->times.back(), 0.0095);
  EXPECT_EQ(t->values.size(), t->times.size() * size_t(t->channels));
  EXPECT_FALSE(t->forces.empty());
}

// A stop that comes while it is compiled leaves the first step, as one does that comes at the start of an uncompiled simulation.
TEST(CompiledSimulation, is_not_waited_for) {
  Model m = stepped("five-body", 300);
  m.settings.step = m.settings.duration / 1e6;
  ASSERT_TRUE(compiling_pays(m, m.settings));
  const std::atomic<bool> stop{true};
  const Trajectory t = simulate_model(m, m.nominal, {.stop = &stop});
  EXPECT_EQ(t.steps, 0);
  EXPECT_LE(t.final_state.t, m.settings.step);
}

TEST(CompiledSimulation, is_made_by_counts_alone) {
  Model m = stepped("pendulum", 100);  // 11 unknowns
  Settings s{.duration = 1, .step = 1e-3, .integrator = "runge-kutta"};
  EXPECT_TRUE(compiling_pays(m, s));
  s.integrator = "generalized-alpha";
  EXPECT_FALSE(compiling_pays(m, s));
  EXPECT_TRUE(compiling_pays(m, s, 2));
  s.step = 5e-4;
  EXPECT_TRUE(compiling_pays(m, s));
  m.structure.size = 1000;
  EXPECT_FALSE(compiling_pays(m, s));
  EXPECT_TRUE(compiling_pays(m, s, 4));
  m.structure.size = 10000;
  EXPECT_FALSE(compiling_pays(m, s, 10));
  EXPECT_TRUE(compiling_pays(m, s, 12));
  m.structure.size = 20000;  // too large at any number
  EXPECT_FALSE(compiling_pays(m, s, 1e9));
  s.integrator = "ida";
  m.structure.size = 10;
  EXPECT_FALSE(compiling_pays(m, s, 1e9));
}

// Where it pays, that is what a simulation is; the same bits each time.
TEST(CompiledSimulation, is_what_a_long_simulation_is) {
  const Model m = stepped("pendulum", 1000);
  ASSERT_TRUE(compiling_pays(m, m.settings));
  const Trajectory once = simulate_model(m, m.nominal), again = simulate_model(m, m.nominal),
                   uncompiled = simulate_model(m, m.nominal, {.compile = false}),
                   compiled = CompiledSimulation(m, std::span(&m.nominal, 1), m.settings)(m.nominal);
  EXPECT_EQ(once.values, again.values);
  EXPECT_LT(apart(compiled.values, once.values, once.times.size(), 1e-6), 1e-12);
  EXPECT_LT(apart(uncompiled.values, once.values, once.times.size(), 1e-6), 1e-9);
}

// Time, place and cause of a failure are those of the uncompiled method.
TEST(CompiledSimulation, that_fails_tells_what_the_uncompiled_one_tells) {
  const Model m = model_from(R"(
gravity: [0, 0, -9.81]
bodies: {rod: {shape: {box: [0.1, 0.1, 1]}, mass: 1, at: [0, 0, -0.5]}}
joints: {hinge: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}}
forces: {spring: {spring_damper: [ground, rod], points: [[1, 0, -1], [0, 0, -1]], stiffness: 1e9, length: 1.1}}
outputs: {angle: {coordinate: hinge}}
simulation: {duration: 10, step: 1e-3, output_step: 0.1, integrator: runge-kutta}
)");
  ASSERT_TRUE(compiling_pays(m, m.settings));
  const Trajectory t = simulate_as_far(m, m.nominal), uncompiled = simulate_as_far(m, m.nominal, {.compile = false});
  EXPECT_TRUE(t.failed);
  EXPECT_EQ(t.why, uncompiled.why);
  EXPECT_EQ(t.reached, uncompiled.reached);
}

TEST(CompiledSimulation, has_the_numbers_it_was_shown) {
  const Model m = stepped("pendulum", 100);
  const std::string name = m.topology.body_names[0] + ".mass";
  const std::vector<Override> heavy{{name, 1.5 * m.bodies[0].mass}}, heavier{{name, 2 * m.bodies[0].mass}};
  const Parameters shown = realize(m, heavy), other = realize(m, heavier);
  const Realization<double> r = make_realization<double>(m, std::span(&other, 1));
  EXPECT_FALSE(CompiledSimulation(m, {}, m.settings)(r, nullptr, {}));
  const CompiledSimulation compiled(m, std::span(&shown, 1), m.settings);
  EXPECT_TRUE(compiled(r, nullptr, {}));
  // Without it where it does not fit.
  const Trajectory t = CompiledSimulation(m, {}, m.settings)(other);
  EXPECT_LT(apart(compiled(other).values, t.values, t.times.size(), 1e-6), 1e-9);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
