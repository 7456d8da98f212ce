// Chaos expansions: bases, exactness of every way to find coefficients, what follows from coefficients, what is refused.
#include "analysis/chaos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "analysis/chaos_statistics.hpp"
#include "support/chaos.hpp"
#include "support/linear_algebra.hpp"
#include "support/message_of.hpp"

namespace aleator::core::analysis {
namespace ALEATOR_FILE {

using namespace aleator::core::test;

const std::vector<PolynomialFamily> three = {legendre(), hermite(), legendre()};

TEST(ChaosBasis, has_the_terms_it_says) {
  for (const int d : {1, 2, 3, 5})
    for (const int degree : {0, 1, 2, 3, 4})
      for (const double q : {0.3, 0.5, 0.75, 1.0, Truncation::tensor}) {
        const Truncation t{degree, q};
        const ChaosBasis b = make_basis(std::vector(std::size_t(d), legendre()), t);
        EXPECT_EQ(b.terms, count_terms(d, t)) << d << " " << degree << " " << q;
        EXPECT_EQ(b.degrees.size(), std::size_t(b.terms * d));
      }
  EXPECT_EQ(count_terms(3, {4, Truncation::tensor}), 125);
  EXPECT_EQ(count_terms(3, {4}), 35);
  EXPECT_EQ(count_terms(20, {5}), 53130);
  EXPECT_EQ(count_terms(20, {3, 0.5}), 1 + 20 * 3);        // 1^½ + 1^½ = 2 > 3^½: no products
  EXPECT_EQ(count_terms(20, {4, 0.5}), 1 + 20 * 4 + 190);  // = 4^½: products of first degree
  EXPECT_EQ(count_terms(100, {9, Truncation::tensor}), 1e100);
}

TEST(ChaosBasis, is_ordered_by_total_degree_and_first_variables) {
  const ChaosBasis b = make_basis(std::vector(2, legendre()), {2, Truncation::tensor});
  EXPECT_EQ(b.degrees, (std::vector<int>{0, 0, 1, 0, 0, 1, 2, 0, 1, 1, 0, 2, 2, 1, 1, 2, 2, 2}));
  EXPECT_EQ(b.total_degree(8), 4);
}

TEST(ChaosBasis, is_orthonormal) {
  GaussRules rules(three);
  const ChaosBasis b = make_basis(three, {3});
  const Quadrature q = tensor_quadrature(3, 4, rules.provider());
  const Eigen::MatrixXd psi = values(b, q.points);
  const Eigen::MatrixXd gram = psi.transpose() * Eigen::Map<const Eigen::VectorXd>(q.weights.data(), q.size()).asDiagonal() * psi;
  EXPECT_LT((gram - Eigen::MatrixXd::Identity(b.terms, b.terms)).cwiseAbs().maxCoeff(), 1e-13);  // round-off of 64 terms
}

TEST(ChaosBasis, refuses_what_it_cannot_have) {
  EXPECT_EQ(message_of<std::invalid_argument>([] { make_basis({legendre(3)}, {4}); }),
            "Legendre polynomials are known up to degree 3, and 4 is asked for");
  EXPECT_EQ(message_of<std::invalid_argument>([] { make_basis({legendre()}, {-1}); }),
            "the degree of a chaos basis must not be negative: -1");
  EXPECT_EQ(message_of<std::invalid_argument>([] {
              count_terms(2, {3, 1.5});
            }),
            "q of a hyperbolic basis must be in ]0, 1], or infinite for the full tensor: 1.5");
  EXPECT_EQ(message_of<std::invalid_argument>([] { values(make_basis(three, {1}), std::vector<double>(4)); }),
            "4 numbers are no points of 3 variables");
}

// Polynomials that the basis can represent come back at points that were not used.
void expect_exact(const Expansion& e, const Function& f) {
  const std::vector<double> elsewhere = random_points(three, 50, 99);
  const RowMatrix y = responses(f, elsewhere, 3), found = evaluate(e, elsewhere);
  // round-off of some 100 terms, relative to the largest value (polynomials of normal variables reach some 1e3)
  EXPECT_LT((found - y).cwiseAbs().maxCoeff(), 1e-12 * y.cwiseAbs().maxCoeff()) << e.how;
}

TEST(Chaos, projection_is_exact_for_polynomials_of_its_basis) {
  GaussRules rules(three);
  const ChaosBasis tensor = make_basis(three, {3, Truncation::tensor}), total = make_basis(three, {4});
  const auto check = [&](const ChaosBasis& b, const Quadrature& q) {
    const Function f = random_polynomials(b.degrees, 3, 5, 1);
    const Expansion e = project(b, q.points, q.weights, responses(f, q.points, 3));
    expect_exact(e, f);
    EXPECT_TRUE(std::isnan(e.loo[0]));
    EXPECT_EQ(e.points, q.size());
  };
  check(tensor, tensor_quadrature(3, 4, rules.provider()));
  check(total, smolyak_quadrature(3, 4, rules.provider()));
}

TEST(Chaos, least_squares_is_exact_for_polynomials_of_its_basis) {
  const ChaosBasis b = make_basis(three, {4});
  const Function f = random_polynomials(b.degrees, 3, 300, 2);  // more outputs than are done at once
  const std::vector<double> z = random_points(three, 100, 3);
  const Expansion e = least_squares(b, z, responses(f, z, 3));
  expect_exact(e, f);
  for (const double loo : e.loo) EXPECT_LT(loo, 1e-22);  // (1e-11)²: round-off, and leverages near 1
  EXPECT_GT(e.condition, 1);
}

TEST(Chaos, sparse_least_squares_is_exact_for_polynomials_of_few_terms) {
  const ChaosBasis b = make_basis(three, {6});
  const std::vector<int> few = {0, 0, 0, 3, 0, 1, 0, 2, 0, 1, 1, 1};
  const Function f = random_polynomials(few, 3, 6, 6);
  const std::vector<double> z = random_points(three, 80, 7);  // fewer than the 84 candidates
  for (const int channels : {1, 2, 6}) {
    const Expansion e = sparse_least_squares(b, z, responses(f, z, 3), channels);
    expect_exact(e, f);
    for (const double loo : e.loo) EXPECT_LT(loo, 1e-22);  // (1e-11)²: round-off
  }
}

TEST(Chaos, sparse_least_squares_recovers_five_terms_of_many) {
  const std::vector<PolynomialFamily> ten(10, legendre());
  const ChaosBasis b = make_basis(ten, {4});
  ASSERT_EQ(b.terms, 1001);
  const std::vector<int> chosen = {0, 3, 14, 120, 700};
  Expansion exact{selected(b, chosen), RowMatrix(5, 1), {}, {}, 0, 1, ""};
  exact.coefficients << 2, 1, -0.5, 0.7, 0.3;
  const std::vector<double> z = random_points(ten, 100, 8);
  const Expansion e = sparse_least_squares(b, z, evaluate(exact, z), 1);
  const std::vector<double> elsewhere = random_points(ten, 100, 9);
  // round-off: all five are found, and what was tried on the way has no weight
  EXPECT_LT((evaluate(e, elsewhere) - evaluate(exact, elsewhere)).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(variance(e)[0], variance(exact)[0], 1e-13);
}

TEST(Chaos, sparse_least_squares_with_all_terms_has_the_error_of_least_squares) {
  // Few candidates, all of which matter: the same fit, found the other way.
  const std::vector<PolynomialFamily> two = {legendre(), hermite()};
  const ChaosBasis b = make_basis(two, {2});
  const std::vector<double> z = random_points(two, 80, 10);
  const RowMatrix y = responses([](auto x) { return std::vector{std::exp(x[0] + 0.5 * x[1]), 3.0}; }, z, 2);
  const Expansion full = least_squares(b, z, y), sparse = sparse_least_squares(b, z, y, 2);
  ASSERT_EQ(sparse.basis.terms, b.terms);
  EXPECT_LT((full.coefficients - sparse.coefficients).cwiseAbs().maxCoeff(), 1e-12);  // round-off
  EXPECT_NEAR(sparse.loo[0], full.loo[0], 1e-11 * full.loo[0]);                       // round-off
  EXPECT_TRUE(std::isnan(sparse.loo[1]));
}

TEST(Chaos, the_leave_one_out_error_is_that_of_leaving_each_out) {
  const ChaosBasis b = make_basis(three, {2});
  const std::vector<double> z = random_points(three, 25, 4);
  const RowMatrix y = responses([](auto x) { return std::vector{std::exp(x[0] + 0.3 * x[1]), std::sin(x[1] * x[2])}; }, z, 3);
  const Expansion all = least_squares(b, z, y);
  Eigen::RowVector2d squares(0, 0);
  for (int i = 0; i < 25; ++i) {
    std::vector<double> others = z;
    others.erase(others.begin() + 3 * i, others.begin() + 3 * i + 3);
    RowMatrix rest(24, 2);
    rest << y.topRows(i), y.bottomRows(24 - i);
    const RowMatrix there = evaluate(least_squares(b, others, rest), std::span(z).subspan(std::size_t(3 * i), 3));
    squares += (there - y.row(i)).cwiseAbs2();
  }
  const Eigen::MatrixXd psi = values(b, z);
  const double correction = 25.0 / (25 - b.terms) * (1 + test::inverse_dense(psi.transpose() * psi).trace());
  for (int j = 0; j < 2; ++j) {
    const double expected = correction * squares[j] / 25 / all.scattered[std::size_t(j)];
    EXPECT_NEAR(all.loo[std::size_t(j)], expected, 1e-10 * expected);  // round-off, times the square of the condition
  }
  const Eigen::VectorXd s = dense::singular_values(psi).values;
  EXPECT_NEAR(all.condition, s[0] / s[s.size() - 1], 1e-10 * all.condition);
}

TEST(Chaos, without_a_point_to_spare_there_is_no_error) {
  const ChaosBasis b = make_basis({legendre()}, {4});
  const std::vector<double> z = {-0.9, -0.5, 0, 0.5, 0.9};
  const Expansion e = least_squares(b, z, responses([](auto x) { return std::vector{std::exp(x[0]), 7.0}; }, z, 1));
  EXPECT_TRUE(std::isinf(e.loo[0]));
  EXPECT_TRUE(std::isnan(e.loo[1]));  // no scatter
  EXPECT_EQ(e.scattered[1], 0);
  EXPECT_NEAR(e.coefficients(0, 1), 7, 1e-13);  // round-off
}

TEST(Chaos, refuses_what_cannot_be_fitted) {
  const ChaosBasis b = make_basis(three, {2});
  const std::vector<double> z = random_points(three, 12, 5);
  RowMatrix y = RowMatrix::Zero(12, 1);
  const std::vector<double> few(z.begin(), z.begin() + 27);
  EXPECT_EQ(message_of<std::invalid_argument>([&] { least_squares(b, few, y.topRows(9)); }),
            "least squares with 10 terms needs at least as many points, not 9");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { least_squares(b, few, y); }),
            "12 responses for 27 numbers, which are points of 3 variables");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { sparse_least_squares(b, z, y, 2); }),
            "1 outputs are not those of 2 channels");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { sparse_least_squares(b, std::span(z).first(6), y.topRows(2), 1); }),
            "a sparse expansion needs at least 3 points, not 2");
  EXPECT_EQ(message_of<std::invalid_argument>([&] { project(b, z, std::vector<double>(11), y); }), "11 weights for 12 points");
  std::vector<double> repeated = z;
  for (std::size_t i = 3; i < 36; ++i) repeated[i] = repeated[i % 3 + 3 * (i / 3 % 7)];
  EXPECT_EQ(message_of<std::invalid_argument>([&] { least_squares(b, repeated, y); }),
            "12 points determine only 7 of the 10 terms of the expansion");
  y(4, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message_of<std::invalid_argument>([&] { least_squares(b, z, y); }), "the response at point 4 is not finite");
}

