// Places in a region: uniform in it, however tilted, and spread out when some are chosen.
#include "inference/region.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inference_functions.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

TEST(Region, places_are_uniform_in_a_tilted_sliver) {
  // |x + y − 1| < 0.02, |x − y| < 0.8: mean ½ each, var(x − y) = 1.6²/12, var(x + y) = 0.04²/12
  const Inside sliver = [](std::span<const double> x) { return std::abs(x[0] + x[1] - 1) < 0.02 && std::abs(x[0] - x[1]) < 0.8; };
  const int n = 4000;
  const auto places = walk_region(sliver, {{0.5, 0.5}}, n, uniform_numbers(1));
  ASSERT_GE(int(places.size()), n);
  double mean = 0, along = 0, across = 0;
  for (const Place& x : places) {
    ASSERT_TRUE(sliver(x));
    mean += x[0] / double(places.size());
    along += std::pow(x[0] - x[1], 2) / double(places.size());
    across += std::pow(x[0] + x[1] - 1, 2) / double(places.size());
  }
  // sampling, four standard errors of about 1000 independent places: std(x) = 0.23; variances of uniform numbers to 0.9/√n
  EXPECT_NEAR(mean, 0.5, 4 * 0.23 / std::sqrt(1000));
  EXPECT_NEAR(along / (1.6 * 1.6 / 12), 1, 4 * 0.9 / std::sqrt(1000));
  EXPECT_NEAR(across / (0.04 * 0.04 / 12), 1, 4 * 0.9 / std::sqrt(1000));
}

TEST(Region, chosen_places_keep_their_distance) {
  auto uniform = uniform_numbers(2);
  std::vector<Place> candidates;
  for (int i = 0; i < 400; ++i)
    candidates.push_back({uniform(), 0.001 * uniform()});  // far in the second direction is not far in units
  const std::vector<Place> taken{{0.5, 0.0005}};
  const auto chosen = spread_out(candidates, taken, 10, uniform);
  ASSERT_EQ(chosen.size(), 10u);
  const auto distance = [](const Place& a, const Place& b) { return std::hypot(a[0] - b[0], 1000 * (a[1] - b[1])); };
  double least = 1e9;
  for (size_t i = 0; i < chosen.size(); ++i) {
    least = std::min(least, distance(chosen[i], taken[0]));
    for (size_t j = 0; j < i; ++j) least = std::min(least, distance(chosen[i], chosen[j]));
  }
  EXPECT_GT(least, 0.12);  // a grid of eleven would have 0.3; of ten random places in the square the nearest two are 0.05 apart
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
