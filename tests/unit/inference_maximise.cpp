// Maxima in a box: inside, at its rim, in a curved valley, beside places without a value.
#include "inference/maximise.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

#include "inference_functions.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

double bowl(std::span<const double> x) {
  double sum = 0;
  for (size_t k = 0; k < x.size(); ++k) sum -= std::pow(x[k] - 0.3 - 0.1 * double(k), 2);
  return sum;
}

TEST(Maximise, local_search_finds_a_smooth_maximum) {
  for (const int d : {1, 2, 4}) {
    const Maximum m = maximise_locally(bowl, Box::unit(d), std::vector<double>(d, 0.9), {.tolerance = 1e-10});
    ASSERT_EQ(int(m.at.size()), d);
    for (int k = 0; k < d; ++k) EXPECT_NEAR(m.at[k], 0.3 + 0.1 * k, 1e-5);  // the root of the tolerance
    EXPECT_NEAR(m.value, 0, 1e-10);
  }
}

TEST(Maximise, local_search_follows_a_ridge) {
  // 3 units lower, at the other end of the parabola. The last gain is below the tolerance, the way left to the top is a few of them.
  const Maximum m =
      maximise_locally(rosenbrock, Box::unit(2), std::vector<double>{0.2, 0.4}, {.tolerance = 1e-6, .evaluations = 5000});
  EXPECT_NEAR(m.value, 0, 1e-4);
}

TEST(Maximise, at_the_rim) {
  const Function slope = [](std::span<const double> x) { return 3 * x[0] - 2 * x[1] - std::pow(x[2] - 0.5, 2); };
  const Box box{{-1, 2, 0}, {4, 3, 1}};
  const Maximum m = maximise_locally(slope, box, std::vector<double>{0, 2.5, 0.2});
  EXPECT_EQ(m.at[0], 4);
  EXPECT_EQ(m.at[1], 2);
  EXPECT_NEAR(m.at[2], 0.5, 2e-3);  // the root of the tolerance, 1e-6
}

TEST(Maximise, places_without_a_value) {
  const Function half = [](std::span<const double> x) { return x[0] < 0.25 ? NAN : x[0] > 0.75 ? -INFINITY : bowl(x); };
  for (const int d : {1, 3}) {
    const Maximum m = maximise_locally(half, Box::unit(d), std::vector<double>(d, 0.5), {.tolerance = 1e-8});
    EXPECT_NEAR(m.at[0], 0.3, 1e-3);
  }
  const Maximum none =
      maximise_locally([](std::span<const double>) { return -INFINITY; }, Box::unit(2), std::vector<double>{0.5, 0.5});
  EXPECT_TRUE(none.at.empty());
}

TEST(Maximise, what_the_function_throws_passes_through) {
  int calls = 0;
  const Function breaks = [&](std::span<const double> x) {
    if (++calls == 7) throw std::runtime_error("no licence");
    return bowl(x);
  };
  EXPECT_THROW(maximise_locally(breaks, Box::unit(2), std::vector<double>{0.5, 0.5}), std::runtime_error);
  EXPECT_EQ(calls, 7);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
