// The laws of random numbers from streams, and their independence across draws, realizations, quantities and replicates.
#include "uncertainty/stream.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/sample_tests.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr int draws = 100000;

std::vector<double> sample_of(const std::function<double(int)>& draw) {
  std::vector<double> x(draws);
  for (int k = 0; k < draws; ++k) x[k] = draw(k);
  return x;
}

// P(a, x), the distribution function of a Gamma law: x^a e^(−x)/Γ(a + 1) · Σ x^n/((a + 1) … (a + n)), positive terms.
double gamma_cdf(double a, double x) {
  double term = std::exp(a * std::log(x) - x - std::lgamma(a + 1)), sum = term;
  for (int n = 1; n < 10000 && term > 1e-17 * sum; ++n) sum += term *= x / (a + n);
  return sum;
}
double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

// In all: 13 Kolmogorov tests at 9e-7, 18 scores at 5.7e-7, false alarm 2.2e-5.
TEST(Stream, uniform_numbers_are_uniform) {
  Stream one(1, 0, quantity_key("x"));
  const auto identity = [](double x) { return x; };
  EXPECT_LT(kolmogorov(sample_of([&](int) { return one.uniform(); }), identity), kolmogorov_bound);
  // The first numbers of realizations, of quantities (hashed names), of seeds.
  EXPECT_LT(kolmogorov(sample_of([](int k) { return Stream(1, k, 9).uniform(); }), identity), kolmogorov_bound);
  EXPECT_LT(kolmogorov(sample_of([](int k) { return Stream(1, 0, quantity_key(std::to_string(k))).uniform(); }), identity),
            kolmogorov_bound);
  EXPECT_LT(kolmogorov(sample_of([](int k) { return Stream(k, 0, 9).uniform(); }), identity), kolmogorov_bound);
  Stream bounds(2, 0, 0);
  for (int k = 0; k < draws; ++k) {
    const double u = bounds.uniform();
    ASSERT_TRUE(u > 0 && u < 1);
  }
}

TEST(Stream, normal_numbers_are_normal) {
  Stream one(3, 0, quantity_key("x"));
  EXPECT_LT(kolmogorov(sample_of([&](int) { return one.normal(); }), normal_cdf), kolmogorov_bound);
  EXPECT_LT(kolmogorov(sample_of([](int k) { return Stream(3, k, 9).normal(); }), normal_cdf), kolmogorov_bound);
}

TEST(Stream, gamma_numbers_have_the_gamma_law) {
  for (const double shape : {0.05, 0.4, 1.0, 1.5, 2.0, 7.3, 400.0}) {
    SCOPED_TRACE(shape);
    const auto sample = sample_of([&](int k) { return Stream(4, k, 9).gamma(shape); });
    EXPECT_LT(kolmogorov(sample, [&](double x) { return gamma_cdf(shape, x); }), kolmogorov_bound);
    // The mean, of standard error √(shape/n).
    const double mean = std::accumulate(sample.begin(), sample.end(), 0.0) / draws;
    EXPECT_LT(std::abs(mean - shape), five_sigma * std::sqrt(shape / draws));
  }
}

TEST(Stream, consecutive_numbers_realizations_quantities_and_replicates_are_uncorrelated) {
  Stream one(5, 0, 0);
  const auto consecutive = sample_of([&](int) { return one.uniform(); });
  Stream other(5, 0, 1);
  const auto normals = sample_of([&](int) { return other.normal(); });
  const auto realizations = sample_of([](int k) { return Stream(5, k, quantity_key("mass")).uniform(); });
  const auto quantity = sample_of([](int k) { return Stream(5, k, quantity_key("length")).uniform(); });
  const auto replicate = sample_of([](int k) { return Stream(5, k, quantity_key("mass"), 1).uniform(); });
  const auto seed = sample_of([](int k) { return Stream(6, k, quantity_key("mass")).uniform(); });
  for (const auto& x : {consecutive, normals, realizations}) {
    EXPECT_LT(std::abs(lag_score(x)), five_sigma);
    // Dependence without correlation would show in the squares.
    std::vector<double> squares;
    for (const double v : x) squares.push_back((v - 0.5) * (v - 0.5));
    EXPECT_LT(std::abs(lag_score(squares)), five_sigma);
  }
  for (const auto& y : {quantity, replicate, seed}) EXPECT_LT(std::abs(correlation_score(realizations, y)), five_sigma);
}

// Pairs of consecutive numbers in a 16 × 16 grid, and triples of realizations × quantities × numbers in an 8 × 8 × 8 one.
TEST(Stream, pairs_and_triples_fill_their_squares_and_cubes) {
  std::vector<double> pairs(256), triples(512);
  Stream one(7, 0, 0);
  for (int k = 0; k < draws; ++k) {
    const int a = static_cast<int>(16 * one.uniform()), b = static_cast<int>(16 * one.uniform());
    ++pairs[16 * a + b];
    Stream x(7, k, quantity_key("x")), y(7, k, quantity_key("y"));
    const int i = static_cast<int>(8 * x.uniform()), j = static_cast<int>(8 * y.uniform()), l = static_cast<int>(8 * y.uniform());
    ++triples[64 * i + 8 * j + l];
  }
  for (const auto& counts : {pairs, triples}) {
    const double cells = static_cast<double>(counts.size()), expected = draws / cells;
    double chi_square = 0;
    for (const double n : counts) chi_square += (n - expected) * (n - expected) / expected;
    EXPECT_LT(std::abs(chi_square_score(chi_square, cells - 1)), five_sigma);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
