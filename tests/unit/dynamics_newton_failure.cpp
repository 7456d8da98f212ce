// What is said of a step that fails, with the places of what it names.
#include "dynamics/newton_failure.hpp"

#include <gtest/gtest.h>

#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string blocks(int joints) {
  std::string text = "bodies:\n", sliding = "joints:\n";
  for (int i = 1; i <= joints; ++i) {
    text += "  b" + std::to_string(i) + ": {shape: {sphere: {radius: 0.1}}, mass: 1, at: [0, 0, 0]}\n";
    sliding += "  j" + std::to_string(i) + ": {prismatic: [ground, b" + std::to_string(i) +
               "], axis: x, at: [0, 0, 0], stops: {lower: -1, upper: 1, stiffness: 1e3}}\n";
  }
  return text + sliding + "simulation: {duration: 1}\n";
}

TEST(NewtonFailure, names_the_body_that_moves_and_what_acts_on_it_with_their_places) {
  const Model model = model_from(blocks(2));
  std::vector<double> corrections(6 * model.topology.carriers.size());
  corrections[6] = 1;  // the second body
  EXPECT_EQ(
      newton_failure(model, corrections.data(), 0.25, 0.01),
      "Newton's iteration did not converge in the step from t = 0.25 s (h = 0.01 s); it moves body 'b2' (test.yaml:3:3) most, "
      "on which these act: stops of joint 'j2' (test.yaml:6:3). Try a smaller 'step', or 'integrator: auto', which reduces "
      "steps where that is necessary");
}

TEST(NewtonFailure, names_some_of_many_suspects) {
  const std::string said = step_failure(model_from(blocks(6)), 0.25, 1e-9);
  EXPECT_NE(said.find("stops of joint 'j4' (test.yaml:12:3) and 2 more: try"), std::string::npos) << said;
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
