// Numbers that no mechanism has: what mutated copies of the examples found (tests/guard/mutated_models.cpp).
#include <gtest/gtest.h>

#include "dynamics/errors.hpp"
#include "input/error.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string message_of(const std::string& yaml) {
  return test::message_of<input::InputError>([&] { model_from(yaml); });
}

// duration / 1000 is 0.
TEST(ModelExtremes, a_duration_that_cannot_be_divided) {
  const std::string body = "bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}}\n";
  EXPECT_NE(
      message_of(body + "simulation: {duration: 5e-324}\n").find(":2:24: simulation: a duration of 4.94066e-324 s is too short"),
      std::string::npos);
  EXPECT_NE(message_of(body + "simulation: {duration: 5e-324, step: 1}\n").find("too short"), std::string::npos);
}

// The square of the reaction is beyond all numbers.
TEST(ModelExtremes, an_output_that_is_not_finite_fails_the_simulation) {
  try {
    run("gravity: [-1e300, 0, 0]\nbodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}}\njoints: {pin: {fixed: [ground, a]}}\n"
        "outputs: {pull: {reaction: pin, component: norm}}\nsimulation: {duration: 1, step: 0.1}\n");
    FAIL() << "an infinite result";
  } catch (const SimulationError& e) {
    EXPECT_STREQ(e.what(), "the output 'pull' (test.yaml:4:11) is not finite at t = 0 s: the numbers of the model are too large");
    EXPECT_EQ(e.time, 0);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
