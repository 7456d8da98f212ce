// Expressions of time on arrays: the values are muParser's, and what can make them discontinuous is known.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "input/expression.hpp"
#include "model/language.hpp"
#include "model/model.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// A model whose only function of time is this.
input::Description with(const std::string& expression) {
  const std::string text =
      "parameters: {a: 1.3, b: -0.7}\nbodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
      "joints: {g: {prismatic: [ground, m], axis: x, actuator: \"" +
      expression + "\"}}\nsimulation: {duration: 1, step: 0.1}\n";
  return input::read_text(text, "m.yaml", language());
}

const input::Number& number_of(const input::Description& d) {
  const input::Item& f = d.section("joints")[0].find("actuator")->by_direction.at(0).value.items.at(0);
  return (f.subject.items.empty() ? f : f.subject.items[0]).find("value")->number;
}

TEST(TimeProgram, has_the_values_of_the_expression) {
  int tried = 0;
  for (const char* text : {"a*sin(3*t + b)",
                           "-t^2",
                           "2^-t",
                           "2^3^t",
                           "-a^2*t",
                           "a - b - t",
                           "a/b/t",
                           "t > 0.5 ? a : b",
                           "t < 0.3 ? 0 : t < 0.6 ? 1 : a*t",
                           "min(t, a, 0.4) + max(t, b)",
                           "abs(sin(20*t)) * 30 deg",
                           "floor(5*t) + ceil(a*t)",
                           "t*50% + e^t + pi",
                           "sign(t - 0.5)*pow(t, 3)",
                           "atan2(sin(t), cos(t))",
                           "(t > 0.2 && t < 0.4) || t > 0.8 ? 1 : 0",
                           "exp(-t)*log(1 + t)*sqrt(t) + tanh(t) - log10(t + 1)",
                           "t == 0.5 ? 1 : t != a ? 2 : 3",
                           "t >= 0.5",
                           "-(-t)*+a"}) {
    input::Description d;
    try {
      d = with(text);
    } catch (const input::InputError&) {
      continue;  // nothing of the language
    }
    ++tried;
    const input::Number& n = number_of(d);
    ASSERT_GE(n.program, 0) << text;
    EXPECT_TRUE(d.expressions->programs[size_t(n.program)].on_arrays) << text;
    const input::Scope scope(d);
    std::vector<double> t, y(301);
    for (int i = 0; i < 301; ++i) t.push_back(0.001 + i / 299.0);
    scope(n, t, y);
    for (size_t i = 0; i < t.size(); ++i)  // the order of a few operations may differ
      EXPECT_NEAR(y[i], scope(n, t[i]), 1e-14 * (1 + std::abs(y[i]))) << text << " at " << t[i];
  }
  EXPECT_GE(tried, 18) << "two are perhaps nothing of the language";
}

TEST(TimeProgram, knows_where_it_can_be_discontinuous) {
  const auto switches = [](const char* text) {
    const input::Description d = with(text);
    return input::Scope(d).switches(number_of(d));
  };
  EXPECT_EQ(switches("a*sin(t)"), 0);
  EXPECT_EQ(switches("abs(t - a)"), 1);
  EXPECT_EQ(switches("max(0, t - a)"), 1);
  EXPECT_EQ(switches("max(a, b) * t"), 0) << "that does not change with time";
  EXPECT_GE(switches("t > a ? floor(t) : 0"), 2);
}

TEST(TimeProgram, says_where_it_is_not_finite) {
  const input::Description d = with("1/(t - 0.5)");
  const input::Scope scope(d);
  const std::vector<double> t = {0.25, 0.5};
  std::vector<double> y(2);
  try {
    scope(number_of(d), t, y);
    FAIL();
  } catch (const input::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("is not finite for t = 0.5"), std::string::npos) << e.what();
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
