// Quadratures in several variables: exact where they say so, with as many points as they say.
#include "design/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <vector>

#include "support/chaos.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// E{z^k}: 1/(k+1) under the uniform law on [−1, 1], (k−1)!! under the normal one, 0 for odd k.
double moment(const PolynomialFamily& f, int k) {
  if (k % 2) return 0;
  if (f.name == "Legendre") return 1.0 / (k + 1);
  double m = 1;
  for (int i = k - 1; i > 1; i -= 2) m *= i;
  return m;
}

double sum(const Quadrature& q, const std::vector<int>& degrees) {
  double s = 0;
  for (long i = 0; i < q.size(); ++i) {
    double term = q.weights[std::size_t(i)];
    for (int j = 0; j < q.dimension; ++j) term *= std::pow(q.points[std::size_t(i * q.dimension + j)], degrees[std::size_t(j)]);
    s += term;
  }
  return s;
}

const std::vector<PolynomialFamily> three = {legendre(), hermite(), legendre()};

double exact(const std::vector<int>& degrees) {
  double m = 1;
  for (std::size_t j = 0; j < degrees.size(); ++j) m *= moment(three[j], degrees[j]);
  return m;
}

TEST(Quadrature, a_tensor_rule_is_exact_up_to_twice_its_points_in_each_variable) {
  GaussRules rules(three);
  const Quadrature q = tensor_quadrature(3, 4, rules.provider());
  EXPECT_EQ(q.size(), 64);
  EXPECT_EQ(tensor_quadrature_size(3, 4), 64);
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b)
      for (int c = 0; c < 8; ++c) {
        // round-off of 64 terms of the size of the moments, the largest of which is 105
        EXPECT_NEAR(sum(q, {a, b, c}), exact({a, b, c}), 1e-12 * (1 + moment(three[1], b)));
      }
  EXPECT_GT(std::abs(sum(q, {8, 0, 0}) - exact({8, 0, 0})), 1e-3);  // the next degree is not
}

TEST(Quadrature, a_sparse_grid_is_exact_where_half_degrees_sum_up_to_its_level) {
  GaussRules rules(three);
  for (int level = 0; level <= 5; ++level) {
    const Quadrature q = smolyak_quadrature(3, level, rules.provider());
    for (int a = 0; a <= 2 * level + 1; ++a)
      for (int b = 0; b <= 2 * level + 1; ++b)
        for (int c = 0; c <= 2 * level + 1; ++c)
          if (a / 2 + b / 2 + c / 2 <= level) {
            // round-off of weights that alternate: Σ|w| < 100, moments up to 945
            EXPECT_NEAR(sum(q, {a, b, c}), exact({a, b, c}), 1e-12 * (1 + moment(three[1], 2 * (b / 2)))) << a << b << c << level;
          }
    const int next = 2 * level + 2;
    EXPECT_GT(std::abs(sum(q, {next, 0, 0}) - exact({next, 0, 0})), 1e-5) << level;
  }
}

TEST(Quadrature, points_of_a_sparse_grid_are_different) {
  GaussRules rules(three);
  for (int level = 0; level <= 6; ++level) {
    const Quadrature q = smolyak_quadrature(3, level, rules.provider());
    std::set<std::vector<long>> points;  // nodes are at least 1e-3 apart, and the same ones agree to round-off
    for (long i = 0; i < q.size(); ++i) {
      std::vector<long> z;
      for (int j = 0; j < 3; ++j) z.push_back(std::lround(1e8 * q.points[std::size_t(3 * i + j)]));
      points.insert(z);
    }
    EXPECT_EQ(long(points.size()), q.size());
    EXPECT_LE(double(q.size()), smolyak_quadrature_size(3, level));
  }
}

TEST(Quadrature, sizes_by_hand) {
  GaussRules rules(std::vector<PolynomialFamily>(10, legendre()));
  // The centre, two more points for each of ten variables with two points, two for each with three, four for each pair.
  EXPECT_EQ(smolyak_quadrature(10, 2, rules.provider()).size(), 1 + 10 * 2 + 10 * 2 + 45 * 4);
  // … where the centre is counted with the grid of one point, and with each of three.
  EXPECT_EQ(smolyak_quadrature_size(10, 2), 1 + 10 * 2 + 10 * 3 + 45 * 4);
  EXPECT_EQ(tensor_quadrature_size(20, 10), 1e20);
  EXPECT_GT(smolyak_quadrature_size(200, 8), 1e15);
  EXPECT_EQ(smolyak_quadrature(1, 4, rules.provider()).size(), 5);  // in one variable it is the Gauss rule
}

TEST(Quadrature, without_variables_or_points_is_refused) {
  GaussRules rules(three);
  const auto message = [](const auto& f) {
    try {
      f();
    } catch (const std::invalid_argument& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_EQ(message([&] { tensor_quadrature(3, 0, rules.provider()); }),
            "a quadrature needs at least one variable and points ≥ 1, not 3 and 0");
  EXPECT_EQ(message([&] { smolyak_quadrature(0, 2, rules.provider()); }),
            "a quadrature needs at least one variable and level ≥ 0, not 0 and 2");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
