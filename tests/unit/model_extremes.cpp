// Numbers that no mechanism has: what mutated copies of the examples found (tests/guard/mutated_models.cpp).
#include <gtest/gtest.h>

#include "input/error.hpp"
#include "support/run.hpp"

namespace aleator::test {
namespace {

std::string message_of(const std::string& yaml) {
  try {
    model_from(yaml);
  } catch (const input::InputError& e) {
    return e.what();
  }
  return "";
}

// duration / 1000 is 0.
TEST(ModelExtremes, a_duration_that_cannot_be_divided) {
  const std::string body = "bodies: {a: {shape: {sphere: {radius: 0.1}}, mass: 1}}\n";
  EXPECT_NE(
      message_of(body + "simulation: {duration: 5e-324}\n").find(":2:24: simulation: a duration of 4.94066e-324 s is too short"),
      std::string::npos);
  EXPECT_NE(message_of(body + "simulation: {duration: 5e-324, step: 1}\n").find("too short"), std::string::npos);
}

}  // namespace
}  // namespace aleator::test
