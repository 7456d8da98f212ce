// Kriging: exact where it must be, accurate where it matters, low where the function is low.
#include "inference/surrogate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "inference_functions.hpp"

namespace aleator::core::inference {
namespace ALEATOR_FILE {

using Place = std::vector<double>;

Eigen::MatrixXd random_points(int d, int n, std::uint64_t seed) {
  auto uniform = uniform_numbers(seed);
  return Eigen::MatrixXd::NullaryExpr(d, n, [&] { return uniform(); });
}

std::vector<double> values_at(const std::function<double(std::span<const double>)>& f, const Eigen::MatrixXd& points) {
  std::vector<double> values;
  for (Eigen::Index i = 0; i < points.cols(); ++i) values.push_back(f({points.col(i).data(), size_t(points.rows())}));
  return values;
}

TEST(Surrogate, a_quadratic_is_its_own_trend) {
  const auto f = [](std::span<const double> x) { return 7 - 3 * std::pow(x[0] - 0.4, 2) + 2 * x[0] * x[1] - x[2]; };
  const Eigen::MatrixXd points = random_points(3, 40, 1), others = random_points(3, 50, 2);
  const Surrogate s(points, values_at(f, points), 20);
  // the variance of the residuals is kept above 1e-12, of which a nugget may be left
  for (Eigen::Index i = 0; i < others.cols(); ++i) {
    const Place x(others.col(i).data(), others.col(i).data() + 3);
    EXPECT_NEAR(s.value(x), f(x), 1e-5);
    EXPECT_LT(s.deviation(x), 1e-4);
  }
}

TEST(Surrogate, goes_through_smooth_values_and_knows_its_error) {
  const auto f = [](std::span<const double> x) { return std::sin(5 * x[0]) * std::cos(4 * x[1]); };
  const Eigen::MatrixXd points = random_points(2, 80, 1), others = random_points(2, 200, 2);
  const std::vector<double> values = values_at(f, points);
  const Surrogate s(points, values, 20);
  for (int i = 0; i < 80; ++i) EXPECT_NEAR(s.value({points.col(i).data(), 2}), values[i], 1e-3);  // up to the nugget
  double normed = 0;
  for (Eigen::Index i = 0; i < others.cols(); ++i) {
    const Place x(others.col(i).data(), others.col(i).data() + 2);
    EXPECT_NEAR(s.value(x), f(x), 0.05);  // six points per half wave, and extrapolation in the corners
    normed += std::pow((s.value(x) - f(x)) / s.deviation(x), 2) / 200;
  }
  EXPECT_LT(normed, 4);  // a smooth function is easier than the kernel expects, never much harder
}

TEST(Surrogate, small_jumps_are_smoothed) {
  const auto exact = [](std::span<const double> x) { return -8 * std::pow(x[0] - 0.5, 2) + std::sin(3 * x[1]); };
  const auto f = [&](std::span<const double> x) { return exact(x) + 0.05 * FourSpreads::noise(x); };
  const Eigen::MatrixXd points = random_points(2, 150, 3), others = random_points(2, 200, 4);
  const Surrogate s(points, values_at(f, points), 20);
  double sum = 0;
  for (Eigen::Index i = 0; i < others.cols(); ++i) {
    const Place x(others.col(i).data(), others.col(i).data() + 2);
    sum += std::pow(s.value(x) - exact(x), 2) / 200;
  }
  EXPECT_NEAR(s.noise(), 0.05, 0.01);   // sampling: 0.05 / √(2·140) = 0.003
  EXPECT_LT(std::sqrt(sum), 0.05 / 2);  // some 10 free coefficients for 150 points would give 0.05 √(10/150)
}

TEST(Surrogate, depths_do_not_spoil_the_top) {
  // two scales θ = 0.002 + x of 50 specimens each, most likely 0.4: falls by 20 000 in a corner
  const auto f = [](std::span<const double> x) {
    double sum = x[0] > 0.85 ? -INFINITY : 0;
    for (const double v : x) sum -= 50 * (std::log((0.002 + v) / 0.4) + 0.4 / (0.002 + v) - 1);
    return sum;
  };
  Eigen::MatrixXd points = random_points(2, 120, 5);
  points.rightCols(60) = 0.25 + 0.35 * points.rightCols(60).array();
  const Surrogate s(points, values_at(f, points), 20);
  for (const double x : {0.3, 0.4, 0.5})
    for (const double y : {0.35, 0.4, 0.45}) EXPECT_NEAR(s.value(Place{x, y}), f(Place{x, y}), 0.1);  // of falls of 2.5
  EXPECT_LT(s.value(Place{0.01, 0.01}), -500);                                                        // f: −3000
  EXPECT_LT(s.value(Place{0.995, 0.5}), -20);                                                         // −∞
}

TEST(Surrogate, few_points) {
  const Surrogate two(Eigen::MatrixXd{{0.2, 0.8}}, std::vector<double>{1, 3}, 20);
  EXPECT_NEAR(two.value(Place{0.8}), 3, 0.5);
  const Surrogate flat(random_points(3, 12, 1), std::vector<double>(12, -4.0), 20);
  EXPECT_NEAR(flat.value(Place{0.1, 0.9, 0.5}), -4, 1e-6);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
