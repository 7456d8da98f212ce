// N four-bar mechanisms side by side (IFToMM A02): links of 1 m and 1 kg, pins on the ground at x = 0 … N, verticals up to B0 …
// BN at t = 0, horizontals between them. One freedom θ, the turn of all verticals to the right; N + 1 when they lie flat.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "energy_integral.hpp"

namespace aleator::core::test {

inline std::string n_four_bar(int n, double duration, double step, const std::string& integrator = "generalized-alpha") {
  std::string bodies, joints;
  for (int i = 0; i <= n; ++i) {
    bodies += fmt::format(
        "  v{}: {{mass: 1, inertia: 1/12, center_of_mass: [{}, 0.5], velocity: [0.5, 0], angular_velocity: -1}}\n", i, i);
    joints += fmt::format("  pin{}: {{revolute: [ground, v{}], at: [{}, 0]}}\n", i, i, i);
  }
  for (int i = 1; i <= n; ++i) {
    bodies += fmt::format("  h{}: {{mass: 1, inertia: 1/12, center_of_mass: [{}, 1], velocity: [1, 0]}}\n", i, i - 0.5);
    joints += fmt::format("  left{}: {{revolute: [v{}, h{}], at: [{}, 1]}}\n", i, i - 1, i, i - 1);
    joints += fmt::format("  right{}: {{revolute: [v{}, h{}], at: [{}, 1]}}\n", i, i, i, i);
  }
  return fmt::format(
      "plane: xy\ngravity: [0, -9.81]\nbodies:\n{}joints:\n{}"
      "outputs:\n  turn: {{coordinate: pin0}}\n  last_turn: {{coordinate: pin{}}}\n  energy: {{energy: all}}\n  violation: "
      "{{constraint_violation: all}}\n"
      "simulation: {{duration: {}, step: {}, output_step: {}, integrator: {}}}\n",
      bodies, joints, n, duration, step, duration / 200, integrator);
}

// Verticals turn about their ends, horizontals move on a circle of 1 m: with θ = 0 on top,
//   T = ½ m θ̇²,  m = (N+1)/3 + N;   V = w cos θ,  w = 9.81 ((N+1)/2 + N);   T + V = ½ m (1 rad/s)² + w.
struct NFourBarMotion {
  explicit NFourBarMotion(int n) : inertia((n + 1) / 3.0 + n), weight(9.81 * ((n + 1) / 2.0 + n)) {}
  double rate(double theta) const { return std::sqrt(1 + 2 * weight * (1 - std::cos(theta)) / inertia); }
  double time(double theta) const {
    return integral<double>([&](double x) { return 1 / rate(x); }, 0, theta, 0.1);
  }
  double energy() const { return 0.5 * inertia + weight; }
  double inertia, weight;
};

}  // namespace aleator::core::test
