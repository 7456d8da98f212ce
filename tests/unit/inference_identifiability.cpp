// What data cannot tell is said; what they can tell is not doubted.
#include "inference/identifiability.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inference_functions.hpp"
#include "results/identification.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

const double drop = results::confidence_drop(0.95, 1);

Identifiability judge(const LogLikelihood& hill) {
  std::vector<Profile> profiles;
  for (size_t k = 0; k < hill.at.size(); ++k) profiles.push_back(profile(hill, int(k), drop));
  return identifiability(hill, curvature(hill), profiles, drop);
}

TEST(Identifiability, curvature_and_correlation_of_a_quadratic) {
  Eigen::Matrix2d weight;
  weight << 400, -300, -300, 900;
  const Function f = [&](std::span<const double> x) {
    const Eigen::Vector2d y(x[0] - 0.5, x[1] - 0.02);
    return 1e4 - y.dot(weight * y) / 2;
  };
  const LogLikelihood hill{f, {0.5, 0.02}, 1e4, {}};
  // round-off: 1e4 ε over the square of steps of about 0.05; near the rim the centre is moved, which changes nothing for a quadratic
  EXPECT_LT((curvature(hill) - weight).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_NEAR(correlation(weight)(0, 1), 0.5, 1e-12);  // 300 / √(400 · 900)
  EXPECT_EQ(correlation(weight)(1, 0), correlation(weight)(0, 1));
  EXPECT_TRUE(judge(hill).all_told());
}

TEST(Identifiability, only_a_sum_is_determined) {
  const Function f = [](std::span<const double> x) {
    return -std::pow((x[0] + x[1] - 0.9) / 0.05, 2) / 2 - std::pow((x[2] - 0.4) / 0.05, 2) / 2;
  };
  const Exploration e = explore(f, 3, {.uniform = uniform_numbers(1)});
  EXPECT_GT(f(e.at), -0.1);
  const Identifiability answer = judge(hill_of(e));
  EXPECT_EQ(answer.unbounded, (std::vector<int>{0, 1}));
  ASSERT_EQ(answer.inseparable.size(), 1u);
  EXPECT_EQ(answer.inseparable[0].first, 0);
  EXPECT_EQ(answer.inseparable[0].second, 1);
  EXPECT_LT(answer.inseparable[0].correlation, -0.95);
  ASSERT_EQ(answer.flat.size(), 1u);
  const Place& v = answer.flat[0].direction;
  EXPECT_NEAR(v[0] * v[1], -1, 0.1);  // (1, −1, 0) up to what the surrogate leaves open: errors of 0.1 against falls of 1
  EXPECT_NEAR(v[2], 0, 0.1);
}

TEST(Identifiability, a_sharp_maximum_at_the_rim_is_no_doubt) {
  const Function f = [](std::span<const double> x) { return -40 * x[0] - 30 * x[1]; };
  EXPECT_TRUE(judge({f, {0, 0}, 0, {}}).all_told());
}

TEST(Identifiability, four_spreads_are_told_apart) {
  const FourSpreads f;
  const Maximum top = maximise_locally(f, Box::unit(4), Place{0.3, 0.2, 0.4, 0.25}, {.tolerance = 1e-10});
  EXPECT_TRUE(judge({f, top.at, top.value, {}}).all_told());
}

TEST(Identifiability, in_words) {
  const Identifiability told{{2}, {{0, 1, -0.981}}, {{{1, -0.5, 0.05}, 0.3}}};
  EXPECT_EQ(
      in_words(told, {"a.std", "b.std", "c.std"}),
      (std::vector<std::string>{"the data contain almost no information on c.std: its interval is nearly the whole range",
                                "the data cannot distinguish a.std and b.std: their estimates have correlation -0.98",
                                "the data determine only combinations of: a.std (+1 of its range), b.std (-0.5 of its range)"}));
  EXPECT_TRUE(in_words({}, {"a.std"}).empty());
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
