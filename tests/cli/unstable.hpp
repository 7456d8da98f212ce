// A study whose realizations fail on their way when they are stiff: an explicit method beyond its limit of stability.
#pragma once

#include <string>

namespace aleator::core::test {

constexpr double unstable_duration = 4;
// RK4 is stable up to ωh = 2√2 with ω = √(k/m), m = 1 kg: up to k = 8/h², here 5·10⁵ N/m with the step and 16 times that with a quarter.
constexpr double stiffest = 8 / (4e-3 * 4e-3), stiffest_with_a_quarter = 16 * stiffest;

// k = 10^s with s between 2 and 8: three in five are finished, one in five needs smaller steps, one in five fails.
inline std::string unstable(const std::string& study = "samples: 40") {
  return "parameters: {s: 4}\n"
         "bodies:\n  a: {shape: {sphere: {radius: 0.1}}, mass: 1, velocity: [1, 0, 0]}\n"
         "joints:\n  guide: {prismatic: [ground, a], axis: x, spring: {stiffness: 10^s}}\n"
         "outputs:\n  x: {position: a, component: x}\n"
         "simulation: {duration: 4, step: 4e-3, output_step: 0.1, integrator: runge-kutta}\n"
         "uncertain:\n  s: {uniform: {lower: 2, upper: 8}}\n"
         "study: {" +
         study + "}\n";
}

}  // namespace aleator::core::test
