// Are constraints that contradict each other noticed by every integrator, for one realization and in lanes, with the joints' names and the
// time; and are redundant ones that agree left alone?
#include <gtest/gtest.h>

#include "dynamics/lane_engine.hpp"
#include "dynamics/soft_joints.hpp"
#include "dynamics/violation.hpp"
#include "ensemble/ensemble.hpp"
#include "support/in_lanes.hpp"
#include "support/message_of.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Two drives of one body; they agree when k = 1.
std::string drives(const std::string& k) {
  return "parameters: {k: " + k + R"(}
bodies:
  block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [0, 0, 0]}
joints:
  slow: {prismatic: [ground, block], axis: x, at: [0, 0, 0], motion: t^2}
  fast: {prismatic: [ground, block], axis: x, at: [0, 0, 0], motion: k*t^2}
outputs:
  place: {position: block, component: x}
simulation: {duration: 0.1, step: 1e-3}
)";
}

// Two shafts, both driven to 1 rad, and gears between them that ask the second to turn twice as far.
const std::string gears = R"(
bodies:
  a: {shape: {cylinder: {radius: 0.1, length: 0.02, axis: z}}, mass: 1, at: [0, 0, 0]}
  b: {shape: {cylinder: {radius: 0.2, length: 0.02, axis: z}}, mass: 3, at: [0.3, 0, 0]}
joints:
  shaft_a: {revolute: [ground, a], axis: z, at: [0, 0, 0], motion: 0.5*(1 - cos(pi*t))}
  shaft_b: {revolute: [ground, b], axis: z, at: [0.3, 0, 0], motion: 0.5*(1 - cos(pi*t))}
  mesh: {gear: [shaft_a, shaft_b], ratio: 2}
outputs:
  turn: {coordinate: shaft_b}
simulation: {duration: 1, step: 1e-3}
)";

std::vector<std::string> available() {
  std::vector<std::string> names;
  for (const Integrator& i : integrators())
    if (i.is_available()) names.emplace_back(i.name);
  return names;
}

// The mean of both drives is as far from each as they are from each other by half: ½ t² > 1e-4 m from t = 14.2 ms on.
TEST(Violation, two_drives_that_differ_fail_at_the_first_step_beyond_the_tolerance) {
  const Model model = model_from(drives("2"));
  for (const std::string& name : available()) {
    const std::string said = message_of<SimulationError>([&] { run(model, {.integrator = name, .output_step = 1e-3}); });
    EXPECT_NE(said.find("cannot all be met at t = 0.015 s"), std::string::npos) << name << ": " << said;
    for (const char* joint : {"joint 'slow' (test.yaml:5:3)", "joint 'fast' (test.yaml:6:3)", "remains open by 0.00011",
                              "m (translation along x), joint", " by 0.00011"})
      EXPECT_NE(said.find(joint), std::string::npos) << name << ": " << said;
  }
}

TEST(Violation, two_drives_that_agree_do_not) {
  const Model model = model_from(drives("1"));
  for (const std::string& name : available())
    EXPECT_NEAR(run(model, {.integrator = name}).last("place"), 0.01, 1e-7) << name;  // ida's tolerance, 1e-8, times some units
}

TEST(Violation, gears_that_contradict_the_drives_name_all_three_joints) {
  const Model model = model_from(gears);
  for (const std::string& name : available()) {
    const std::string said = message_of<SimulationError>([&] { run(model, {.integrator = name}); });
    for (const char* joint : {"joint 'mesh' (test.yaml:8:3)", "joint 'shaft_a' (test.yaml:6:3)",
                              "joint 'shaft_b' (test.yaml:7:3)", "(coupling)", "rad (rotation about z)"})
      EXPECT_NE(said.find(joint), std::string::npos) << name << ": " << said;
  }
}