// y = (2 + 3 Ψ₁₀₀ + Ψ₀₂₀ + 4 Ψ₁₁₁) (1 + t) in channel 0 and 5 Ψ₀₀₁ in channel 1: everything by hand.
Expansion by_hand() {
  Expansion e{{three, 5, {0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2, 0, 1, 1, 1}}, RowMatrix(5, 6), {}, {}, 100, 1, ""};
  const std::vector<double> first = {2, 3, 0, 1, 4}, second = {0, 0, 5, 0, 0};
  for (int k = 0; k < 5; ++k)
    for (int t = 0; t < 3; ++t) {
      e.coefficients(k, 2 * t) = first[std::size_t(k)] * (1 + t);
      e.coefficients(k, 2 * t + 1) = second[std::size_t(k)];
    }
  return e;
}
const std::vector<double> times = {0, 1, 2};

TEST(ChaosStatistics, mean_variance_and_shares_by_hand) {
  const Expansion e = by_hand();
  EXPECT_EQ(mean(e), (std::vector<double>{2, 0, 4, 0, 6, 0}));
  EXPECT_EQ(variance(e), (std::vector<double>{26, 25, 104, 25, 234, 25}));
  const results::SobolIndices s = shares(e, {"a", "b"}, std::vector{0, 1, 0}, times, 2);
  for (int t = 0; t < 3; ++t) {
    EXPECT_DOUBLE_EQ(s.of[0][0].first[std::size_t(t)], 9.0 / 26);
    EXPECT_DOUBLE_EQ(s.of[0][0].total[std::size_t(t)], 25.0 / 26);
    EXPECT_DOUBLE_EQ(s.of[0][1].first[std::size_t(t)], 1.0 / 26);
    EXPECT_DOUBLE_EQ(s.of[0][1].total[std::size_t(t)], 17.0 / 26);
    EXPECT_EQ(s.of[1][0].first[std::size_t(t)], 1);
    EXPECT_EQ(s.of[1][1].total[std::size_t(t)], 0);
  }
  EXPECT_DOUBLE_EQ(s.of[0][1].integrated_total.value, 17.0 / 26);
  EXPECT_EQ(s.of[1][0].integrated_first.value, 1);
  EXPECT_EQ(s.realizations, 100);
  EXPECT_EQ(message_of<std::invalid_argument>([&] { shares(e, {"a"}, std::vector{0}, times, 2); }),
            "groups of 1 variables are given, and there are 3");
  EXPECT_EQ(message_of<std::invalid_argument>([&] {
              shares(e, {"a"}, std::vector{0, 0, 0}, times, 3);
            }),
            "6 outputs are not 3 times of 3 channels");
}

