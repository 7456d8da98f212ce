// Does the Kummer–Beta law have the properties that define it, and are its draws from it? Fixed seeds; limits as stated in
// kummer_beta_reference.hpp: a false alarm of the whole file has a probability below 1e-3.
#include "uncertainty/kummer_beta.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "statistics/kummer_beta_reference.hpp"
#include "support/sample_tests.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

using namespace reference;
using Eigen::Matrix3d, Eigen::Vector3d;

Matrix3d scaled_identity(double g) { return g * Matrix3d::Identity(); }

Matrix3d rotation() { return Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix(); }

Matrix3d rotated(double g1, double g2, double g3) {
  const Matrix3d q = rotation();
  const Matrix3d m = q * Vector3d(g1, g2, g3).asDiagonal() * q.transpose();
  return 0.5 * (m + m.transpose());
}

template <class F>
void for_draws(const KummerBeta<3>& law, int n, F&& f) {
  for (int k = 0; k < n; ++k) {
    Stream stream(2026, k, quantity_key("G"));
    f(law.draw(stream));
  }
}

double smallest_eigenvalue(const Matrix3d& m) {
  return Eigen::SelfAdjointEigenSolver<Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

double log_det(const Matrix3d& m) { return std::log(m.determinant()); }

struct Case {
  Matrix3d gmax;
  double lambda_l, lambda_u;
};

std::vector<Case> cases() {
  return {{scaled_identity(3), -5, -5},    {scaled_identity(2), -5, -5},  {rotated(1.2, 3, 20), -5, -5},
          {rotated(1.2, 3, 20), 0.4, 0.9}, {rotated(1.2, 3, 20), 0, 0},   {rotated(1.2, 2, 4), -100, -100},
          {rotated(1.5, 1.5, 8), -2, 0.5}, {rotated(3, 3.5, 4), -20, -1}, {scaled_identity(3), 0.4, -5}};
}

TEST(KummerBetaLaw, every_draw_lies_between_zero_and_the_upper_bound_and_the_mean_is_the_identity) {
  for (const auto& [gmax, lambda_l, lambda_u] : cases()) {
    SCOPED_TRACE(testing::Message() << "lambda_l " << lambda_l << ", lambda_u " << lambda_u << ", Gmax\n" << gmax);
    const KummerBeta<3> law(gmax, lambda_l, lambda_u);
    Sums entry[3][3];
    double norm = 0;
    const int n = 20000;
    // Near singular bounds (λ > 0) the smallest eigenvalue is lost in the rounding of the largest, 20 · 1e-16.
    const double rounding = lambda_l > 0 || lambda_u > 0 ? -1e-14 : 0;
    for_draws(law, n, [&](const Matrix3d& g) {
      ASSERT_GT(smallest_eigenvalue(g), rounding);
      ASSERT_GT(smallest_eigenvalue(gmax - g), rounding);
      ASSERT_EQ(g, g.transpose());
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) entry[i][j].add(g(i, j));
      norm += (g - Matrix3d::Identity()).squaredNorm();
    });
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        EXPECT_LT(std::abs(entry[i][j].z(i == j)), z_limit) << i << j;
        // variance: relative error √((kurtosis − 1)/n), kurtosis up to 9
        EXPECT_NEAR(entry[i][j].variance() / law.variance()(i, j), 1, z_limit * std::sqrt(8.0 / n)) << i << j;
      }
    EXPECT_NEAR(std::sqrt(norm / n / 3) / law.dispersion(), 1, z_limit * std::sqrt(2.0 / n));
  }
}

TEST(KummerBetaLaw, isotropic_multiplier_agrees_with_eigenvalue_quadrature) {
  for (const auto& [g, lambda_l, lambda_u] : {std::array{3.0, -5.0, -5.0}, {1.3, -3.0, -1.0}, {6.0, -2.5, -4.0}}) {
    const KummerBeta<3> law(scaled_identity(g), lambda_l, lambda_u);
    const double c = law.mu()(0, 0);
    EXPECT_LT((law.mu() - c * Matrix3d::Identity()).norm(), 1e-7 * std::abs(c));
    const double mean = eigenvalue_mean(g, lambda_l, lambda_u, c, [](double x, double y, double z) { return (x + y + z) / 3; });
    EXPECT_NEAR(mean, 1, 1e-8) << g;  // truncation of the reference
    const double square =
        eigenvalue_mean(g, lambda_l, lambda_u, c, [](double x, double y, double z) { return x * x + y * y + z * z; });
    EXPECT_NEAR(std::sqrt(square / 3 - 1), law.dispersion(), 1e-8);
  }
}

