// Cheap models whose responses are smooth, oscillate within the scatter, or have a discontinuous slope.
#pragma once

#include <string>
#include <vector>

namespace aleator::test {

struct CoverageModel {
  const char *name, *text;
};

inline const std::vector<CoverageModel>& coverage_models() {
  static const std::vector<CoverageModel> models = {
      // x = v/ω sin ωt, ω² = k/m: smooth, of two variables.
      {"oscillator", R"yaml(
parameters: {k: 100}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}}}
outputs: {x: {position: block, component: x, limits: {above: 0.102}}, v: {velocity: block, component: x}}
scalars: {peak: {maximum: x}, last: {final: v}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.15}}, block: {mass: {cov: 0.1}}}
simulation: {duration: 0.4, step: 0.005, output_step: 0.04, integrator: runge-kutta}
)yaml"},
      // The same for some periods: its phase varies by a radian, and the last of its polynomials matter.
      {"phase", R"yaml(
parameters: {k: 100}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [1, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}, damper: 0.4}}
outputs: {x: {position: block, component: x, limits: {above: 0.07}}, v: {velocity: block, component: x}}
scalars: {peak: {minimum: x}, last: {final: v}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.2}}, block: {mass: {cov: 0.15}}}
simulation: {duration: 2, step: 0.01, output_step: 0.1, integrator: runge-kutta}
)yaml"},
      // A pendulum from 120°, of random length, mass and friction.
      {"pendulum", R"yaml(
gravity: [0, 0, -9.81]
parameters: {l: 1, c: 0.3, a: 120}
bodies: {bob: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, at: [0, 0, 0]}}
joints: {pivot: {revolute: [ground, bob], axis: y, at: ["-l*sin(a*pi/180)", 0, "l*cos(a*pi/180)"], damper: c}}
outputs: {angle: {coordinate: pivot, limits: {above: 2.9}}, rate: {velocity: bob, component: x}}
scalars: {most: {maximum: angle}, last: {final: angle}}
uncertain: {l: {uniform: {lower: 0.85, upper: 1.15}}, c: {gamma: {mean: 0.3, cov: 0.3}}, a: {normal: {mean: 120, std: 5}}}
simulation: {duration: 1.5, step: 0.01, output_step: 0.1, integrator: runge-kutta}
)yaml"},
      // A block runs into a soft stop, which some reach and some do not.
      {"stop", R"yaml(
parameters: {v: 1, gap: 0.1}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [v, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: 100}, stops: {upper: gap, stiffness: 4000}}}
outputs: {x: {position: block, component: x, limits: {above: 0.1}}, v: {velocity: block, component: x, limits: {below: -0.9}}}
scalars: {peak: {maximum: x}, last: {final: v}}
uncertain: {v: {normal: {mean: 1, std: 0.1}}, gap: {uniform: {lower: 0.08, upper: 0.12}}}
simulation: {duration: 0.3, step: 0.002, output_step: 0.03, integrator: runge-kutta}
)yaml"},
  };
  return models;
}

}  // namespace aleator::test