// A crank of 0.5 m drives a coupler of 1 m that hangs on a rod of length l, 1.442 m away: beyond
//   0.25 + 2.08 − 2 · 0.5 · 1.442 cos(2t − 0.588) = (1 + l)²
// both are stretched, and the crank cannot turn further.
const std::string locking = R"(
plane: xy
parameters: {l: 0.9}
bodies:
  crank: {shape: {box: [0.5, 0.02, 0.02]}, mass: 1, at: [0.25, 0]}
  coupler: {shape: {box: [1, 0.02, 0.02]}, mass: 1, at: [0.5, 0.5], orientation: 1.5707963267948966}
joints:
  drive: {revolute: [ground, crank], at: [0, 0], motion: 2*t}
  knee: {revolute: [crank, coupler], at: [0.5, 0]}
  tip: {distance: [ground, coupler], points: [[1.2, 0.8], [0.5, 1]], length: l}
outputs:
  off: {constraint_violation: all}
simulation: {duration: 2, step: 1e-3}
)";

double locks_at(double l) { return (std::acos((0.25 + 2.08 - (1 + l) * (1 + l)) / std::sqrt(2.08)) + std::atan2(0.8, 1.2)) / 2; }

// A projection, which is linear, does not see that.
TEST(Violation, a_loop_that_locks_fails_there) {
  const Model model = model_from(locking);
  std::vector<std::string> names = available();
  names.emplace_back("auto");
  for (const std::string& name : names) {
    try {
      run(model, {.integrator = name});
      ADD_FAILURE() << name << ": it went through";
    } catch (const SimulationError& e) {
      EXPECT_LT(e.time, locks_at(0.9) + 2e-3) << name << ": " << e.what();  // a step, and the next one that notices
      EXPECT_GT(e.time, locks_at(0.9) - (name == "ida" ? 1e-2 : 2e-3))
          << name << ": " << e.what();  // ida's steps are output times
    }
  }
}

// In lanes: those with a rod long enough, l > 0.943, go on.
TEST(Violation, loops_that_lock_in_lanes) {
  for (const char* name : {"auto", "radau", "dormand-prince", "generalized-alpha"}) {
    Model model = model_from(locking + "uncertain: {l: {uniform: {lower: 0.85, upper: 1.05}}}\n");
    model.settings.integrator = name;
    const RandomModel random(model);
    int failed = 0;
    Ensemble(model, random, {16, 0}, 1).run({.threads = 1, .smaller_steps = false}, [&](SimulatedRow&& r) {
      const bool locks = r.sample[0] < std::sqrt(2.08) + 0.5 - 1;
      EXPECT_NE(r.ok, locks) << name << ", l = " << r.sample[0] << ": " << r.why;
      failed += !r.ok;
      for (const double off : r.values) ASSERT_LT(off, 1e-3) << name << ", l = " << r.sample[0];
    });
    EXPECT_GT(failed, 2) << name;
    EXPECT_LT(failed, 14) << name;
  }
}

// Nobody who turns stabilisation off is told that joints contradict each other without being told of drift.
TEST(Violation, drift_without_stabilization_is_told_with_its_remedy) {
  const std::string pendulum = R"(
gravity: [0, 0, -9.81]
bodies:
  bob: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [1, 0, 0]}
joints:
  rod: {spherical: [ground, bob], at: [0, 0, 0]}
outputs:
  off: {constraint_violation: all}
simulation: {duration: 20, step: 0.02, integrator: runge-kutta, stabilization: none}
)";
  const std::string said = message_of<SimulationError>([&] { run(pendulum); });
  EXPECT_NE(said.find("'rod'"), std::string::npos) << said;
  EXPECT_NE(said.find("'stabilization: projection'"), std::string::npos) << said;
}

TEST(Violation, a_lane_that_contradicts_fails_and_its_neighbour_does_not) {
  for (const Isa isa : available_isas())
    for (const Integrator& i : integrators()) {
      if (!i.make_lanes) continue;
      Model model = model_from(drives("1"));
      model.settings.integrator = i.name;
      std::vector<Parameters> numbers;
      std::vector<Realization<double>> realizations;
      for (const double k : {1.0, 2.0}) {
        numbers.push_back(realize(model, std::vector<Override>{{"k", k}}));
        realizations.push_back(make_realization<double>(model, std::span(&numbers.back(), 1)));
      }
      const LaneEngine engine(model, numbers, model.settings, isa);
      LaneRun lanes(engine);
      lanes(std::vector<LaneRun::Start>{{&realizations[0]}, {&realizations[1]}}, false);
      EXPECT_FALSE(lanes.failed(0)) << i.name;
      EXPECT_TRUE(lanes.failed(1)) << i.name;
    }
}

