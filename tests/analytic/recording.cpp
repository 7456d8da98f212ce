// Outputs on a grid that is not that of the steps, next to kinks, and angles over many turns.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string oscillator = R"(
bodies:
  mass: {shape: {box: [0.1, 0.1, 0.1]}, mass: 2, at: [0, 0, 0], velocity: [1, 0, 0]}
joints:
  slide: {prismatic: [ground, mass], axis: x, at: [0, 0, 0], spring: {stiffness: 32}}
outputs:
  x: {coordinate: slide}
  a: {acceleration: mass, component: x}
simulation: {duration: 2, step: 1e-3, output_step: 0.00137, integrator: runge-kutta}
)";

// Interpolation of degree 5: (ω h)⁶ × a few hundredths = 1e-16 here; what remains is the (ω h)⁴/120 of runge-kutta.
TEST(Recording, times_between_steps_are_interpolated) {
  const Result r = run(oscillator);
  ASSERT_EQ(r.times.size(), 1460U);  // ⌊2/0.00137⌋ + 1
  EXPECT_EQ(r.times[7], 7 * 0.00137) << "no accumulation";
  EXPECT_LT(largest_error(r, "x", [](double t) { return std::sin(4 * t) / 4; }), 1e-10);
  EXPECT_LT(largest_error(r, "a", [](double t) { return -4 * std::sin(4 * t); }), 2e-9);
  // Coarse steps: (ω h)⁶ = 4e-7 at h = 0.02, times the largest weight of interpolation at the ends of the interval, 0.02
  const Result coarse = run(oscillator, {.step = 0.02});
  const Result at_steps = run(oscillator, {.step = 0.02, .output_step = 0.02});
  const double truncation = largest_error(at_steps, "x", [](double t) { return std::sin(4 * t) / 4; });
  EXPECT_LT(largest_error(coarse, "x", [](double t) { return std::sin(4 * t) / 4; }), 1.5 * truncation + 1e-8);
}

TEST(Recording, a_grid_coarser_or_finer_than_the_steps_has_the_same_values) {
  const Result fine = run(oscillator, {.output_step = 1e-3}), coarse = run(oscillator, {.output_step = 0.05}),
               finer = run(oscillator, {.output_step = 2.5e-4});
  for (size_t k = 0; k < coarse.times.size(); ++k) {
    EXPECT_EQ(coarse.channel("x")[k], fine.channel("x")[50 * k]);
    EXPECT_EQ(coarse.channel("x")[k], finer.channel("x")[200 * k]) << "a time that is a step takes the step's value";
  }
}

// Velocity of a ramp: 0, 0.8, 0. Interpolation across a kink would smear it.
TEST(Recording, nothing_is_interpolated_across_kinks) {
  for (const double output_step : {0.0137, 0.001, 0.3}) {
    const Result r = run(R"(
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 2, at: [0, 0, 0]}
joints:
  slide: {prismatic: [ground, body], axis: x, at: [0, 0, 0], motion: {ramp: {from: 0.2503, to: 0.2519, height: 0.4}}}
outputs:
  v: {rate: slide}
simulation: {duration: 1, step: 1e-3}
)",
                         {.output_step = output_step});
    EXPECT_LT(largest_error(r, "v", [](double t) { return t < 0.2503 || t >= 0.2519 ? 0 : 250; }), 1e-9) << output_step;
    EXPECT_EQ(r.times.size(), size_t(std::floor(1 / output_step * (1 + 1e-12))) + 1);
  }
}

