// Confidence intervals of a probability: against tables, closed forms, and their definition.
#include "numerics/binomial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace aleator::core {
namespace ALEATOR_FILE {

double tail(int n, int from, double p) {  // P(at least `from` of n)
  double sum = 0;
  for (int k = from; k <= n; ++k)
    sum +=
        std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p));
  return sum;
}

TEST(Binomial, tables_of_clopper_and_pearson) {
  struct Row {
    double count, n, low, high;
  };
  // four decimals
  for (const Row& r : {Row{0, 10, 0, 0.3085}, Row{3, 100, 0.0062, 0.0852}, Row{10, 10, 0.6915, 1}, Row{1, 10, 0.0025, 0.4450},
                       Row{5, 10, 0.1871, 0.8129}}) {
    const BinomialInterval found = clopper_pearson(r.count, r.n);
    EXPECT_NEAR(found.low, r.low, 5e-5) << r.count << " of " << r.n;
    EXPECT_NEAR(found.high, r.high, 5e-5) << r.count << " of " << r.n;
  }
}

TEST(Binomial, none_and_all) {
  for (const double n : {1.0, 2.0, 500.0, 1e6}) {
    const double bound = -std::expm1(std::log(0.025) / n);
    EXPECT_EQ(clopper_pearson(0, n).low, 0);
    EXPECT_NEAR(clopper_pearson(0, n).high, bound, 1e-10 * bound);
    EXPECT_NEAR(clopper_pearson(n, n).low, 1 - bound, 1e-10);
    EXPECT_EQ(clopper_pearson(n, n).high, 1);
  }
  EXPECT_NEAR(clopper_pearson(0, 10, 0.9).high, 1 - std::pow(0.05, 0.1), 1e-12);
}

// At either end, what was seen or more extreme has a probability of 2.5 %.
TEST(Binomial, ends_have_the_tails_they_should) {
  for (const auto& [count, n] : {std::pair{1, 7}, {3, 40}, {17, 40}, {39, 40}, {2, 3000}}) {
    const BinomialInterval found = clopper_pearson(count, n);
    EXPECT_NEAR(tail(n, count, found.low), 0.025, 1e-9) << count << " of " << n;  // round-off of lgamma
    EXPECT_NEAR(1 - tail(n, count + 1, found.high), 0.025, 1e-9) << count << " of " << n;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