TEST(ChaosStatistics, decay_by_hand) {
  const std::vector<std::vector<double>> d = decay(by_hand(), times, 2);
  ASSERT_EQ(d.size(), 2u);
  ASSERT_EQ(d[0].size(), 3u);
  EXPECT_DOUBLE_EQ(d[0][0], 9.0 / 26);
  EXPECT_DOUBLE_EQ(d[0][1], 1.0 / 26);
  EXPECT_DOUBLE_EQ(d[0][2], 16.0 / 26);
  EXPECT_EQ(d[1], (std::vector<double>{1, 0, 0}));
}

TEST(ChaosStatistics, nothing_scatters_nothing_has_causes) {
  Expansion e = by_hand();
  for (int k = 1; k < 5; ++k) e.coefficients(k, 0) = 0, e.coefficients(k, 1) = e.coefficients(k, 3) = e.coefficients(k, 5) = 0;
  const results::SobolIndices s = shares(e, {"a", "b"}, std::vector{0, 1, 0}, times, 2);
  EXPECT_TRUE(std::isnan(s.of[0][0].first[0]));
  EXPECT_DOUBLE_EQ(s.of[0][0].first[1], 9.0 / 26);
  EXPECT_DOUBLE_EQ(s.of[0][0].integrated_first.value, 9.0 / 26);
  EXPECT_TRUE(std::isnan(s.of[1][0].integrated_total.value));
  EXPECT_TRUE(std::isnan(decay(e, times, 2)[1][0]));
}