TEST(KummerBetaLaw, isotropic_moments_of_draws_agree_with_eigenvalue_quadrature) {
  const double g = 3, lambda_l = -5, lambda_u = -5;
  const KummerBeta<3> law(scaled_identity(g), lambda_l, lambda_u);
  const double c = law.mu()(0, 0);
  Sums square, det, low, middle, high, log_low, log_high;
  for_draws(law, 50000, [&](const Matrix3d& m) {
    const Vector3d l = Eigen::SelfAdjointEigenSolver<Matrix3d>(m, Eigen::EigenvaluesOnly).eigenvalues();
    square.add(l.squaredNorm()), det.add(l.prod()), low.add(l[0]), middle.add(l[1]), high.add(l[2]);
    log_low.add(log_det(m)), log_high.add(log_det(scaled_identity(g) - m));
  });
  const auto mean = [&](auto f) { return eigenvalue_mean(g, lambda_l, lambda_u, c, f); };
  EXPECT_LT(std::abs(square.z(mean([](double x, double y, double z) { return x * x + y * y + z * z; }))), z_limit);
  EXPECT_LT(std::abs(det.z(mean([](double x, double y, double z) { return x * y * z; }))), z_limit);
  EXPECT_LT(std::abs(low.z(mean([](double x, double, double) { return x; }))), z_limit);
  EXPECT_LT(std::abs(middle.z(mean([](double, double y, double) { return y; }))), z_limit);
  EXPECT_LT(std::abs(high.z(mean([](double, double, double z) { return z; }))), z_limit);
  EXPECT_LT(std::abs(log_low.z(mean([](double x, double y, double z) { return std::log(x * y * z); }))), z_limit);
  EXPECT_LT(std::abs(log_high.z(mean([](double x, double y, double z) { return std::log((3 - x) * (3 - y) * (3 - z)); }))),
            z_limit);
}

TEST(KummerBetaLaw, without_multiplier_it_is_matrix_variate_beta) {
  // E{G} = g a/(a+b) I = I at μ = 0: g = (a+b)/a
  for (const auto& [lambda_l, lambda_u] : {std::array{-5.0, -5.0}, {-1.0, -4.0}, {0.0, 0.5}}) {
    const double a = 2 - lambda_l, b = 2 - lambda_u, g = (a + b) / a;
    const KummerBeta<3> law(scaled_identity(g), lambda_l, lambda_u);
    EXPECT_LT(law.mu().norm(), 1e-9);
    // C = Γ3(a + b)/(Γ3(a) Γ3(b)) g^(−3 (a+b−2))
    const auto gamma3 = [](double v) { return std::lgamma(v) + std::lgamma(v - 0.5) + std::lgamma(v - 1); };
    const double pi3 = 1.5 * std::log(std::numbers::pi);
    EXPECT_NEAR(law.log_c(), gamma3(a + b) - gamma3(a) - gamma3(b) - pi3 - 3 * (a + b - 2) * std::log(g), 1e-9);

    Sums low, high;
    std::vector<double> u[3];
    std::vector<Cdf> cdf;
    for (int i = 0; i < 3; ++i)
      cdf.emplace_back([&, i](double x) { return std::pow(x, a - 0.5 * i - 1) * std::pow(1 - x, b - 1); }, 200000);
    for_draws(law, 20000, [&](const Matrix3d& m) {
      low.add(log_det(m / g)), high.add(log_det(Matrix3d::Identity() - m / g));
      const Matrix3d l = (m / g).llt().matrixL();
      for (int i = 0; i < 3; ++i) u[i].push_back(cdf[i](l(i, i) * l(i, i)));
    });
    double expected_low = 0, expected_high = 0;
    for (int i = 0; i < 3; ++i) {
      expected_low += digamma(a - 0.5 * i) - digamma(a + b - 0.5 * i);
      expected_high += digamma(b - 0.5 * i) - digamma(a + b - 0.5 * i);
      EXPECT_LT(kolmogorov(u[i]), kolmogorov_bound) << "l_ii^2/g ~ Beta(a - (i-1)/2, b), i = " << i + 1;
      EXPECT_LT(std::abs(correlation_z(u[i], u[(i + 1) % 3])), z_limit) << "diagonal entries are independent";
    }
    EXPECT_LT(std::abs(low.z(expected_low)), z_limit);
    EXPECT_LT(std::abs(high.z(expected_high)), z_limit);
  }
}

