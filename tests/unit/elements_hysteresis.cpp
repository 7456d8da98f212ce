// Numbers of Bouc–Wen hysteresis: which of them mean the same, and what is refused.
#include "elements/hysteresis.hpp"

#include <gtest/gtest.h>

#include "elements/hysteretic_force.hpp"
#include "model/plausibility.hpp"
#include "support/message_of.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

std::string with(const std::string& law) {
  return "bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
         "forces: {pad: {bouc_wen: [ground, m], points: [[0, 0, 0], [1, 0, 0]], " +
         law +
         "}}\n"
         "simulation: {duration: 1}\n";
}
HystereticForce::Parameters<double> numbers(const std::string& law) {
  const Model m = model_from(with(law));
  const HysteresisRecord& r = m.topology.hysteresis.at(0);
  return *reinterpret_cast<const HystereticForce::Parameters<double>*>(m.nominal.groups[size_t(r.group)].data());
}
std::string refusal(const std::string& law) {
  return input_message_of([&] { model_from(with(law)); });
}

// β + γ = 2 and n = 3: z up to 0.5^(1/3); H = (1 − α) k z.
TEST(BoucWen, the_same_law_said_in_several_ways) {
  const double bound = std::cbrt(0.5);
  const std::string k = "stiffness: 4, post_yield_ratio: 0.25, exponent: 3, ", x = text(bound);
  for (const std::string& law :
       {k + "beta: 1.5, gamma: 0.5", k + "beta: 1.5, yield_displacement: " + x, k + "gamma: 0.5, yield_force: 4*" + x,
        k + "gamma: 0.5, beta: 1.5, yield_displacement: " + x + ", yield_force: 4*" + x}) {
    const auto p = numbers(law);
    EXPECT_NEAR(p.stiffness, 1, 1e-14) << law;
    EXPECT_NEAR(p.strength, 3 * bound, 1e-14) << law;
    EXPECT_NEAR(p.unit, bound, 1e-14) << law;
    EXPECT_NEAR(p.rate, 1 / bound, 1e-14) << law;
    EXPECT_NEAR(p.loss, 0.75, 1e-14) << law;
    EXPECT_NEAR(p.bend, 0.25, 1e-14) << law;
  }
  EXPECT_NEAR(numbers("stiffness: 4, yield_force: 2").bend, 0.5, 1e-15);  // unloading is straight
  // A = 2: the line before yielding, of stiffness (α + (1 − α) A) k = 6, meets (1 − α) k z = 4 z at x = 0.5 for z up to A x = 1.
  EXPECT_NEAR(numbers("stiffness: 4, A: 2, post_yield_ratio: 0.5, yield_force: 3").unit, 1, 1e-15);
}

TEST(BoucWen, what_is_refused) {
  EXPECT_EQ(refusal("stiffness: 4"),
            "force 'pad': it does not say when it yields; give 'yield_force', or 'yield_displacement', or 'beta' and 'gamma'");
  EXPECT_EQ(
      refusal("stiffness: 4, beta: 2"),
      "force 'pad': 'beta' alone does not say when it yields; give 'gamma' as well, or 'yield_displacement', or 'yield_force'");
  EXPECT_EQ(refusal("stiffness: -4, yield_force: 2"), "force 'pad': 'stiffness' must be positive, found -4");
  EXPECT_EQ(refusal("stiffness: 4, yield_force: 2, post_yield_ratio: 1.5"),
            "force 'pad': 'post_yield_ratio' is the stiffness after yielding divided by the one before, from 0 to 1; found 1.5");
  EXPECT_EQ(refusal("stiffness: 4, yield_force: 2, exponent: 0.5"), "force 'pad': 'exponent' must be at least 1, found 0.5");
  EXPECT_EQ(refusal("stiffness: 4, beta: 1, gamma: -1"),
            "force 'pad': 'beta' + 'gamma' is 0; it must be positive, or z grows without bound");
  EXPECT_EQ(
      refusal("stiffness: 4, yield_force: 2, yield_displacement: 1"),
      "force 'pad': 'yield_displacement' is 1, but 'yield_force' and 'stiffness' make it 0.5; give one of 'yield_force' and "
      "'yield_displacement'");
  EXPECT_EQ(refusal("stiffness: 4, yield_force: 2, beta: 1, gamma: 3"),
            "force 'pad': 'beta' + 'gamma' is 4, but a yield displacement of 0.5 makes it 2; leave one of them out");
  EXPECT_EQ(refusal("stiffness: 4, beta: -1, gamma: 3"), "force 'pad': 'beta' may not be negative, found -1");
  EXPECT_EQ(
      refusal("stiffness: 4, yield_force: 2, gamma: 3"),
      "force 'pad': 'gamma' is 3, but a yield displacement of 0.5 makes 'beta' + 'gamma' 2; 'beta' must not be negative, or z "
      "grows without bound");
  EXPECT_EQ(refusal("stiffness: 4, yield_force: 2, initial: -0.7"), "force 'pad': 'initial' is -0.7, but z cannot exceed 0.5");
  EXPECT_EQ(
      refusal("stiffness: 4, yield_force: 2, axis: x, length: 2"),
      "force 'pad': 'length' is that of a line between the points; with 'axis', displacements are measured from the drawing; "
      "leave one of them out");
}

TEST(BoucWen, directions_of_a_bushing_must_be_named) {
  const auto bushing = [](const std::string& law) {
    return input_message_of([&] {
      model_from(
          "bodies: {m: {mass: 1, inertia: {xx: 1, yy: 1, zz: 1}}}\n"
          "forces: {pad: {bushing: [ground, m], at: [0, 0, 0], hysteresis: " +
          law + "}}\nsimulation: {duration: 1}\n");
    });
  };
  const std::string message = "force 'pad': 'hysteresis' must name axes of the bushing, as in {x: …, y: …} (x, y, z)";
  EXPECT_EQ(bushing("{stiffness: 4, yield_force: 2}"), message);
  EXPECT_EQ(bushing("{rx: {stiffness: 4, yield_force: 2}}"), message);
  EXPECT_EQ(bushing("{x: {stiffness: 4, yield_force: 2}}"), no_error);
}

TEST(BoucWen, outputs_want_hysteresis) {
  const std::string text = with("stiffness: 4, yield_force: 2") + "outputs: {z: {hysteretic_displacement: pat}}\n";
  EXPECT_EQ(input_message_of([&] { model_from(text); }),
            "output 'z': 'pat' is no force or joint with hysteresis (did you mean 'pad'?)");
}

TEST(BoucWen, note_where_it_may_supply_energy) {
  const std::vector<std::string> notes = plausibility_notes(model_from(with("stiffness: 4, beta: 1, gamma: 2")));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("note: force 'pad': with |gamma| > beta the hysteresis may supply energy"), std::string::npos)
      << notes[0];
  EXPECT_TRUE(plausibility_notes(model_from(with("stiffness: 4, beta: 2, gamma: -1"))).empty());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
