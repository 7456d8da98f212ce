// Quantiles of Student's t and tails of χ²: against values computed with 30 digits (mpmath) from the incomplete beta and gamma functions.
#include "inference/student_and_chi_squared.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace aleator::inference {
namespace {

TEST(StudentAndChiSquared, student_quantiles) {
  struct Row {
    double p, freedom, t;
  };
  for (const Row& r : {Row{0.975, 1, 12.7062047361747}, Row{0.975, 2, 4.302652729749464}, Row{0.975, 5, 2.570581835636316},
                       Row{0.975, 12, 2.178812829667229}, Row{0.975, 30, 2.042272456301238}, Row{0.975, 1000, 1.962339080826408},
                       Row{0.995, 7, 3.499483297350494}, Row{0.9995, 3, 12.92397863668748}, Row{0.6, 4, 0.2707222947075974},
                       Row{0.95, 2.5, 2.558218614135937}}) {
    EXPECT_NEAR(student_quantile(r.p, r.freedom), r.t, 1e-11 * r.t) << r.p << " " << r.freedom;  // round-off of lgamma
    EXPECT_NEAR(student_quantile(1 - r.p, r.freedom), -r.t, 1e-11 * r.t);
  }
  EXPECT_EQ(student_quantile(0.5, 3), 0);
  EXPECT_NEAR(student_quantile(0.5001, 1), std::tan(std::numbers::pi * 1e-4),
              1e-12);  // Cauchy in the middle, where tails are 1 − …
  EXPECT_NEAR(student_quantile(1e-12, 1), -1 / std::tan(std::numbers::pi * 1e-12), 1e-11 / 3e-12);  // and far out
  EXPECT_NEAR(student_quantile(0.975, 1e6), 1.959963984540054, 3e-6);  // the normal law up to (z³ + z) / 4ν = 2.4e-6
}

TEST(StudentAndChiSquared, chi_squared_tails) {
  struct Row {
    double x, freedom, p;
  };
  for (const Row& r :
       {Row{3.841458820694124, 1, 0.05}, Row{18.307038053275146, 10, 0.05}, Row{0.5, 3, 0.9188914116546759},
        Row{120, 100, 0.08440668109369183}, Row{10500, 10000, 0.0002479473679893609}, Row{60, 5, 1.215456977718304e-11}})
    EXPECT_NEAR(chi_squared_tail(r.x, r.freedom), r.p, 1e-10 * r.p) << r.x;  // round-off of lgamma, some 1e-11 for 10000
  EXPECT_NEAR(chi_squared_tail(7, 2), std::exp(-3.5), 1e-15);                // closed form
  EXPECT_EQ(chi_squared_tail(0, 4), 1);
}

}  // namespace
}  // namespace aleator::inference
