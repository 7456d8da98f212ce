// Ranks by digits are those by comparison.
#include "analysis/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

// Few and many, as digits and cells are for.
TEST(Ranks, of_samples_of_many_kinds) {
  for (const int n : {100, 400, 1000, 3000}) {
    Stream s(1, 1, 1);
    Numbers normal, both_zeros, few, some_equal, lognormal, heavy, cluster, ends, huge, tiny;
    for (int i = 0; i < n; ++i) {
      const double z = s.normal();
      normal.push_back(z);
      both_zeros.push_back(i % 3 == 0 ? 0.0 : i % 3 == 1 ? -0.0 : z);
      few.push_back(std::round(z));
      some_equal.push_back(i % 10 == 0 ? std::round(10 * z) : z);
      lognormal.push_back(std::exp(z));
      heavy.push_back(std::exp(20 * z));
      cluster.push_back(i == 5 ? 1e300 : 1 + 1e-12 * std::round(10 * z));  // equal in all leading bits
      ends.push_back(z > 1 ? std::numeric_limits<double>::infinity() : z < -1 ? -std::numeric_limits<double>::infinity() : z);
      huge.push_back(1e308 * std::clamp(z, -1.7, 1.7));  // the range is infinite …
      tiny.push_back(1e-320 * std::round(100 * z));      // … or has no inverse
    }
    for (const Numbers& x :
         {normal, both_zeros, few, some_equal, lognormal, heavy, cluster, ends, huge, tiny, Numbers(std::size_t(n), 3.0)})
      EXPECT_EQ(ranks(x), counted_ranks(x)) << n << ": " << x[0] << ' ' << x[1];
  }
}

// So many that cells are shared by values that are next to each other: by another way of sorting.
TEST(Ranks, of_many_values) {
  for (const std::size_t n : {std::size_t(40000), std::size_t(300000)}) {
    Stream s(2, 1, 1);
    Numbers x;
    for (std::size_t i = 0; i < n; ++i) x.push_back(s.normal());
    for (std::size_t i = 0; i + 1 < n; i += 100) x[i + 1] = x[i];
    const Numbers own = ranks(x);
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
    std::size_t wrong = 0;
    for (std::size_t i = 0, end = 0; i < n; i = end) {
      for (end = i + 1; end < n && x[order[end]] == x[order[i]];) ++end;
      for (std::size_t k = i; k < end; ++k) wrong += own[order[k]] == double(i + end + 1) / 2 ? 0 : 1;
    }
    EXPECT_EQ(wrong, 0u);
  }
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
