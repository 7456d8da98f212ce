// The search for a design on problems whose answers are known: no mechanism, no random numbers.
#include "optimisation/search.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "optimisation/normal.hpp"

namespace aleator::core::optimisation {
namespace ALEATOR_FILE {

using Span = std::span<const double>;

Search searched(const Problem& problem, const Search::Evaluate& evaluate, double errors = 0, long designs = 60) {
  Search s(problem, {errors, 1e-3}, evaluate);
  s.run(designs);
  return s;
}
const Observed& best(const Search& s) { return s.designs()[size_t(s.best())]; }

// A probability as counted in n realizations.
Observed counted(const Place& x, double p, double n) {
  const double share = (std::floor(p * n + 0.5) + 0.5) / (n + 1), z = normal_quantile(share);
  return {x, true, {z}, {std::sqrt(share * (1 - share) / n) / normal_density(z)}};
}

TEST(Search, root_of_a_monotone_probability) {
  // P = Φ(1 − 6x²), whose root for 1e-2 is known; counted in 5000 realizations, which gives steps.
  const Problem problem{1, 1, [](Span x, Span) { return x[0]; }, {[](Span, Span z) { return z[0] - normal_quantile(1e-2); }}};
  const Search s = searched(problem, [](const Place& x) { return counted(x, normal_probability(1 - 6 * x[0] * x[0]), 5000); });
  EXPECT_TRUE(s.converged() && s.meets());
  EXPECT_LE(s.designs().size(), 12U);
  const double root = std::sqrt((1 - normal_quantile(1e-2)) / 6);
  EXPECT_NEAR(best(s).at[0], root, 3e-3);  // a step of the counted share is 2e-3 wide here
}

TEST(Search, margin_is_so_many_standard_errors) {
  const Problem problem{1, 1, [](Span x, Span) { return x[0]; }, {[](Span, Span z) { return z[0] - 1; }}};
  const Search s = searched(
      problem,
      [](const Place& x) {
        return Observed{x, true, {2 - 2 * x[0]}, {0.1}};
      },
      1.645);
  EXPECT_NEAR(best(s).at[0], 0.5 + 1.645 * 0.05, 5e-3);
  EXPECT_GE(best(s).at[0], 0.5 + 1.645 * 0.05 - 1e-12);
}

TEST(Search, quadratic_cost_with_a_curved_constraint) {
  // (x − 0.3)² + 2 (y − 0.4)² with x + y² ≥ 1.2: least cost 0.347933 at (0.7205, 0.6925), found on a fine grid.
  const Problem problem{2, 2, [](Span, Span z) { return z[1]; }, {[](Span, Span z) { return z[0]; }}};
  const Search s = searched(problem, [](const Place& x) {
    return Observed{x, true, {1.2 - x[0] - x[1] * x[1], std::pow(x[0] - 0.3, 2) + 2 * std::pow(x[1] - 0.4, 2)}, {0, 0}};
  });
  EXPECT_TRUE(s.converged() && s.meets());
  EXPECT_NEAR(s.cost(best(s)), 0.347933, 5e-4);
  EXPECT_NEAR(best(s).at[0], 0.7205, 0.02);
  EXPECT_LE(s.designs().size(), 25U);
}

TEST(Search, robust_optimum_without_constraints) {
  // mean + 2 std of a response whose mean is least where it scatters most: cost x² + 0.5 (1 − x), least at 0.25.
  const Problem problem{1, 2, [](Span, Span z) { return z[0] + 2 * z[1]; }, {}};
  const Search s = searched(problem, [](const Place& x) {
    return Observed{x, true, {x[0] * x[0], 0.25 * (1 - x[0])}, {0.01, 0.01}};
  });
  EXPECT_TRUE(s.converged());
  EXPECT_NEAR(best(s).at[0], 0.25, 0.03);  // flat: 0.03 beside it costs 1e-3 more
}

TEST(Search, six_parameters) {
  const Problem problem{6,
                        2,
                        [](Span x, Span) {
                          double c = 0;
                          for (const double v : x) c += v;
                          return c;
                        },
                        {[](Span, Span z) { return z[0]; }, [](Span, Span z) { return z[1]; }}};
  const Search s = searched(problem, [](const Place& x) {
    double a = 1;
    for (size_t k = 0; k < 6; ++k) a -= double(k + 1) / 6 * x[k];
    return Observed{x, true, {a, 0.6 - 0.7 * std::sin(3 * x[0])}, {0, 0}};
  });
  EXPECT_TRUE(s.meets());
  const double first = std::asin(6.0 / 7) / 3;
  EXPECT_NEAR(s.cost(best(s)), first + 1 - first / 6, 5e-3);
}

TEST(Search, nothing_meets_the_constraint) {
  const Problem problem{2, 1, [](Span x, Span) { return x[0] + x[1]; }, {[](Span, Span z) { return z[0]; }}};
  const Search s = searched(problem, [](const Place& x) {
    return Observed{x, true, {1 + std::pow(x[0] - 0.3, 2) + std::pow(x[1] - 0.6, 2)}, {0}};
  });
  EXPECT_FALSE(s.meets());
  EXPECT_NEAR(best(s).z[0], 1, 1e-3);
  EXPECT_LT(s.designs().size(), 60U);
}

TEST(Search, constraint_that_always_holds_leaves_the_end_of_the_range) {
  const Problem problem{2, 1, [](Span x, Span) { return x[0] + x[1]; }, {[](Span, Span z) { return z[0]; }}};
  const Search s = searched(problem, [](const Place& x) { return Observed{x, true, {-1 - 0.1 * x[0]}, {0.01}}; });
  EXPECT_TRUE(s.meets() && s.converged());
  EXPECT_NEAR(s.cost(best(s)), 0, 1e-3);
}

TEST(Search, designs_that_cannot_be_simulated_are_avoided) {
  const Problem problem{2, 1, [](Span x, Span) { return x[0] + 2 * x[1]; }, {[](Span, Span z) { return z[0]; }}};
  long bad = 0;
  const Search s = searched(problem, [&](const Place& x) {
    if (x[0] > 0.8) return ++bad, Observed{x, false, {}, {}};
    return Observed{x, true, {1 - x[0] - x[1]}, {0}};
  });
  EXPECT_TRUE(s.meets());
  EXPECT_NEAR(s.cost(best(s)), 1.2, 0.03);
  EXPECT_LT(bad, 15);
}

TEST(Search, corrections_move_the_answer) {
  const Problem problem{1, 1, [](Span x, Span) { return x[0]; }, {[](Span, Span z) { return z[0]; }}};
  Search s(problem, {0, 1e-3}, [](const Place& x) { return Observed{x, true, {0.5 - x[0]}, {0.05}}; });
  s.run(20);
  EXPECT_NEAR(best(s).at[0], 0.5, 2e-3);
  s.correct({{0.1, 0.5}});
  s.run(30);
  EXPECT_NEAR(best(s).at[0], 0.6, 2e-3);
}

TEST(Normal, quantiles_and_probabilities_are_inverse) {
  for (const double p : {1e-300, 1e-20, 1e-6, 0.01, 0.3, 0.5, 0.9, 1 - 1e-9})
    EXPECT_NEAR(normal_probability(normal_quantile(p)) / p, 1, 1e-9) << p;
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-12);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::optimisation