// Lengths are judged against the size of the mechanism: the same machine, drawn in millimetres or kilometres, has the same limits.
TEST(Violation, the_size_is_that_of_the_drawing) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const Model m = model_from("bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [" + text(size) +
                               ", 0, 0]}\njoints:\n  j: {revolute: [ground, a], axis: z, at: [0, 0, " + text(-2 * size) +
                               "]}\nsimulation: {duration: 1}\n");
    EXPECT_DOUBLE_EQ(size_as_drawn(m), 2 * size);
  }
  const Model m = model_from(drives("1"));
  EXPECT_DOUBLE_EQ(size_as_drawn(m), 1);  // everything at one point
}

// A load on a link that has next to no mass. ε is 10⁻¹¹ of the link's inverse mass: with a ratio of 10¹² the load tears the hinges open, with 10⁹
// it does so by 1 % of the accelerations, which is the error of the reactions.
std::string light_link(double mass) {
  return "plane: xy\ngravity: [0, -9.81]\nbodies:\n  link: {shape: {box: [1, 0.02, 0.02]}, mass: " + text(mass) +
         R"(, at: [0.5, 0]}
  load: {shape: {box: [1, 0.1, 0.1]}, mass: 1, at: [1.5, 0]}
joints:
  top: {revolute: [ground, link], at: [0, 0]}
  mid: {revolute: [link, load], at: [1, 0]}
outputs:
  place: {position: load}
simulation: {duration: 0.5, step: 1e-3}
)";
}

TEST(MassRatio, beyond_the_digits_of_a_double_is_told_with_the_bodies) {
  for (const std::string& name : available()) {
    if (name == "ida") continue;  // its steps have no ε; accelerations and reactions at output times do, and are told of below
    const std::string said = message_of<SimulationError>([&] { run(light_link(1e-12), {.integrator = name}); });
    EXPECT_NE(said.find("The mass of body 'link' (test.yaml:4:3) is 1e-12 kg, that of body 'load' (test.yaml:5:3) 1 kg: they"),
              std::string::npos)
        << name << ": " << said;
  }
  const Result far = run(light_link(1e-9), {.integrator = "runge-kutta"});
  EXPECT_EQ(far.trajectory.soft_joint.empty(), false);
  EXPECT_GT(far.trajectory.softness, 1e-3);
  const MassRange masses = masses_at(model_from(light_link(1e-9)), {far.trajectory.soft_joint});
  EXPECT_EQ(masses.light, "link");
  EXPECT_EQ(masses.heavy, "load");
  EXPECT_EQ(run(light_link(1e-4)).trajectory.soft_joint, "");
}

// Positions are right there. Accelerations and reactions follow from them with ε, as everywhere, and are off by about what is told.
TEST(MassRatio, is_told_under_ida_too) {
  const std::vector<std::string> names = available();
  if (std::find(names.begin(), names.end(), "ida") == names.end()) GTEST_SKIP();
  const Result light = run(light_link(1e-9), {.integrator = "ida"}), heavier = run(light_link(1e-4), {.integrator = "ida"});
  EXPECT_GT(light.trajectory.softness, 1e-3);
  EXPECT_EQ(heavier.trajectory.soft_joint, "");
}

// At the end of a chain a light body does no harm.
TEST(MassRatio, a_light_body_that_carries_nothing_is_not_told) {
  const std::string model = light_link(1);
  const auto at = model.find("mass: 1, at: [1.5");
  const Result r = run(model.substr(0, at) + "mass: 1e-12, at: [1.5" + model.substr(at + 17));
  EXPECT_EQ(r.trajectory.soft_joint, "");
}

