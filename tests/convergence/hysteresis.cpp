// Orders of the integrators in the state of a Bouc–Wen hysteresis, before the motion turns round (where |ẋ| has a kink).
// Reference: radau with a small step.
#include <gtest/gtest.h>

#include <cmath>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

const std::string text = R"(
bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}, velocity: [3, 0, 0]}}
joints: {slide: {prismatic: [ground, m], axis: x, damper: 0.3,
  hysteresis: {stiffness: 9, post_yield_ratio: 0.1, beta: 2, gamma: 1, exponent: 2}}}
outputs:
  x: {coordinate: slide}
  z: {hysteretic_displacement: slide}
  E: {dissipated_energy: slide}
simulation: {duration: 0.48, output_step: 0.16}
)";

TEST(HysteresisOrder, is_that_of_the_integrator) {
  const Model m = model_from(text);
  const Result reference = run(m, {.integrator = "radau", .step = 5e-4, .tolerance = 1e-13});
  struct Case {
    const char* integrator;
    double order, coarse;
  };
  for (const auto& [integrator, order, coarse] :
       {Case{"generalized-alpha", 2, 8e-3}, {"runge-kutta", 4, 1.6e-2}, {"radau", 5, 3e-2}}) {
    const Result a = run(m, {.integrator = integrator, .step = coarse, .tolerance = 1e-12}),
                 b = run(m, {.integrator = integrator, .step = coarse / 2, .tolerance = 1e-12});
    for (const char* name : {"x", "z", "E"}) {
      const double first = std::abs(a.last(name) - reference.last(name)), second = std::abs(b.last(name) - reference.last(name));
      EXPECT_NEAR(std::log2(first / second), order, 0.4) << integrator << " " << name << " " << first << " " << second;
    }
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
