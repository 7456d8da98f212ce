// Explorations: the maximum is found with few evaluations, and the surrogate is as good as it says.
#include "inference/explore.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "inference_functions.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

// The true rms error of the surrogate, uniformly over the true region.
double true_error(const Exploration& e, const Function& exact, const Maximum& top) {
  const Inside inside = [&](std::span<const double> x) { return exact(x) >= top.value - e.region_drop; };
  const auto places = walk_region(inside, {top.at}, 1000, uniform_numbers(99));
  double sum = 0;
  for (const Place& x : places) sum += std::pow(e.surrogate.value(x) - exact(x), 2);
  return std::sqrt(sum / double(places.size()));
}

TEST(Explore, four_spreads_with_jumps) {
  const FourSpreads exact, jumps(0.05);
  const Maximum top = maximise_locally(exact, Box::unit(4), Place{0.3, 0.2, 0.4, 0.25}, {.tolerance = 1e-10});
  ASSERT_LT(exact(Place{0, 0, 0, 0}), top.value - 5000);
  const Exploration e = explore(jumps, 4, {.uniform = uniform_numbers(1)});
  EXPECT_TRUE(e.accurate);
  EXPECT_LE(e.values.size(), 300u);
  EXPECT_EQ(e.points.size(), e.values.size());
  EXPECT_LE(e.error, 0.15);
  EXPECT_LT(true_error(e, exact, top), 0.25);   // sampling of the error said, from about ten places: factor 1.5
  EXPECT_GT(exact(e.at), top.value - 0.1);      // less than what jumps and surrogate leave open
  EXPECT_NEAR(e.largest, top.value, 0.15);      // the accuracy
  EXPECT_NEAR(e.evaluated, exact(e.at), 0.09);  // a jump: 0.05 √3 at most
  EXPECT_NEAR(e.region_drop, 9.487729036781154 / 2, 1e-10);
}

TEST(Explore, ridge) {
  const Exploration e = explore(rosenbrock, 2, {.uniform = uniform_numbers(2)});
  EXPECT_TRUE(e.accurate);
  EXPECT_LT(e.values.size(), 250u);
  EXPECT_GT(rosenbrock(e.at), -0.15);  // the accuracy
  EXPECT_LT(true_error(e, rosenbrock, {{0.75, 0.5}, 0, 0}), 0.3);
}

TEST(Explore, the_higher_and_narrower_hill) {
  const Exploration e = explore(two_hills, 3, {.uniform = uniform_numbers(3)});
  EXPECT_TRUE(e.accurate);
  EXPECT_LT(e.values.size(), 150u);
  EXPECT_GT(two_hills(e.at), -0.05);
}

TEST(Explore, maximum_in_a_corner) {
  const Function f = [](std::span<const double> x) {
    return -40 * x[0] - std::pow((x[1] - 0.3 - 0.5 * x[0]) / 0.08, 2) / 2 - std::pow((x[2] - 1.1) / 0.1, 2) / 2;
  };
  const Exploration e = explore(f, 3, {.uniform = uniform_numbers(4)});
  EXPECT_TRUE(e.accurate);
  EXPECT_LT(e.values.size(), 120u);
  EXPECT_NEAR(e.at[0], 0, 1e-3);
  EXPECT_NEAR(e.at[1], 0.3, 0.01);  // 0.008 loses 0.005
  EXPECT_NEAR(e.at[2], 1, 1e-3);
}

TEST(Explore, one_dimension_needs_few_evaluations) {
  const GammaScale f;
  const Exploration e = explore(f, 1, {.uniform = uniform_numbers(5)});
  EXPECT_TRUE(e.accurate);
  EXPECT_LE(e.values.size(), 40u);
  EXPECT_NEAR(GammaScale::scale(e.at[0]), f.mean / f.a, 0.01);  // loses 0.0014
}

TEST(Explore, the_same_numbers_give_the_same_exploration) {
  const Exploration a = explore(rosenbrock, 2, {.evaluations = 60, .uniform = uniform_numbers(6)});
  const Exploration b = explore(rosenbrock, 2, {.evaluations = 60, .uniform = uniform_numbers(6)});
  EXPECT_EQ(a.points, b.points);
  EXPECT_EQ(a.at, b.at);
}

TEST(Explore, budget_start_progress_and_stop) {
  std::vector<double> seen;
  std::atomic<bool> stop = false;
  ExploreSettings settings{.evaluations = 30, .start = {0.75, 0.5}, .uniform = uniform_numbers(7)};
  settings.progress = [&](int n, double largest) {
    EXPECT_EQ(n, int(seen.size()) + 1);
    seen.push_back(largest);
  };
  const Exploration e = explore(rosenbrock, 2, settings);
  EXPECT_EQ(e.values.size(), 30u);
  EXPECT_FALSE(e.accurate);
  EXPECT_EQ(e.points[0], settings.start);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_GT(rosenbrock(e.at), -0.5);  // the start is the maximum; jumps and accuracy may lead away

  settings.stop = &stop;
  settings.progress = [&](int n, double) { stop = n == 20; };
  const Exploration stopped = explore(rosenbrock, 2, settings);
  EXPECT_TRUE(stopped.stopped);
  EXPECT_EQ(stopped.values.size(), 20u);
  EXPECT_FALSE(stopped.at.empty());
}

TEST(Explore, without_any_value) {
  const Exploration e =
      explore([](std::span<const double>) { return -INFINITY; }, 2, {.evaluations = 20, .uniform = uniform_numbers(8)});
  EXPECT_TRUE(e.at.empty());
  const Function breaks = [](std::span<const double>) -> double { throw std::runtime_error("simulation failed"); };
  EXPECT_THROW(explore(breaks, 2, {.uniform = uniform_numbers(8)}), std::runtime_error);
}

TEST(Explore, no_value_in_half_the_cube) {
  // the maximum 0 at (0.6, 0.5), close to the edge x + y = 1 of what is possible
  const Function f = [](std::span<const double> x) {
    return x[0] + x[1] < 1 ? -INFINITY : -std::pow((x[0] - 0.6) / 0.05, 2) / 2 - std::pow((x[1] - 0.5) / 0.05, 2) / 2;
  };
  const Exploration e = explore(f, 2, {.evaluations = 150, .uniform = uniform_numbers(9)});
  EXPECT_GT(f(e.at), -0.3);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
