// What is found with few evaluations is checked where it matters.
#include "inference/verify.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inference_functions.hpp"
#include "results/identification.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

const double drop = results::confidence_drop(0.95, 1);

// A spread from twenty normal numbers, over a range of a factor of 200: −n (log s + ŝ²/2s²), s = 0.005 · 200ˣ, ŝ = 0.104.
double spread(double x) { return 0.005 * std::pow(200, x); }
double of_spread(std::span<const double> x) {
  return -20 * (std::log(spread(x[0])) + 0.104 * 0.104 / (2 * std::pow(spread(x[0]), 2)));
}

Exploration explored(const std::vector<double>& at) {
  Exploration e;
  Eigen::MatrixXd points(1, Eigen::Index(at.size()));
  for (std::size_t i = 0; i < at.size(); ++i) {
    points(0, Eigen::Index(i)) = at[i];
    e.points.push_back({at[i]});
    e.values.push_back(of_spread(e.points.back()));
  }
  e.region_drop = drop;
  e.surrogate = Surrogate(points, e.values, surrogate_depth(drop));
  const Maximum top =
      maximise_locally([&](std::span<const double> x) { return e.surrogate.value(x); }, Box::unit(1), std::vector<double>{0.62});
  e.at = top.at;
  e.largest = top.value;
  return e;
}

// Nothing was evaluated between 0.039 and 0.128: the maximum of the surrogate is not that of the function.
const std::vector<double> with_a_gap = {0, 0.2, 0.388, 0.612, 0.75, 0.9, 1};

TEST(Verify, a_maximum_and_ends_that_were_never_evaluated_are_found) {
  Exploration e = explored(with_a_gap);
  const Verification v = verify(of_spread, e, {.drop = drop, .evaluations = 60});
  EXPECT_TRUE(v.agreed);
  EXPECT_LE(v.error, 0.3);
  EXPECT_LT(e.values.size(), 60u);
  // With a log-likelihood right to 0.15 at the ends, whose slopes are 40 and 15 per unit of log s; at the top, twice the root of
  // 0.15/20.
  EXPECT_NEAR(std::log(spread(e.at[0]) / 0.104), 0, 0.09);
  for (const double end : {v.profiles[0].lower, v.profiles[0].upper})
    EXPECT_NEAR(of_spread(std::vector<double>{std::log(0.104 / 0.005) / std::log(200)}) - of_spread(std::vector<double>{end}),
                drop, 0.15);
}

TEST(Verify, what_is_not_known_is_said) {
  Exploration e = explored(with_a_gap);
  const Verification none = verify(of_spread, e, {.drop = drop, .evaluations = int(with_a_gap.size())});
  EXPECT_FALSE(none.agreed);
  EXPECT_TRUE(std::isnan(none.error));
  const Verification one = verify(of_spread, e, {.drop = drop, .evaluations = int(with_a_gap.size()) + 1});
  EXPECT_FALSE(one.agreed);
  EXPECT_TRUE(std::isnan(one.error));
  EXPECT_EQ(e.values.size(), with_a_gap.size() + 1);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
