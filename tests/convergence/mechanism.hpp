// A mechanism for measuring orders: a sledge that is driven back and forth, on it a flywheel on a skew hinge, and on that a bar on a
// universal joint whose end is held by a spring. Rotations in space, closed-form solution none; every kind of quantity is an output.
// The drive has a kink at t = 0.15 (its velocity jumps by 0.4 m/s); duration 0.3 s.
#pragma once

#include <gtest/gtest.h>

#include <array>

#include "support/run.hpp"

namespace aleator::core::test {

inline const std::string mechanism = R"(
gravity: [0, 0, -9.81]
bodies:
  sledge: {shape: {box: [0.4, 0.2, 0.1]}, mass: 5, at: [0, 0, 0]}
  wheel: {shape: {cylinder: {radius: 0.2, length: 0.1, axis: z}}, mass: 3, at: [0.1, 0, 0.3], orientation: {rpy: [0.3, 0.2, 0]},
          velocity: [0, 0, 0], angular_velocity: [1, 2, 12]}
  bar: {shape: {box: [0.6, 0.04, 0.08]}, mass: 2, at: [0.4, 0.1, 0.5], angular_velocity: [3, -2, 9]}
joints:
  drive: {prismatic: [ground, sledge], axis: x, at: [0, 0, 0], motion: 0.05*sin(12*t) + 0.2*abs(t - 0.15)}
  hinge: {revolute: [sledge, wheel], axis: [0.2, -0.3, 1], at: [0.1, 0, 0.2]}
  cross: {universal: [wheel, bar], axis: x, second_axis: y, at: [0.15, 0.1, 0.45]}
forces:
  spring: {spring_damper: [ground, bar], points: [[1, 0.5, 1], [0.7, 0.1, 0.5]], stiffness: 200, damping: 2, length: 0.6}
outputs:
  position: {position: bar, at: [0.7, 0.1, 0.5]}
  velocity: {velocity: bar, at: [0.7, 0.1, 0.5]}
  acceleration: {acceleration: bar, at: [0.7, 0.1, 0.5]}
  spin: {angular_velocity: wheel}
  turning: {angular_acceleration: wheel}
  push: {reaction: drive}
  bearing: {reaction: hinge}
  bending: {reaction_torque: hinge}
  cross: {reaction_torque: cross}
simulation: {duration: 0.3, output_step: 0.01}
)";

inline const std::vector<std::string> kinds = {"position", "velocity", "acceleration", "spin", "turning",
                                               "push",     "bearing",  "bending",      "cross"};

// The largest difference of a vector output from the reference, over output times in [from, to], relative to its largest value.
inline double difference(const Result& r, const Result& reference, const std::string& name, double from, double to) {
  double worst = 0, size = 0;
  for (const char c : {'x', 'y', 'z'}) {
    const std::vector<double> a = r.channel(name + "." + c), b = reference.channel(name + "." + c);
    for (size_t k = 0; k < a.size(); ++k) {
      if (r.times[k] < from - 1e-12 || r.times[k] > to + 1e-12) continue;
      worst = std::max(worst, std::abs(a[k] - b[k]));
      size = std::max(size, std::abs(b[k]));
    }
  }
  return worst / size;
}

}  // namespace aleator::core::test