double contradicts(const std::string& yaml) {
  const Model m = model_from(yaml);
  const Realization<double> r = make_realization<double>(m, std::span(&m.nominal, 1));
  Assembly<double> a(m, r);
  const State<double> s = assemble(a);
  Redundancy found = find_redundancy(a, s);
  find_contradictions(a, s, m.settings.duration, found);
  double first = std::numeric_limits<double>::quiet_NaN();
  for (const double t : found.contradicts) first = std::isnan(t) ? first : t;
  return first;
}

// `aleator check`, before anything is simulated.
TEST(Contradictions, are_told_from_redundancies) {
  EXPECT_TRUE(std::isnan(contradicts(drives("1"))));
  EXPECT_EQ(contradicts(drives("2")), 0);  // of accelerations
  EXPECT_EQ(contradicts(gears), 0);
  // Drives that part at 0.05 s, found at one of 200 instants
  EXPECT_NEAR(contradicts(replaced(drives("2"), "k*t^2", "t^2 + 0.5*(abs(t - 0.05) + t - 0.05)")), 0.05, 0.1 / 200 * 1.001);
  for (const char* name : {"bricard", "n-four-bar", "gearbox", "andrews", "vehicle-bump"})
    EXPECT_TRUE(std::isnan(contradicts(example(name)))) << name;
}

// A four-bar whose crank (0.3 m) and rocker (0.8 m) are both driven, as a coupler of 1 m between bearings 1 m apart asks for:
//   φ = atan2(P − D) − acos((c² + e² − b²)/(2 c e)),   e = |P − D|.
// The ratio of their rates changes with the position.
std::string four_bar(const std::string& more) {
  const double angle = 1, x = 0.3 * std::cos(angle), y = 0.3 * std::sin(angle), e = std::hypot(x - 1, y);
  const double rocker = std::atan2(y, x - 1) - std::acos((0.64 + e * e - 1) / (1.6 * e));
  const double u = 1 + 0.8 * std::cos(rocker), v = 0.8 * std::sin(rocker);
  const auto at = [](double a, double b) { return "at: [" + text(a) + ", " + text(b) + "]"; };
  const std::string px = "0.3*cos(1 + 0.5*sin(2*t))", py = "0.3*sin(1 + 0.5*sin(2*t))",
                    e2 = "((" + px + " - 1)^2 + (" + py + ")^2)";
  return "plane: xy\nbodies:\n  crank: {shape: {box: [0.3, 0.02, 0.02]}, mass: 1, " + at(x / 2, y / 2) +
         "}\n  coupler: {shape: {box: [1, 0.02, 0.02]}, mass: 1, " + at((x + u) / 2, (y + v) / 2) +
         "}\n  rocker: {shape: {box: [0.8, 0.02, 0.02]}, mass: 1, " + at((1 + u) / 2, v / 2) +
         "}\njoints:\n  A: {revolute: [ground, crank], at: [0, 0], motion: 0.5*sin(2*t)}\n  B: {revolute: [crank, coupler], " +
         at(x, y) + "}\n  C: {revolute: [coupler, rocker], " + at(u, v) +
         "}\n  D: {revolute: [ground, rocker], at: [1, 0], motion: \"atan2(" + py + ", " + px + " - 1) - acos((" + e2 +
         " - 0.36)/(1.6*sqrt(" + e2 + "))) - (" + text(rocker) + ")" + more +
         "\"}\noutputs:\n  y: {position: coupler, component: y}\nsimulation: {duration: 2, step: 1e-3}\n";
}
TEST(Contradictions, drives_that_agree_in_motion_are_not_accused) {
  EXPECT_TRUE(std::isnan(contradicts(four_bar(""))));
  EXPECT_GT(contradicts(four_bar(" + 0.001*t^3")), 0);  // no difference of rates or accelerations at the start
  for (const char* integrator : {"generalized-alpha", "radau", "runge-kutta"})
    EXPECT_NO_THROW(run(four_bar(""), {.integrator = integrator}));
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