TEST(ChaosStatistics, errors_by_hand) {
  const Expansion e{{{legendre()}, 2, {0, 1}}, RowMatrix::Ones(2, 4), {0.5, 0.25, std::nan(""), 0.5}, {2, 4, 0, 8}, 10, 1, ""};
  const FitError loo = leave_one_out_error(e, std::vector<double>{0, 1}, 2);
  EXPECT_EQ(loo.integrated[0], 0.5);  // half an interval each: (1 + 0)/(2 + 0)
  EXPECT_EQ(loo.integrated[1], (1.0 + 4) / (4 + 8));
  EXPECT_TRUE(std::isnan(loo.relative[2]));
  // The expansion says 1 + √3 z: at z = ±1/√3 it is 2 and 0.
  const std::vector<double> z = {1 / std::sqrt(3.0), -1 / std::sqrt(3.0)};
  RowMatrix y(2, 4);
  y << 3, 2, 5, 2.5,  //
      1, 0, 5, 0.5;
  const FitError held_out = held_out_error(e, z, y, std::vector<double>{0, 1}, 2);
  EXPECT_DOUBLE_EQ(held_out.relative[0], 0.5);  // errors 1 and 1, variance 2
  EXPECT_NEAR(held_out.relative[1], 0, 1e-30);  // round-off, squared
  EXPECT_TRUE(std::isnan(held_out.relative[2]));
  EXPECT_DOUBLE_EQ(held_out.relative[3], 0.125);
  EXPECT_DOUBLE_EQ(held_out.integrated[0], (1.0 + 17) / 2);  // errors 3 and 5 where no scatter count too
  EXPECT_DOUBLE_EQ(held_out.integrated[1], 0.25 / 4);
}

