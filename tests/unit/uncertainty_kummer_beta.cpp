// Quadrature, solution and sampler of the Kummer–Beta law: identities that hold to rounding, accuracy over the range of
// parameters, messages.
#include "uncertainty/kummer_beta.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "support/message_of.hpp"
#include "uncertainty/kummer_beta_moments.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using Eigen::Matrix3d, Eigen::Vector3d;

TEST(TiltedBeta, without_tilt_it_is_the_beta_law) {
  for (const auto& [a, b] : {std::array{6.0, 6.0}, {0.5, 0.1}, {102.0, 1.5}, {0.05, 3.0}}) {
    const TiltedBeta law(a, b, 0);
    EXPECT_NEAR(law.log_z, std::lgamma(a) + std::lgamma(b) - std::lgamma(a + b), 1e-12 * (1 + std::abs(law.log_z)));
    EXPECT_NEAR(law.cumulant[0], a / (a + b), 1e-13);
    EXPECT_NEAR(law.cumulant[1], a * b / ((a + b) * (a + b) * (a + b + 1)), 1e-13);
  }
}

TEST(TiltedBeta, large_tilts_tend_to_gamma_laws_and_mirror_each_other) {
  const TiltedBeta law(1.6, 1.1, 1e6), mirrored(1.1, 1.6, -1e6);
  EXPECT_NEAR(law.cumulant[0] * 1e6, 1.6, 1e-5);  // E x = a/τ (1 + O(1/τ))
  EXPECT_NEAR(1 - mirrored.cumulant[0], law.cumulant[0], 1e-15);
  EXPECT_NEAR(mirrored.log_z, law.log_z + 1e6, 1e-8);
}

TEST(TiltedBeta, gauss_rule_integrates_polynomials_under_the_law) {
  const TiltedBeta law(0.5, 6.5, 11);
  const auto rule = law.gauss(5);
  for (int degree = 0; degree <= 9; ++degree) {
    double sum = 0;
    for (int k = 0; k < 5; ++k) sum += rule.w[k] * std::pow(rule.x[k], degree);
    // E x^d = Z(a + d)/Z(a)
    EXPECT_NEAR(sum / std::exp(TiltedBeta(0.5 + degree, 6.5, 11).log_z - law.log_z), 1, 1e-11) << degree;
  }
}

// Steps and tails of the sampler against the quadrature: mean and square of the logit, and smooth indicators of both tails,
// which start at |y| of about 12. Five standard errors: a false alarm once in 10⁵.
TEST(TiltedBeta, draws_have_the_right_middle_and_the_right_tails) {
  for (const double tilt : {0.0, 3.0, -3.0}) {
    const TiltedBeta law(0.5, 0.5, tilt);
    const TiltedBetaSampler sampler(law);
    const std::array<double (*)(double), 4> functions{[](double y) { return y; }, [](double y) { return y * y; },
                                                      [](double y) { return 1 / (1 + std::exp(14 - y)); },
                                                      [](double y) { return 1 / (1 + std::exp(14 + y)); }};
    std::array<double, 4> sum{};
    const int n = 200000;
    Stream stream(11, 0, 1);
    for (int k = 0; k < n; ++k) {
      const double x = sampler.draw(stream), y = std::log(x) - std::log1p(-x);
      for (int f = 0; f < 4; ++f) sum[f] += functions[f](y) / n;
    }
    for (int f = 0; f < 4; ++f) {
      const double mean = law.expectation(functions[f]);
      const double square = law.expectation([&](double y) { return functions[f](y) * functions[f](y); });
      EXPECT_LT(std::abs(sum[f] - mean), 5 * std::sqrt((square - mean * mean) / n)) << tilt << ", function " << f;
    }
  }
}

// Twelve coordinate systems integrate the same six-dimensional integral.
TEST(KummerBetaMoments, do_not_depend_on_the_coordinates) {
  const Vector3d s(14, 6, -3);
  const auto reference = kummer_beta_moments(-3, -2, s, {}, {16, 9});
  for (const bool mirrored : {false, true}) {
    KummerBetaSystem system{{0, 1, 2}, mirrored};
    do {
      const auto other = kummer_beta_moments(-3, -2, s, system, {16, 9});
      EXPECT_LT((other.mean - reference.mean).norm(), 1e-9);
      EXPECT_LT((other.covariance - reference.covariance).norm(), 1e-9);
      EXPECT_LT((other.square - reference.square).norm(), 1e-9);
      EXPECT_NEAR(other.log_z, reference.log_z, 1e-8);
    } while (std::next_permutation(system.order.begin(), system.order.end()));
  }
}

// A rotation in the plane (i, j) leaves the measure alone, so that E{B_ij²} = (E{B_jj} − E{B_ii}) / (2 (s_i − s_j)).
TEST(KummerBetaMoments, obey_the_identity_of_infinitesimal_rotations) {
  const Vector3d s(20, 4, -6);
  const auto m = kummer_beta_moments(-4, -3, s, {}, {16, 9});
  for (const auto& [i, j] : {std::array{0, 1}, {0, 2}, {1, 2}})
    EXPECT_NEAR(m.square(i, j), (m.mean[j] - m.mean[i]) / (2 * (s[i] - s[j])), 1e-10);
}

