// Bodies on hinges that move relative to what they hang on, and the same bodies each with its own thirteen numbers: the same accelerations, and motions
// that approach each other as steps become smaller.
#include "compare.hpp"
#include "dynamics/lane_engine.hpp"
#include "support/model_text.hpp"
#include "support/random_mechanism.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr CompileOptions whole = {.relative = false};

bool can_start(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  try {
    return find_redundancy(a, assemble(a)).dependent.empty();
  } catch (const SimulationError&) {
    return false;
  }
}

double largest_difference(const AlignedVector<double>& a, const AlignedVector<double>& b) {
  double off = 0;
  for (size_t i = 0; i < a.size(); ++i) off = std::max(off, std::abs(a[i] - b[i]));
  return off;
}
double largest(const AlignedVector<double>& x) {
  double m = 1;
  for (const double y : x) m = std::max(m, std::abs(y));
  return m;
}

// There and back, then accelerations of the same state in both forms, by the tree and by the matrix. How many bodies are relative.
int compare_evaluations(const Model& m) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> s = assemble(a);
  for (const Index1Solver solver : {Index1Solver::tree, Index1Solver::matrix}) {
    State<double> expected = s;
    Index1<double> index1(a, solver);
    index1.evaluate(expected, Side::right);
    index1.project_velocities(expected);
    State<double> reduced = expected;
    index1.evaluate(expected, Side::right);
    index1.accelerations(expected);
    if (!index1.uses_tree()) {  // without ε, as reduced states are solved for
      AlignedVector<double> pull(a.rows());
      for (int i = 0; i < a.rows(); ++i) pull[i] = -a.regularization()[i] * expected.lambda[i];
      index1.accelerations(expected, pull.data());
    }

    const ReducedScope<double> scope(a);
    a.reduce(reduced.positions.data(), reduced.velocities.data());
    index1.evaluate(reduced, Side::right);
    index1.accelerations(reduced);
    AlignedVector<double> by_rates(reduced.velocities.size());
    index1.rates(reduced, by_rates.data());
    AlignedVector<double> by_motion = reduced.accelerations;
    a.reduce_motion(by_motion.data());
    State<double> back = reduced;
    a.restore(back.positions.data(), back.velocities.data());
    // Round-off, times the condition of the mechanism; ε leaves 1e-11 of velocities open.
    EXPECT_LT(largest_difference(back.positions, expected.positions), 1e-9 * largest(expected.positions));
    EXPECT_LT(largest_difference(back.velocities, expected.velocities), 1e-9 * largest(expected.velocities));
    EXPECT_LT(largest_difference(reduced.accelerations, expected.accelerations), 1e-7 * largest(expected.accelerations));
    EXPECT_LT(largest_difference(by_rates, by_motion), 1e-9 * largest(expected.accelerations));
  }
  return int(a.relative().joints().size());
}

TEST(RelativeMotion, accelerations_are_those_of_whole_bodies) {
  int bodies = 0;
  for (unsigned seed = 601; seed <= 640; ++seed) {
    const RandomMechanism kind = {.bodies = 6, .loops = int(seed % 3), .planar = seed % 4 == 0};
    const std::string text = random_mechanism(seed, kind);
    const Model m = model_from(text);
    if (!can_start(m)) continue;
    bodies += compare_evaluations(m);
    if (::testing::Test::HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(bodies, 40);
}

std::vector<double> in_lanes(const Model& m, double step, Isa isa) {
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  const LaneEngine engine(m, {}, m.settings, isa);
  LaneRun lanes(engine);
  const LaneRun::Start start{&r};
  lanes(std::span(&start, 1), true, nullptr, step);
  EXPECT_FALSE(lanes.failed(0));
  std::vector<double> out, poses;
  lanes.outputs(0, out), lanes.positions(0, poses);
  out.insert(out.end(), poses.begin(), poses.end());
  return out;
}

double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double off = 0, size = 1;
  for (size_t i = 0; i < a.size(); ++i) off = std::max(off, std::abs(a[i] - b[i])), size = std::max(size, std::abs(b[i]));
  return off / size;
}

// Hinges and fixed bodies in a row, about axes that are no coordinate axes, with a loop, springs and a body that floats.
const std::string mixed = R"(
gravity: [0, 0, -9.81]
bodies:
  base: {shape: {box: [0.3, 0.3, 0.3]}, mass: 5, at: [0, 0, 0], angular_velocity: [1, -0.5, 0.7]}
  arm: {shape: {box: [0.5, 0.05, 0.1]}, mass: 1, at: [0.4, 0, 0], orientation: {rpy: [0.2, -0.3, 0.4]}, angular_velocity: [1, -0.5, 0.7]}
  tool: {shape: {box: [0.1, 0.1, 0.2]}, mass: 0.5, at: [0.7, 0, 0.1], angular_velocity: [1, -0.5, 0.7]}
  hand: {shape: {box: [0.1, 0.2, 0.1]}, mass: 0.3, at: [0.8, 0.1, 0.2], orientation: {rpy: [0, 0.5, 0]}}
  door: {shape: {box: [0.4, 0.02, 0.6]}, mass: 2, at: [2, 0.2, 0], angular_velocity: [0, 0, 2]}
  bob: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [2.4, 0.2, 0.2]}
