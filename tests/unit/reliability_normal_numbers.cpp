#include "reliability/normal_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ALEATOR_FILE {

using namespace aleator::core::reliability;

TEST(ReliabilityNumbers, AreFunctionsOfTheirIndexAlone) {
  std::vector<double> all(1000), some(300);
  const Source source{7, 3, 1};
  fill_normals(source, all);
  for (const std::size_t first : {0U, 1U, 4U, 127U, 130U, 699U}) {
    fill_normals(source, some, first);
    for (std::size_t i = 0; i < some.size(); ++i) ASSERT_EQ(some[i], all[first + i]) << first << " " << i;
  }
}

// Means, variances, and correlations between sources, within four standard errors.
TEST(ReliabilityNumbers, AreIndependentAndStandardNormal) {
  constexpr std::size_t n = 100000;
  const std::vector<Source> sources = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {1, 0, 1}};
  std::vector<std::vector<double>> z(sources.size(), std::vector<double>(n));
  for (std::size_t s = 0; s < sources.size(); ++s) fill_normals(sources[s], z[s]);
  const double error = 4 / std::sqrt(static_cast<double>(n));
  for (std::size_t s = 0; s < sources.size(); ++s) {
    double mean = 0;
    for (const double v : z[s]) mean += v / n;
    EXPECT_NEAR(mean, 0, error);
    for (std::size_t t = 0; t < sources.size(); ++t) {
      double product = 0;
      for (std::size_t i = 0; i < n; ++i) product += z[s][i] * z[t][i] / n;
      EXPECT_NEAR(product, s == t, s == t ? error * std::sqrt(2.0) : error) << s << " " << t;
    }
  }
}

TEST(ReliabilityNumbers, UniformOnesAreUniform) {
  constexpr int n = 40000;
  double mean = 0, square = 0;
  for (int i = 0; i < n; ++i) {
    const double x = uniform_number({5, 2}, static_cast<std::uint64_t>(i));
    ASSERT_GT(x, 0);
    ASSERT_LT(x, 1);
    mean += x / n;
    square += x * x / n;
  }
  EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / n));
  EXPECT_NEAR(square, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / n));
}

}  // namespace ALEATOR_FILE