TEST(ChaosStatistics, the_highest_complete_degree_of_a_basis) {
  EXPECT_EQ(complete_degree(std::vector<int>{0, 1, 2, 3}, 1), 3);
  EXPECT_EQ(complete_degree(std::vector<int>{0, 0, 1, 0, 0, 1, 1, 1}, 2), 1);  // a tensor of order 1: of degree 2, xy alone
  EXPECT_EQ(complete_degree(make_basis({legendre(), legendre()}, {4, Truncation::tensor}).degrees, 2), 4);
  EXPECT_EQ(complete_degree(make_basis({legendre(), legendre(), legendre()}, {3, 1}).degrees, 3), 3);
  EXPECT_EQ(complete_degree(std::vector<int>{0, 0, 2, 0}, 2), 0);  // selected terms
}

// Of a tensor of order 3 in two variables degrees up to 6 occur, the last of them in one term.
TEST(ChaosStatistics, one_verdict_by_the_highest_complete_degree) {
  results::Chaos chaos;
  chaos.variables.resize(2);
  chaos.degrees = make_basis({legendre(), legendre()}, {3, Truncation::tensor}).degrees;
  chaos.loo = {std::nan("")};
  chaos.decay = {{0.9, 0.05, 0.03, 0.02, 1e-9, 1e-12}};
  EXPECT_EQ(expansion_verdict(chaos, 0),
            "not converged: a higher order, or a sampling method, is needed (degree 2 has 5 % of the variance)");
  chaos.decay = {{0.99, 0, 0.008, 0.002, 0, 0}};  // an odd response
  EXPECT_EQ(
      expansion_verdict(chaos, 0),
      "nearly converged: good for mean and standard deviation (degree 3, the highest complete one, has 0.8 % of the variance)");
  chaos.decay = {{1 - 1e-6, 1e-6, 1e-7, 0, 0, 0}};
  EXPECT_EQ(expansion_verdict(chaos, 0), "converged (degree 2 has 0.0001 % of the variance)");
  chaos.loo = {0.05};
  EXPECT_EQ(
      expansion_verdict(chaos, 0),
      "accurate enough for mean and standard deviation, not for single realizations (leave-one-out error 5 % of the variance)");
}

TEST(ChaosStatistics, one_sentence_says_for_which_outputs_an_expansion_is_good) {
  results::Chaos chaos;
  chaos.variables.resize(1);
  chaos.degrees = {0, 1, 2, 3};
  chaos.loo = std::vector<double>(3, std::nan(""));
  chaos.decay = {{1, 0, 1e-6}, {0.9, 0.08, 0.02}, {std::nan("")}};
  EXPECT_EQ(expansion_summary(chaos, {"x", "f", "still"}, {1, 1, 0}),
            "converged for x, not converged for f (the highest degrees have up to 8 % of the variance): a higher order, or a "
            "sampling method, is needed");
  EXPECT_EQ(expansion_summary(chaos, {"x", "f", "still"}, {0, 0, 0}), "no output varies");
  chaos.loo = {0.001, 0.004, 0.002};
  EXPECT_EQ(expansion_summary(chaos, {"x", "f", "g"}, {1, 1, 1}),
            "accurate for all outputs (leave-one-out error up to 0.4 % of the variance)");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::analysis