TEST(KummerBetaLaw, isotropic_draws_are_invariant_under_rotation) {
  const KummerBeta<3> law(scaled_identity(3), -5, -5);
  const Vector3d d = Vector3d(1, -2, 0.5).normalized();
  std::vector<double> along_x, along_d;
  Sums eigenvector[3];
  for_draws(law, 40000, [&](const Matrix3d& g) {
    // both from half of the draws, so that they are independent samples
    (along_x.size() <= along_d.size() ? along_x : along_d).push_back(along_x.size() <= along_d.size() ? g(0, 0) : d.dot(g * d));
    const Vector3d v = Eigen::SelfAdjointEigenSolver<Matrix3d>(g).eigenvectors().col(2);
    for (int i = 0; i < 3; ++i) eigenvector[i].add(v[i] * v[i]);
  });
  std::sort(along_x.begin(), along_x.end()), std::sort(along_d.begin(), along_d.end());
  const double n = static_cast<double>(along_x.size());
  double distance = 0;
  for (std::size_t k = 0; k < along_x.size(); ++k)
    distance = std::max(
        distance,
        std::abs((std::lower_bound(along_d.begin(), along_d.end(), along_x[k]) - along_d.begin()) - static_cast<double>(k)) / n);
  EXPECT_LT(distance * std::sqrt(n / 2), kolmogorov_bound + 0.01);
  for (const Sums& v : eigenvector) EXPECT_LT(std::abs(v.z(1.0 / 3)), z_limit);
}

// Self-normalised importance sampling from W ~ Wishart with mean I, which knows nothing of the quadrature or the sampler.
TEST(KummerBetaLaw, draws_for_a_general_upper_bound_agree_with_importance_sampling) {
  const Matrix3d gmax = rotated(1.5, 3, 20);
  const double lambda_l = -5, lambda_u = -3, a = 2 - lambda_l;
  const KummerBeta<3> law(gmax, lambda_l, lambda_u);
  const auto functions = [&](const Matrix3d& g) {
    return std::array{g(0, 0),           g(0, 1),         g(1, 1),    g(1, 2),          g(0, 0) * g(0, 0),
                      g(0, 1) * g(0, 1), g.determinant(), log_det(g), log_det(gmax - g)};
  };
  constexpr int count = 9;
  std::array<Sums, count> drawn;
  for_draws(law, 60000, [&](const Matrix3d& g) {
    const auto f = functions(g);
    for (int i = 0; i < count; ++i) drawn[i].add(f[i]);
  });
  double norm = 0;
  std::array<double, count> first{}, w2f{}, w2f2{};
  double squares = 0;
  for (int k = 0; k < 300000; ++k) {
    Stream stream(7, k, 1);
    Matrix3d l = Matrix3d::Zero();
    for (int i = 0; i < 3; ++i) {
      l(i, i) = std::sqrt(stream.gamma(a - 0.5 * i));
      for (int j = 0; j < i; ++j) l(i, j) = std::sqrt(0.5) * stream.normal();
    }
    const Matrix3d g = l * l.transpose() / a, rest = gmax - g;
    if (!(rest(0, 0) > 0 && rest.topLeftCorner<2, 2>().determinant() > 0 && rest.determinant() > 0)) continue;
    const double w = std::exp(-lambda_u * log_det(rest) - (law.mu() * g).trace() + a * (g.trace() - 3));
    const auto f = functions(g);
    norm += w, squares += w * w;
    for (int i = 0; i < count; ++i) first[i] += w * f[i], w2f[i] += w * w * f[i], w2f2[i] += w * w * f[i] * f[i];
  }
  for (int i = 0; i < count; ++i) {
    const double mean = first[i] / norm;
    const double error = std::sqrt(w2f2[i] - 2 * mean * w2f[i] + mean * mean * squares) / norm;
    EXPECT_LT(std::abs(drawn[i].mean - mean), z_limit * std::hypot(error, drawn[i].error())) << i;
  }
}

TEST(KummerBetaLaw, every_method_draws_from_the_same_law) {
  const Matrix3d gmax = rotated(1.8, 2.5, 4);
  const double lambda_l = -1, lambda_u = -1.5;
  const auto functions = [&](const Matrix3d& g) {
    return std::array{g(0, 0), g(0, 1), g(2, 2) * g(2, 2), g.squaredNorm(), g.determinant(), log_det(g), log_det(gmax - g)};
  };
  std::array<std::array<Sums, 7>, 4> sums;
  const KummerBetaMethod methods[] = {KummerBetaMethod::lower, KummerBetaMethod::upper, KummerBetaMethod::product,
                                      KummerBetaMethod::chain};
  for (int m = 0; m < 4; ++m) {
    const KummerBeta<3> law(gmax, lambda_l, lambda_u, methods[m]);
    EXPECT_EQ(law.exact(), m < 3);
    const int n = m < 3 ? 20000 : 1500;
    for (int k = 0; k < n; ++k) {
      Stream stream(5 + m, k, 1);
      const auto f = functions(law.draw(stream));
      for (int i = 0; i < 7; ++i) sums[m][i].add(f[i]);
    }
    if (m == 3) {
      EXPECT_GT(law.acceptance(), 0.15);
      EXPECT_LT(law.acceptance(), 0.4);
      EXPECT_LT(law.chain().split_r_hat, 1.05);
      EXPECT_GE(law.chain().burn_in, 5 * law.chain().autocorrelation_time);
    }
  }
  for (int m = 1; m < 4; ++m)
    for (int i = 0; i < 7; ++i) EXPECT_LT(std::abs(sums[m][i].z(sums[0][i])), z_limit) << "method " << m << ", function " << i;
}

