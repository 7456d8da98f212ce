#include "numerics/incomplete_beta.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(IncompleteBeta, closed_forms) {
  for (const double x : {1e-8, 0.1, 0.5, 0.9}) {
    EXPECT_NEAR(incomplete_beta(1, 3, x), 1 - std::pow(1 - x, 3), 1e-14);
    EXPECT_NEAR(incomplete_beta(2, 2, x), x * x * (3 - 2 * x), 1e-14);
    EXPECT_NEAR(incomplete_beta_inverse(2, 2, incomplete_beta(2, 2, x)), x, 1e-9 * x);  // flat at the ends
  }
}

TEST(IncompleteBeta, what_a_count_says_of_a_probability) {
  EXPECT_EQ(clopper_pearson(0, 100).lower, 0);
  EXPECT_NEAR(clopper_pearson(0, 100).upper, 1 - std::pow(0.025, 0.01), 1e-14);
  EXPECT_NEAR(clopper_pearson(100, 100).lower, std::pow(0.025, 0.01), 1e-14);
  EXPECT_EQ(clopper_pearson(100, 100).upper, 1);
  // 10 of 100: textbook values
  EXPECT_NEAR(clopper_pearson(10, 100).lower, 0.0490, 5e-5);
  EXPECT_NEAR(clopper_pearson(10, 100).upper, 0.1762, 5e-5);
}

double tail(int n, int from, double p) {  // P(at least `from` of n)
  double sum = 0;
  for (int k = from; k <= n; ++k)
    sum +=
        std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p));
  return sum;
}

TEST(ClopperPearson, tables_of_clopper_and_pearson) {
  struct Row {
    double count, n, low, high;
  };
  // four decimals
  for (const Row& r : {Row{0, 10, 0, 0.3085}, Row{3, 100, 0.0062, 0.0852}, Row{10, 10, 0.6915, 1}, Row{1, 10, 0.0025, 0.4450},
                       Row{5, 10, 0.1871, 0.8129}}) {
    const CountInterval found = clopper_pearson(r.count, r.n);
    EXPECT_NEAR(found.lower, r.low, 5e-5) << r.count << " of " << r.n;
    EXPECT_NEAR(found.upper, r.high, 5e-5) << r.count << " of " << r.n;
  }
}

TEST(ClopperPearson, none_and_all) {
  for (const double n : {1.0, 2.0, 500.0, 1e6}) {
    const double bound = -std::expm1(std::log(0.025) / n);
    EXPECT_EQ(clopper_pearson(0, n).lower, 0);
    EXPECT_NEAR(clopper_pearson(0, n).upper, bound, 1e-10 * bound);
    EXPECT_NEAR(clopper_pearson(n, n).lower, 1 - bound, 1e-10);
    EXPECT_EQ(clopper_pearson(n, n).upper, 1);
  }
  EXPECT_NEAR(clopper_pearson(0, 10, 0.9).upper, 1 - std::pow(0.05, 0.1), 1e-12);
}

// At either end, what was seen or more extreme has a probability of 2.5 %.
TEST(ClopperPearson, ends_have_the_tails_they_should) {
  for (const auto& [count, n] : {std::pair{1, 7}, {3, 40}, {17, 40}, {39, 40}, {2, 3000}}) {
    const CountInterval found = clopper_pearson(count, n);
    EXPECT_NEAR(tail(n, count, found.lower), 0.025, 1e-9) << count << " of " << n;  // round-off of lgamma
    EXPECT_NEAR(1 - tail(n, count + 1, found.upper), 0.025, 1e-9) << count << " of " << n;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
