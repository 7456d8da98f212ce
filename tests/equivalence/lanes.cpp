// Four realizations at once and one by one: every number of every trajectory is bitwise the same, and a lane that fails does
// not disturb its neighbours.
#include "numerics/pack.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "published/example_text.hpp"
#include "support/run.hpp"

namespace aleator::test {
namespace {

constexpr int lanes = 4;
using Four = Pack<lanes>;
using Overrides = std::vector<Override>;

Trajectory<double> run_one(const Model& model, const Numbers& numbers) {
  const Realization<double> r = make_realization<double>(model, std::span(&numbers, 1));
  Assembly<double> a(model, r);
  return simulate(a, assemble(a), model.settings, {.poses = true});
}

// All lanes start from the states that single realizations start from.
Trajectory<Four> run_four(const Model& model, const std::vector<Numbers>& numbers) {
  const Realization<Four> r = make_realization<Four>(model, numbers);
  State<Four> state = drawn_state(model, r);
  for (int lane = 0; lane < lanes; ++lane) {
    const Realization<double> one = make_realization<double>(model, std::span(&numbers[lane], 1));
    Assembly<double> a(model, one);
    const State<double> s = assemble(a);
    const auto copy = [&](AlignedVector<Four>& to, const AlignedVector<double>& from) {
      for (size_t i = 0; i < from.size(); ++i) ScalarTraits<Four>::set_lane(to[i], lane, from[i]);
    };
    copy(state.positions, s.positions), copy(state.velocities, s.velocities), copy(state.accelerations, s.accelerations);
    copy(state.lambda, s.lambda), copy(state.turns, s.turns);
  }
  Assembly<Four> a(model, r);
  return simulate(a, state, model.settings, {.poses = true});
}

bool has(const MaskOf<Four>& mask, int k) { return lane(mask, k); }
bool same_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }

// Number of values that differ; 0 when lane k of `four` is `one`.
int differences(const AlignedVector<Four>& four, const AlignedVector<double>& one, int lane) {
  if (four.size() != one.size()) return -1;
  int n = 0;
  for (size_t i = 0; i < one.size(); ++i) n += !same_bits(ScalarTraits<Four>::lane(four[i], lane), one[i]);
  return n;
}

void expect_lane(const Trajectory<Four>& four, const Trajectory<double>& one, int lane) {
  EXPECT_EQ(four.times, one.times);
  EXPECT_EQ(differences(four.values, one.values, lane), 0) << "outputs of lane " << lane;
  EXPECT_EQ(differences(four.poses, one.poses, lane), 0) << "poses of lane " << lane;
  EXPECT_EQ(differences(four.final_state.velocities, one.final_state.velocities, lane), 0) << "velocities of lane " << lane;
  EXPECT_EQ(differences(four.final_state.lambda, one.final_state.lambda, lane), 0) << "multipliers of lane " << lane;
}

void expect_same(const std::string& text, const std::vector<Overrides>& samples) {
  for (const char* integrator : {"generalized-alpha", "radau", "runge-kutta"}) {
    Model model = model_from(text);
    model.settings.integrator = integrator;
    std::vector<Numbers> numbers;
    for (const Overrides& o : samples) numbers.push_back(realize(model, o));
    const Trajectory<Four> four = run_four(model, numbers);
    EXPECT_FALSE(any(four.failed)) << integrator;
    for (int lane = 0; lane < lanes; ++lane) {
      SCOPED_TRACE(std::string(integrator) + ", lane " + std::to_string(lane));
      expect_lane(four, run_one(model, numbers[lane]), lane);
    }
  }
}

TEST(Packs, five_body_with_other_bodies) {
  expect_same(with_outputs(example("five-body"), "  force: {reaction: hinge35}\n  angles: {orientation: rb5}\n"),
              {{{"rb5.mass", 40}},
               {{"rb5.mass", 11}},
               {{"rb5.mass", 90}, {"rb5.center_of_mass.x", 0.1}, {"rb5.center_of_mass.y", -0.05}},
               {{"rb5.inertia.xx", 1.5}, {"rb5.inertia.xy", 0.2}}});
}

TEST(Packs, andrews_with_other_masses) {
  expect_same(replaced(example("andrews"), "duration: 0.03", "duration: 0.01"),
              {{}, {{"K5.mass", 0.05}}, {{"K1.mass", 0.06}, {"K7.mass", 0.04}}, {{"K2.mass", 0.002}}});
}

TEST(Packs, bricard_with_other_masses) {
  expect_same(replaced(example("bricard"), "duration: 10", "duration: 1"),
              {{}, {{"rod2.mass", 2}}, {{"rod3.mass", 0.3}}, {{"rod4.mass", 5}}});
}

// Flexible: the matrices of radau are kept and turned, and renewed lane by lane. The softest link needs them renewed more often, and second attempts.
TEST(Packs, slider_crank_with_other_links) {
  Model model = model_of_file("examples/slider-crank.yaml");
  model.settings.integrator = "radau", model.settings.step = 4e-3, model.settings.duration = 0.4, model.settings.tolerance = 1e-9;
  std::vector<Numbers> numbers;
  for (const double E : {69e9, 72e9, 1e7, 50e9})
    numbers.push_back(realize(model, Overrides{{"link.E", E}, {"crank_length", 0.2}}));
  const Trajectory<Four> four = run_four(model, numbers);
  EXPECT_FALSE(any(four.failed));
  for (int lane = 0; lane < lanes; ++lane) expect_lane(four, run_one(model, numbers[lane]), lane);
}

// --- a lane that fails ----------------------------------------------------------------------------------------------------

const std::string spring_pendulum = R"(
gravity: [0, 0, -9.81]
parameters: {k: 500}
bodies:
  rod: {shape: {box: [1, 0.05, 0.05]}, mass: 2, at: [0.5, 0, 0]}
  bob: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [1.5, 0, 0]}