// By importance sampling from a Wishart law with mean I and known density. The acceptance is a ratio of such masses.
TEST(KummerBetaLaw, density_integrates_to_one_and_half_of_the_proposals_are_accepted) {
  const KummerBeta<3> law(scaled_identity(3), -5, -5);
  const double a = 7;
  Sums mass;
  for (int k = 0; k < 100000; ++k) {
    Stream stream(8, k, 1);
    Matrix3d l = Matrix3d::Zero();
    double log_q = -(1.5 * std::log(std::numbers::pi) + std::lgamma(a) + std::lgamma(a - 0.5) + std::lgamma(a - 1));
    for (int i = 0; i < 3; ++i) {
      l(i, i) = std::sqrt(stream.gamma(a - 0.5 * i));
      for (int j = 0; j < i; ++j) l(i, j) = std::sqrt(0.5) * stream.normal();
    }
    const Matrix3d g = l * l.transpose() / a, rest = scaled_identity(3) - g;
    log_q += 5 * log_det(g) - a * g.trace() + 3 * a * std::log(a);
    const bool inside = smallest_eigenvalue(rest) > 0;
    const double log_p = inside ? law.log_c() + 5 * log_det(g) + 5 * log_det(rest) - (law.mu() * g).trace() : 0;
    mass.add(inside ? std::exp(log_p - log_q) : 0.0);
  }
  EXPECT_LT(std::abs(mass.z(1)), z_limit);
  EXPECT_NEAR(law.acceptance(), 0.53, 0.01);  // lower envelope, theory: about one half
}

TEST(KummerBetaLaw, consecutive_draws_are_independent) {
  for (const bool one_stream : {true, false}) {
    const KummerBeta<3> law(scaled_identity(3), -5, -5);
    std::vector<double> values[3];
    Stream running(3, 0, 1);
    for (int k = 0; k < 20000; ++k) {
      Stream own(3, k, 1);
      const Matrix3d g = law.draw(one_stream ? running : own);
      values[0].push_back(g(0, 0)), values[1].push_back(g(0, 1)), values[2].push_back(log_det(g));
    }
    for (const auto& v : values) {
      const std::vector<double> before(v.begin(), v.end() - 1), after(v.begin() + 1, v.end());
      EXPECT_LT(std::abs(correlation_z(before, after)), z_limit);
    }
  }
}

TEST(KummerBetaLaw, of_one_number_agrees_with_quadrature) {
  for (const auto& [g, lambda_l, lambda_u] :
       {std::array{3.0, -5.0, -5.0}, {2.0, -1.5, -1.5}, {1.1, -2.0, -3.0}, {20.0, -1.2, -50.0}, {4.0, -3.0, 0.5}}) {
    const KummerBeta<1> law(Eigen::Matrix<double, 1, 1>(g), lambda_l, lambda_u);
    const double mu = law.mu()(0, 0);
    const Nodes q = smoothed(400);
    double norm = 0, mean = 0, square = 0, log_mean = 0;
    const auto density = [&](double x) {
      return std::pow(x, -lambda_l) * std::pow(1 - x, -lambda_u) * std::exp(-mu * g * (x - 1 / g));
    };
    for (std::size_t k = 0; k < q.x.size(); ++k) {
      const double w = q.w[k] * density(q.x[k]), v = g * q.x[k];
      norm += w, mean += w * v, square += w * v * v, log_mean += w * std::log(v);
    }
    const double tolerance = lambda_u > 0 ? 1e-9 : 1e-11;  // the reference forms 1 − x, which cancels where it is singular
    EXPECT_NEAR(mean / norm, 1, tolerance) << g;
    EXPECT_NEAR(std::sqrt(square / norm - 1), law.dispersion(), 10 * tolerance);
    EXPECT_LT(law.mean_error(), 1e-12);
    EXPECT_GT(law.acceptance(), 0.9);
    const Cdf cdf(density, 200000);
    std::vector<double> u;
    Sums logs;
    for (int k = 0; k < 20000; ++k) {
      Stream stream(4, k, 1);
      const double v = law.draw(stream)(0, 0);
      ASSERT_GT(v, 0);
      ASSERT_LT(v, g);
      u.push_back(cdf(v / g)), logs.add(std::log(v));
    }
    EXPECT_LT(kolmogorov(u), kolmogorov_bound) << g;
    EXPECT_LT(std::abs(logs.z(log_mean / norm)), z_limit);
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
