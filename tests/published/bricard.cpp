// Bricard's mechanism, IFToMM benchmark A04: five rods and six hinges in a loop. Grübler's count gives no freedom, the loop has
// one. Expected: the motion of P3 as published with the benchmark (a period of 5.0 s, x between 1 and −1, z between 0 and −0.5,
// y between −1 and −0.866), and conservation of energy.
#include <gtest/gtest.h>

#include <algorithm>

#include "dynamics/start.hpp"
#include "support/model_text.hpp"
#include "support/run.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

struct Range {
  double smallest, largest;
};
Range range(const Result& r, const std::string& name) {
  const std::vector<double> v = r.channel(name);
  const auto [low, high] = std::minmax_element(v.begin(), v.end());
  return {*low, *high};
}
double energy_error(const Result& r) {
  const Range e = range(r, "energy");
  return e.largest - e.smallest;
}

void expect_published_motion(const std::string& integrator) {
  const Result r =
      run(with_outputs(example("bricard"), "  violation: {constraint_violation: all}\n"), {.integrator = integrator});
  // Two periods at times of 0.02 s: the turning points lie between two of them, up to 5e-5 beyond what is seen.
  const Range x = range(r, "P3.x"), y = range(r, "P3.y"), z = range(r, "P3.z");
  EXPECT_NEAR(x.largest, 1, 1e-9);
  EXPECT_NEAR(x.smallest, -1, 5e-5);
  EXPECT_NEAR(y.smallest, -1, 1e-9);
  EXPECT_NEAR(y.largest, -std::sqrt(0.75), 5e-5);
  EXPECT_NEAR(z.largest, 0, 1e-9);
  EXPECT_NEAR(z.smallest, -0.5, 5e-5);
  // It is back where it was at 4.99 s and 9.98 s: "5.0 s" in the two digits published.
  EXPECT_NEAR(r.at("P3.x", 4.98), 1, 5e-4);
  EXPECT_NEAR(r.at("P3.x", 5.00), 1, 5e-4);
  EXPECT_NEAR(r.at("P3.x", 9.98), 1, 5e-5);
  EXPECT_LT(r.at("P3.x", 2.5), -0.999);
  EXPECT_LT(range(r, "violation").largest, 1e-12);  // round-off of 1 m over 5000 steps
}

TEST(BricardMotion, generalized_alpha) { expect_published_motion("generalized-alpha"); }
TEST(BricardMotion, runge_kutta) { expect_published_motion("runge-kutta"); }

// −29.43 J at the start. What is left is the error of the scheme: h² and h⁴.
TEST(BricardEnergy, is_conserved_to_the_order_of_the_scheme) {
  const std::string text = example("bricard");
  const std::string second_order = "generalized-alpha";
  const double alpha = energy_error(run(text, {.integrator = second_order})),
               alpha_half = energy_error(run(text, {.integrator = second_order, .step = 1e-3}));
  EXPECT_LT(alpha, 5e-5);
  EXPECT_NEAR(alpha / alpha_half, 4, 0.2);
  const double rk = energy_error(run(text, {.integrator = "runge-kutta"})),
               rk_half = energy_error(run(text, {.integrator = "runge-kutta", .step = 1e-3}));
  EXPECT_LT(rk, 5e-4);
  EXPECT_NEAR(rk / rk_half, 16, 2);
}

TEST(BricardRedundancy, one_constraint_follows_from_all_six_hinges) {
  const Redundancy r = redundancy(model_of_file("examples/bricard.yaml"));
  EXPECT_EQ(r.velocities, 30);
  EXPECT_EQ(r.rows, 30);
  EXPECT_EQ(r.rank, 29);
  EXPECT_EQ(r.freedoms(), 1);
  ASSERT_EQ(r.dependent.size(), 1u);
  std::vector<std::string> joints = r.sets[0];
  std::sort(joints.begin(), joints.end());
  EXPECT_EQ(joints, (std::vector<std::string>{"hinge1", "hinge2", "hinge3", "hinge4", "hinge5", "hinge6"}));
}

TEST(BricardRedundancy, a_wrong_axis_locks_the_loop) {
  for (const char* axis : {"y", "z", "[1, 0, 0.001]"}) {
    const Model locked =
        model_from(replaced(example("bricard"), "[rod2, rod3], axis: x", std::string("[rod2, rod3], axis: ") + axis));
    const Redundancy r = redundancy(locked);
    EXPECT_EQ(r.freedoms(), 0) << axis;
    EXPECT_TRUE(r.dependent.empty()) << axis;
  }
}

// With the axis truly wrong nothing moves; round-off of the regularised multipliers is all there is.
TEST(BricardRedundancy, a_locked_loop_stays_where_it_is) {
  const Result r = run(replaced(example("bricard"), "[rod2, rod3], axis: x", "[rod2, rod3], axis: y"));
  EXPECT_NEAR(r.last("P3.x"), 1, 1e-11);
  EXPECT_NEAR(r.last("P3.y"), -1, 1e-11);
  EXPECT_NEAR(r.last("P3.z"), 0, 1e-11);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
