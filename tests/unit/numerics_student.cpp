// Student's t: against values computed with 30 digits (mpmath) from the incomplete beta function, and closed forms.
#include "numerics/student.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace aleator::core {
namespace ALEATOR_FILE {

TEST(Student, tails_in_closed_form) {
  // round-off of the continued fraction
  for (const double x : {0.01, 0.5, 1.0, 3.0, 50.0}) {
    EXPECT_NEAR(student_tails(x, 1), 1 - 2 / std::numbers::pi * std::atan(x), 1e-13);
    EXPECT_NEAR(student_tails(-x, 2), 1 - x / std::sqrt(2 + x * x), 1e-13);
    EXPECT_NEAR(student_tails(x, 1e6), std::erfc(x / std::numbers::sqrt2), 1e-6);  // normal, up to 1/ν
  }
  EXPECT_NEAR(student_tails(2.2281, 10), 0.05, 1e-5);  // a table with four decimals
}

TEST(Student, quantiles) {
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

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
