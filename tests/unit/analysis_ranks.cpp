// Ranks by digits are those by comparison.
#include "analysis/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "uncertainty/stream.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using Numbers = std::vector<double>;

TEST(Ranks, equal_values_share_theirs) {
  EXPECT_EQ(ranks(Numbers{30, 10, 20}), (Numbers{3, 1, 2}));
  EXPECT_EQ(ranks(Numbers{5, 1, 5, 5, 0}), (Numbers{4, 2, 4, 4, 1}));
  EXPECT_EQ(ranks(Numbers{7, 7}), (Numbers{1.5, 1.5}));
  EXPECT_EQ(ranks(Numbers{}), Numbers{});
}

// n² comparisons.
Numbers counted_ranks(const Numbers& x) {
  Numbers out;
  for (const double own : x) {
    const auto below = std::count_if(x.begin(), x.end(), [&](double other) { return other < own; });
    out.push_back(double(below) + double(std::count(x.begin(), x.end(), own) + 1) / 2);
  }
  return out;
}

TEST(Ranks, of_samples_of_many_kinds) {
  const int n = 1000;
  Stream s(1, 1, 1);
  Numbers normal, both_zeros, few, heavy, cluster, ends;
  for (int i = 0; i < n; ++i) {
    const double z = s.normal();
    normal.push_back(z);
    both_zeros.push_back(i % 3 == 0 ? 0.0 : i % 3 == 1 ? -0.0 : z);
    few.push_back(std::round(z));
    heavy.push_back(std::exp(20 * z));
    cluster.push_back(i == 5 ? 1e300 : 1 + 1e-12 * std::round(10 * z));  // equal in all leading bits
    ends.push_back(z > 1 ? std::numeric_limits<double>::infinity() : z < -1 ? -std::numeric_limits<double>::infinity() : z);
  }
  for (const Numbers& x : {normal, both_zeros, few, heavy, cluster, ends, Numbers(n, 3.0)})
    EXPECT_EQ(ranks(x), counted_ranks(x)) << x[0] << ' ' << x[1];
}

TEST(Ranks, equal_values_are_ordered_by_index) {
  Numbers x;
  for (int i = 0; i < 500; ++i) x.push_back(i % 2 == 0 ? -0.0 : 0.0);
  RankOrder order;
  const auto indices = order(x);
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(indices[i], i);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