// A body that spins about a tilted axis: yaw is counted on over full turns; the quaternion keeps w ≥ 0.
TEST(Recording, angles_over_many_turns) {
  const Result r = run(R"(
bodies:
  body: {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 0, 0], angular_velocity: [0, 0, 9]}
outputs:
  rpy: {orientation: body}
  q: {orientation: body, as: quaternion}
simulation: {duration: 5, step: 1e-2, output_step: 0.05, integrator: generalized-alpha}  # exact for a constant spin
)");
  EXPECT_LT(largest_error(r, "rpy.yaw", [](double t) { return 9 * t; }), 1e-11) << "45 rad";
  EXPECT_LT(largest_error(r, "rpy.roll", [](double) { return 0; }), 1e-12);
  const auto half = [](double t) { return std::remainder(9 * t, 2 * std::acos(-1.0)) / 2; };  // −π/2 … π/2: cosine not negative
  EXPECT_LT(largest_error(r, "q.w", [&](double t) { return std::cos(half(t)); }), 1e-11);
  EXPECT_LT(largest_error(r, "q.z", [&](double t) { return std::sin(half(t)); }), 1e-11);
}

// Roll, pitch and yaw as given at the start: R = Rz(yaw) Ry(pitch) Rx(roll).
TEST(Recording, orientation_comes_back_as_given) {
  const Result r = run(R"(
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 1, at: [0, 0, 0], orientation: {rpy: [0.4, -0.9, 2.5]}}
outputs:
  rpy: {orientation: body}
simulation: {duration: 0.1}
)");
  EXPECT_NEAR(r.last("rpy.roll"), 0.4, 1e-14);
  EXPECT_NEAR(r.last("rpy.pitch"), -0.9, 1e-14);
  EXPECT_NEAR(r.last("rpy.yaw"), 2.5, 1e-14);
}

// A prescribed hinge through twenty turns: joint coordinates count them too.
TEST(Recording, joint_angles_over_many_turns) {
  const Result r = run(R"(
bodies:
  body: {shape: {box: [0.3, 0.2, 0.1]}, mass: 1, at: [0, 0, 0]}
joints:
  hinge: {revolute: [ground, body], axis: [1, 2, 2], at: [0, 0, 0], motion: 60*t - 30*t^2}
outputs:
  angle: {coordinate: hinge}
simulation: {duration: 3, step: 1e-2, output_step: 0.02}
)");
  EXPECT_LT(largest_error(r, "angle", [](double t) { return 60 * t - 30 * t * t; }), 1e-11) << "up to 30 rad, and back to −90";
}

// Steps that follow output times, for any of these and any breakpoints: no step is longer than it may be, all end where they should, and what is recorded is
// that of a node. Closer than 10⁻⁶ of a step is the same time.
TEST(Recording, steps_follow_output_times) {
  std::mt19937 generator(1);
  std::uniform_real_distribution<> random(0, 1);
  for (int trial = 0; trial < 2000; ++trial) {
    const double duration = std::pow(10, -2 + 3 * random(generator));
    const double output_step =
        duration * (trial % 3 == 0 ? 1.0 / (1 + int(50 * random(generator))) : 1e-3 + 0.3 * random(generator));
    const double longest = std::min(2 * output_step, output_step * std::pow(10, -1.5 + 1.8 * random(generator)));
    std::vector<double> ends = {duration};
    for (int k = int(4 * random(generator)); k > 0; --k) {
      const double x = random(generator) * duration, end = trial % 5 == 0 ? output_step * int(x / output_step) : x;
      if (end > 0) ends.push_back(end);
    }
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    Recorder recorder(output_times(duration, output_step), 1, {0});
    double t = 0;
    for (const double end : ends) {
      const int steps = recorder.begin_piece(t, end, longest, end == duration, true);
      ASSERT_EQ(recorder.node_time(0), t);
      for (int i = 0; i <= steps; ++i) {
        const double next = recorder.node_time(i);
        if (i > 0) {
          ASSERT_GT(next, t);
          ASSERT_NEAR(next - t, recorder.step_size(i), 2e-6 * longest);
          ASSERT_LE(recorder.step_size(i), longest * (1 + 2e-6));
        }
        t = next;
        if (recorder.wants(i)) *recorder.node(i) = t, recorder.commit(i);
      }
      ASSERT_EQ(t, end);
    }
    ASSERT_EQ(recorder.written(), int(recorder.times().size()));
    for (int k = 0; k < recorder.written(); ++k) ASSERT_NEAR(recorder.values()[k], recorder.times()[k], 2e-6 * longest);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
