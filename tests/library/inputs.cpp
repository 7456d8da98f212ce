// Inputs of an ensemble that are chosen by name: random or not, the responses are those of the model with these numbers set.
#include <gtest/gtest.h>
#include <aleator/aleator.hpp>

#include <cmath>
#include <cstring>

namespace ALEATOR_FILE {

using namespace aleator;

constexpr const char* text = R"(
parameters: {k: 100, c: 2, v0: 1, length: 0.4}
bodies: {block: {shape: {box: [0.1, 0.1, 0.1]}, mass: 1, velocity: [v0, 0, 0]}}
joints: {guide: {prismatic: [ground, block], axis: x, spring: {stiffness: k}, damper: c}}
outputs: {x: {position: block, component: x, limits: {above: 0.105}}, v: {velocity: block, component: x}}
scalars: {peak: {maximum: x}, late: {first_crossing: x, level: v0 / 20}}
uncertain: {k: {lognormal: {mean: 100, cov: 0.1}}, block: {mass: {cov: 0.1}}}
simulation: {duration: length, step: 0.004, output_step: 0.02, integrator: runge-kutta}
)";

bool same(std::span<const double> a, std::span<const double> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(ChosenInputs, give_the_responses_of_the_model_with_these_numbers) {
  const Model model = model_from_text(text);
  const Ensemble forward(model, {.inputs = {"c", "block.mass", "v0", "block.inertia.zz"}});
  EXPECT_EQ(forward.nominal()[0], 2);
  EXPECT_EQ(forward.nominal()[1], 1);
  const std::vector<double> x = {3, 1.2, 0.7, 0.002, 0, 0.9, 1, 0.0021};
  const Responses y = forward.evaluate(x);
  ASSERT_TRUE(y.failures.empty());
  for (std::size_t s = 0; s < 2; ++s) {
    Settings set;
    for (std::size_t i = 0; i < 4; ++i) set[forward.inputs()[i]] = x[4 * s + i];
    const Trajectory alone = simulate(model_from_text(text, set));  // not random there: k is 100
    for (std::size_t t = 0; t < y.time.size(); ++t)
      for (std::size_t o = 0; o < 2; ++o)
        EXPECT_NEAR(y.at(s, t)[o], alone.values[2 * t + o], 1e-13);  // lanes fuse, a scalar does not
  }
  // Levels follow what is given: v0/20 is reached after some 0.05 s, also at 0.7 m/s; the nominal 0.05 m would take 0.08 s.
  EXPECT_LT(y.scalar_values[1], 0.06);
}

TEST(ChosenInputs, are_bitwise_those_of_the_random_quantities_in_any_order) {
  const Model model = model_from_text(text);
  const Ensemble random(model), swapped(model, {.inputs = {"block.mass", "k"}});
  const std::vector<double> x = random.draw(20), z = swapped.draw(20);
  EXPECT_EQ(x[0], z[1]);
  EXPECT_TRUE(same(random.evaluate(x).values, swapped.evaluate(z).values));
  const Ensemble one(model, {.inputs = {"k", "c"}});  // the mass is nominal, c has no distribution
  EXPECT_EQ(one.draw(3)[2], x[2]);
  EXPECT_EQ(one.draw(3)[3], 2);
}

TEST(ChosenInputs, have_derivatives) {
  const Model model = model_from_text(text);
  const Ensemble forward(model, {.inputs = {"c", "k"}});
  const Jacobian j = forward.jacobian(std::vector<double>{0, 100});
  // Weak damping: x = v/ω sin ωt e^(−ct/2m), ∂x/∂c = −t/2 x at c = 0, where ω is stationary.
  for (std::size_t t = 0; t < j.responses.time.size(); ++t) {
    const double time = j.responses.time[t], exact = -time / 2 * 0.1 * std::sin(10 * time);
    EXPECT_NEAR(j.values[j.index(0, t, 0, 0)], exact, 1e-7);
    EXPECT_LE(std::abs(j.values[j.index(0, t, 0, 0)] - exact), j.errors[j.index(0, t, 0, 0)] + 1e-7);
  }
}

TEST(ChosenInputs, of_a_model_without_anything_random) {
  std::string plain = text;
  plain.erase(plain.find("uncertain"), plain.find("simulation") - plain.find("uncertain"));
  const Ensemble forward(model_from_text(plain), {.inputs = {"k"}});
  EXPECT_EQ(forward.evaluate(std::vector<double>{90, 110}).failures.size(), 0u);
}

TEST(ChosenInputs, that_are_no_numbers_of_the_model_are_refused) {
  const Model model = model_from_text(text);
  const auto why = [&](std::vector<std::string> names) {
    try {
      const Ensemble forward(model, {.inputs = std::move(names)});
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(why({"kk"}).find("'kk' cannot be an input: there is no such number in the model (did you mean 'k'?)"),
            std::string::npos)
      << why({"kk"});
  EXPECT_NE(why({"k", "k"}).find("'k' is twice among the inputs"), std::string::npos);
  EXPECT_NE(why({"block.mass.cov"}).find("belongs to a distribution"), std::string::npos);
  EXPECT_NE(why({"length"}).find("must be the same for all realizations"), std::string::npos) << why({"length"});
}

}  // namespace ALEATOR_FILE
