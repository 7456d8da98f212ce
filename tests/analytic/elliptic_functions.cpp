// Are the elliptic functions that other tests compare with right? Values of Abramowitz & Stegun and identities.
#include "support/elliptic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace aleator::core::test {
namespace ALEATOR_FILE {

constexpr double round_off = 2e-15;

TEST(EllipticFunctions, complete_integral) {
  EXPECT_NEAR(elliptic_K(0), std::numbers::pi / 2, round_off);
  // K(½) = Γ(¼)² / (4 √π)
  const double gamma = std::tgamma(0.25);
  EXPECT_NEAR(elliptic_K(0.5), gamma * gamma / (4 * std::sqrt(std::numbers::pi)), round_off);
  const double m = 0.9;
  EXPECT_NEAR(elliptic_K(m),
              integral([&](double x) { return 1 / std::sqrt(1 - m * std::pow(std::sin(x), 2)); }, 0, std::numbers::pi / 2),
              1e-14);
}

TEST(EllipticFunctions, limits_are_circular_and_hyperbolic) {
  for (const double u : {-2.3, 0.4, 1.7, 12.0}) {
    EXPECT_NEAR(jacobi(u, 0).sn, std::sin(u), 10 * round_off);
    EXPECT_NEAR(jacobi(u, 0).cn, std::cos(u), 10 * round_off);
  }
  EXPECT_NEAR(jacobi(0.8, 1 - 1e-14).sn, std::tanh(0.8), 1e-13);
}

// sn' = cn dn,  cn' = −sn dn,  dn' = −m sn cn  (differences of order 4; truncation h⁴/30 × derivatives, round-off 1e-16/h)
TEST(EllipticFunctions, differential_equations_and_quarter_period) {
  for (const double m : {0.1, 0.5, 0.99}) {
    const double K = elliptic_K(m);
    EXPECT_NEAR(jacobi(K, m).sn, 1, 1e-14);
    EXPECT_NEAR(jacobi(3 * K, m).sn, -1, 1e-14);
    for (const double u : {0.3, 1.1, 2.9, 7.3}) {
      const double h = 2e-3;
      const auto slope = [&](auto&& part) {
        return (8 * (part(u + h) - part(u - h)) - (part(u + 2 * h) - part(u - 2 * h))) / (12 * h);
      };
      const Jacobi j = jacobi(u, m);
      EXPECT_NEAR(slope([&](double x) { return jacobi(x, m).sn; }), j.cn * j.dn, 1e-10);
      EXPECT_NEAR(slope([&](double x) { return jacobi(x, m).cn; }), -j.sn * j.dn, 1e-10);
      EXPECT_NEAR(slope([&](double x) { return jacobi(x, m).dn; }), -m * j.sn * j.cn, 1e-10);
    }
  }
}

TEST(EllipticFunctions, cubic_oscillation_obeys_its_equation) {
  const CubicOscillation u{3.0, -0.6, 0.4, 1.7};
  EXPECT_NEAR(u(0), 0.4, 1e-14);
  EXPECT_NEAR(u(u.period() / 2), -0.6, 1e-14);
  EXPECT_NEAR(u(u.period()), 0.4, 1e-14);
  const double t = 0.37, h = 1e-3;
  const double slope = (8 * (u(t + h) - u(t - h)) - (u(t + 2 * h) - u(t - 2 * h))) / (12 * h);
  EXPECT_NEAR(slope * slope, 3.0 * (u(t) + 0.6) * (0.4 - u(t)) * (1.7 - u(t)), 1e-11);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