joints:
  pin: {revolute: [ground, rod], axis: y, at: [0, 0, 0]}
forces:
  spring: {spring_damper: [rod, bob], points: [[1, 0, 0], [1.5, 0, 0]], stiffness: k, damping: 1}
outputs:
  bob: {position: bob}
  turn: {coordinate: pin}
  pull: {tension: spring}
simulation: {duration: 0.5, step: 1e-3, output_step: 1e-2}
)";

bool fails_alone(const Model& model, const Numbers& numbers) {
  try {
    return run_one(model, numbers).failed;
  } catch (const SimulationError&) {  // not even new pivots help
    return true;
  }
}

TEST(Packs, a_failing_lane_does_not_disturb_its_neighbours) {
  for (const char* integrator : {"generalized-alpha", "radau", "runge-kutta"})
    for (const double absurd : {1e300, 1e160, 1e12})
      for (const int failing : {0, 2}) {
        SCOPED_TRACE(std::string(integrator) + ", stiffness " + text(absurd) + " in lane " + std::to_string(failing));
        Model model = model_from(spring_pendulum);
        model.settings.integrator = integrator;
        std::vector<Numbers> numbers;
        for (int lane = 0; lane < lanes; ++lane)
          numbers.push_back(
              realize(model, Overrides{{"k", lane == failing ? absurd : 500 + 100 * lane}, {"rod.mass", 2.0 + lane}}));
        const Trajectory<Four> four = run_four(model, numbers);
        for (int lane = 0; lane < lanes; ++lane) {
          if (lane == failing) continue;
          EXPECT_FALSE(has(four.failed, lane));
          expect_lane(four, run_one(model, numbers[lane]), lane);
        }
        // 1e12 N/m at h = 1 ms is far beyond what an explicit scheme can follow, and no trouble for an implicit one.
        const bool too_much = absurd > 1e100 || std::string(integrator) == "runge-kutta";
        EXPECT_EQ(has(four.failed, failing), too_much);
        EXPECT_EQ(fails_alone(model, numbers[failing]), too_much);
      }
}

}  // namespace
}  // namespace aleator::test