joints:
  shoulder: {revolute: [base, arm], axis: [1, 2, 0.5], at: [0.15, 0, 0], spring: {stiffness: 5}, damper: 0.1}
  flange: {fixed: [tool, arm], at: [0.65, 0, 0]}
  wrist: {revolute: [hand, tool], axis: [0, 1, -1], at: [0.75, 0, 0.2]}
  hinge: {revolute: [ground, door], axis: z, at: [1.8, 0.2, 0]}
  eye: {spherical: [door, bob], at: [2.2, 0.2, 0.2]}
  rod: {distance: [ground, bob], points: [[2.4, 0.2, 1], [2.4, 0.2, 0.2]]}
forces:
  rope: {spring_damper: [hand, door], points: [[0.8, 0.1, 0.2], [2, 0.2, 0]], stiffness: 20, damping: 0.5}
outputs:
  hand: {position: hand}
  spin: {angular_acceleration: hand}
  angle: {coordinate: shoulder}
  swing: {coordinate: hinge}
  pull: {tension: rope}
  force: {reaction: wrist}
simulation: {duration: 0.5, step: 2e-3, output_step: 1e-2, integrator: runge-kutta}
)";

// Two discretisations of one motion: their difference falls with the order of the method.
TEST(RelativeMotion, approaches_that_of_whole_bodies) {
  struct Method {
    const char* name;
    int order;
    double step;
  };
  for (const Method& method : {Method{"runge-kutta", 4, 5e-3}, {"dormand-prince", 5, 1e-2}, {"adams-bashforth", 4, 1e-3}})
    for (const Isa isa : {Isa::portable, best_isa()}) {
      Model a = model_from(mixed), b = model_from(mixed, whole);
      a.settings.integrator = b.settings.integrator = method.name;
      const double h = method.step;
      const double coarse = difference(in_lanes(a, h, isa), in_lanes(b, h, isa));
      const double fine = difference(in_lanes(a, h / 2, isa), in_lanes(b, h / 2, isa));
      EXPECT_LT(coarse, 1e-6) << method.name;
      EXPECT_LT(fine, coarse / std::pow(2, method.order - 1)) << method.name;
    }
}

TEST(RelativeMotion, alone_and_in_lanes) {
  for (const char* integrator : {"runge-kutta", "dormand-prince", "adams-bashforth"})
    for (const char* stabilization : {"projection", "baumgarte", "none"}) {
      Model m = model_from(mixed);
      m.settings.integrator = integrator, m.settings.stabilization = stabilization;
      m.settings.step = 5e-4;
      const Trajectory alone = simulate_model(m, m.nominal, {.compile = false});
      const std::vector<double> x = in_lanes(m, 0, best_isa());
      ASSERT_GE(x.size(), alone.values.size());
      const std::vector<double> y(alone.values.begin(), alone.values.end());
      // What lanes leave out, an evaluation after the projection of the loop, is of the size of the error of a step.
      EXPECT_LT(difference({x.begin(), x.begin() + long(y.size())}, y), 1e-11) << integrator << ", " << stabilization;
    }
}

// Errors of steps are those of whole bodies: as many steps are divided.
TEST(RelativeMotion, adapted_steps) {
  Model a = model_from(mixed), b = model_from(mixed, whole);
  for (Model* m : {&a, &b}) m->settings.integrator = "dormand-prince", m->settings.step = 1e-2, m->settings.step_tolerance = 1e-7;
  const Trajectory x = simulate_model(a, a.nominal, {.compile = false}), y = simulate_model(b, b.nominal, {.compile = false});
  EXPECT_GT(y.adapted.reduced, 0);
  EXPECT_NEAR(double(x.adapted.reduced), double(y.adapted.reduced), 0.5 * double(y.adapted.reduced) + 2);
  EXPECT_LT(difference({x.values.begin(), x.values.end()}, {y.values.begin(), y.values.end()}), 1e-5);
  const std::vector<double> lanes = in_lanes(a, 0, best_isa());
  EXPECT_LT(difference({x.values.begin(), x.values.end()}, {lanes.begin(), lanes.begin() + long(x.values.size())}), 1e-6);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
