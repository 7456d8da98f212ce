// Low-discrepancy sequences and hypercubes: known points, pieces, what makes them better than random points.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "design/optimised_hypercube.hpp"
#include "support/message_of.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(UncertaintySequences, first_points) {
  const DistributionModule& module = distribution_module();
  EXPECT_EQ(module.low_discrepancy("sobol", 2, 0, 3), (std::vector<double>{0.5, 0.5, 0.75, 0.25, 0.25, 0.75}));
  const std::vector<double> halton = module.low_discrepancy("halton", 2, 0, 4);
  const std::vector<double> expected = {1 / 2.0, 1 / 3.0, 1 / 4.0, 2 / 3.0,
                                        3 / 4.0, 1 / 9.0, 1 / 8.0, 4 / 9.0};  // van der Corput
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(halton[k], expected[k], 1e-15);
}

TEST(UncertaintySequences, pieces_make_the_whole) {
  const DistributionModule& module = distribution_module();
  for (const char* name : {"sobol", "halton"}) {
    const std::vector<double> whole = module.low_discrepancy(name, 5, 0, 300);
    for (const auto& [first, count] : {std::pair{0L, 10L}, {10L, 90L}, {250L, 50L}, {100L, 150L}, {7L, 1L}}) {
      const std::vector<double> piece = module.low_discrepancy(name, 5, first, count);
      ASSERT_EQ(piece.size(), std::size_t(count) * 5);
      EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + first * 5)) << name << " from " << first;
      module.low_discrepancy(name, 3, 4, 4);  // another one in between
    }
    for (const double u : whole) EXPECT_TRUE(u > 0 && u < 1);
  }
}

// Between two powers of two Sobol's points lie one in each of 2^k elementary intervals, of every shape in two dimensions.
TEST(UncertaintySequences, sobol_fills_elementary_intervals) {
  constexpr int k = 6, n = 1 << k;
  const std::vector<double> points = distribution_module().low_discrepancy("sobol", 2, n - 1, n);
  for (int a = 0; a <= k; ++a) {
    std::set<int> cells;
    for (int i = 0; i < n; ++i)
      cells.insert(int(points[2 * i] * (1 << a)) * (1 << (k - a)) + int(points[2 * i + 1] * (1 << (k - a))));
    EXPECT_EQ(int(cells.size()), n) << "2^" << a << " parts of the first dimension";
  }
}

TEST(UncertaintySequences, mistakes) {
  const DistributionModule& module = distribution_module();
  const auto message = [&](const std::string& name, int dimension) -> std::string {
    return test::message_of<std::invalid_argument>([&] { module.low_discrepancy(name, dimension, 0, 1); });
  };
  EXPECT_EQ(message("faure", 2), "unknown sequence 'faure' (known: sobol, halton)");
  EXPECT_EQ(message("halton", 1001), "the sequence 'halton' has 1 to 1000 dimensions, not 1001");
  EXPECT_GE(module.most_dimensions("sobol"), 1000);
}

TEST(UncertaintySequences, normal_law_there_and_back) {
  const DistributionModule& module = distribution_module();
  EXPECT_EQ(module.normal_cdf(0), 0.5);
  for (const double x : {-8.0, -3.0, -0.1, 0.7, 5.0})
    EXPECT_NEAR(module.normal_quantile(module.normal_cdf(x)), x, 1e-9);  // round-off of 1 − 3e-7 at x = 5
}

double smallest_distance(const std::vector<double>& points, int dimension) {
  double smallest = 1e300;
  const std::size_t d = std::size_t(dimension), n = points.size() / d;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double square = 0;
      for (std::size_t c = 0; c < d; ++c) square += std::pow(points[i * d + c] - points[j * d + c], 2);
      smallest = std::min(smallest, square);
    }
  return std::sqrt(smallest);
}

TEST(OptimisedHypercube, is_one_and_spreads_its_points) {
  for (const auto& [dimension, size] : {std::pair{1, 1}, {2, 2}, {2, 30}, {10, 100}}) {
    const std::vector<double> points = optimised_hypercube(dimension, size, 7);
    ASSERT_EQ(points.size(), std::size_t(dimension * size));
    for (int c = 0; c < dimension; ++c) {
      std::set<int> strata;
      for (int k = 0; k < size; ++k) strata.insert(int(points[k * dimension + c] * size));
      EXPECT_EQ(int(strata.size()), size);
      EXPECT_EQ(*strata.begin(), 0);
      EXPECT_EQ(*strata.rbegin(), size - 1);
    }
    EXPECT_EQ(points, optimised_hypercube(dimension, size, 7));
    EXPECT_NE(points, optimised_hypercube(dimension, size, 8));
  }
  // Random points have 0.02 and 0.4, a random hypercube 0.03 and 0.45.
  EXPECT_GT(smallest_distance(optimised_hypercube(2, 30, 7), 2), 0.12);
  EXPECT_GT(smallest_distance(optimised_hypercube(10, 100, 7), 10), 0.8);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