// log Z is the generating function: its differences give mean and covariance.
TEST(KummerBetaMoments, are_derivatives_of_the_normalisation) {
  const Vector3d s(12, 9, 7);
  const double h = 1e-3;
  const auto m = kummer_beta_moments(-5, -5, s, {}, {12, 7});
  for (int i = 0; i < 3; ++i) {
    const Vector3d d = h * Vector3d::Unit(i);
    const auto above = kummer_beta_moments(-5, -5, s + d, {}, {12, 7}), below = kummer_beta_moments(-5, -5, s - d, {}, {12, 7});
    EXPECT_NEAR(m.mean[i], (below.log_z - above.log_z) / (2 * h), 1e-8);  // h² and rounding/h
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(m.covariance(i, j), (below.mean[j] - above.mean[j]) / (2 * h), 1e-8);
  }
}

Matrix3d rotated(const Vector3d& g, double angle) {
  const Matrix3d q = Eigen::AngleAxisd(angle, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const Matrix3d m = q * g.asDiagonal() * q.transpose();
  return 0.5 * (m + m.transpose());
}

TEST(KummerBeta, mean_is_the_identity_over_a_wide_range) {
  for (const double lambda_l : {-100.0, -5.0, 0.4})
    for (const double lambda_u : {-100.0, -5.0, 0.9}) {
      const KummerBeta<3> law(rotated(Vector3d(1.2, 3, 20), 0.9), lambda_l, lambda_u);
      EXPECT_LT(law.mean_error(), 1e-5) << lambda_l << " " << lambda_u;
    }
  for (const auto& [g, lambda_l, lambda_u] :
       {std::array{1.02, -5.0, 0.4}, {3.0, 0.0, -5.0}, {2.0, -100.0, -100.0}, {50.0, 0.4, 0.4}})
    EXPECT_LT(KummerBeta<3>(g * Matrix3d::Identity(), lambda_l, lambda_u).mean_error(), 1e-8) << g;
}

TEST(KummerBeta, application_case_is_solved_to_rounding) {
  const KummerBeta<3> law(3 * Matrix3d::Identity(), -5, -5);
  EXPECT_LT(law.mean_error(), 1e-10);
  EXPECT_NEAR(law.mu()(0, 0), 3.94076, 1e-5);
  EXPECT_TRUE(law.exact());
  EXPECT_GT(law.acceptance(), 0.5);
}

TEST(KummerBeta, turns_with_the_upper_bound) {
  const Vector3d g(1.5, 3, 9);
  const Matrix3d q = Eigen::AngleAxisd(0.4, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  const KummerBeta<3> law(g.asDiagonal(), -3, -2), turned(rotated(g, 0.4), -3, -2);
  EXPECT_LT((turned.mu() - q * law.mu() * q.transpose()).norm(), 1e-6 * law.mu().norm());
  EXPECT_NEAR(turned.dispersion(), law.dispersion(), 1e-9);
  EXPECT_LT(Matrix3d(law.mu() - Matrix3d(law.mu().diagonal().asDiagonal())).norm(), 1e-12);
}

TEST(KummerBeta, a_draw_depends_on_its_stream_alone) {
  for (const auto method : {KummerBetaMethod::lower, KummerBetaMethod::product, KummerBetaMethod::chain}) {
    const KummerBeta<3> law(3 * Matrix3d::Identity(), -2, -2, method), again(3 * Matrix3d::Identity(), -2, -2, method);
    std::array<Matrix3d, 5> forward;
    for (int k = 0; k < 5; ++k) {
      Stream stream(9, k, 1);
      forward[k] = law.draw(stream);
    }
    for (int k = 4; k >= 0; --k) {
      Stream stream(9, k, 1);
      EXPECT_EQ(again.draw(stream), forward[k]);
    }
  }
}

TEST(KummerBeta, where_rejection_is_hopeless_a_chain_tells_how_well_it_mixes) {
  const KummerBeta<3> law(3 * Matrix3d::Identity(), -100, 0.9);
  EXPECT_FALSE(law.exact());
  EXPECT_LT(law.chain().split_r_hat, 1.05);
  EXPECT_GT(law.chain().step, 0);
  EXPECT_GE(law.chain().burn_in, 10 * law.chain().autocorrelation_time);
}

template <int N>
std::string refusal(const Eigen::Matrix<double, N, N>& gmax, double lambda_l, double lambda_u) {
  return test::message_of<std::invalid_argument>([&] { KummerBeta<N>(gmax, lambda_l, lambda_u); });
}

TEST(KummerBeta, refuses_laws_that_do_not_exist) {
  const Matrix3d three = 3 * Matrix3d::Identity();
  EXPECT_EQ(refusal<3>(three, 1, -5), "the Kummer-Beta distribution does not exist for lambda_l = 1: it must be below 1");
  EXPECT_EQ(refusal<3>(three, -5, 1.5), "the Kummer-Beta distribution does not exist for lambda_u = 1.5: it must be below 1");
  EXPECT_EQ(refusal<3>(Vector3d(3, 0.9, 2).asDiagonal().toDenseMatrix(), -5, -5),
            "Gmax - I must be positive definite: the smallest eigenvalue of Gmax is 0.9, in the direction (0, 1, 0)");
  EXPECT_EQ(refusal<1>(Eigen::Matrix<double, 1, 1>(0.5), -5, -5), "Gmax - I must be positive definite: Gmax = 0.5");
  EXPECT_EQ(refusal<3>(std::nan("") * three, -5, -5), "the upper bound Gmax of the Kummer-Beta distribution is not a number");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
