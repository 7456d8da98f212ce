// The 45° bend of Bathe & Bolourchi (Int. J. Num. Meth. Eng. 14, 1979): an eighth of a circle of radius 100 in the plane x–y, section 1 × 1,
// E = 1e7, ν = 0, clamped at the origin, with a force along z at the tip. Initially curved, bending and torsion at once.
#include <gtest/gtest.h>

#include "support/ancf_structure.hpp"

namespace aleator::core::test {
namespace ALEATOR_FILE {

// Tip under the force: Simo & Vu-Quoc (Comp. Meth. Appl. Mech. Eng. 58, 1986), 8 elements. They and most others take the polar moment 1/6
// for the torsion constant of the section; so does this test. (With the true one, 0.1406, the tip moves by another 0.3.)
// Tolerance: authors differ by up to 0.2, more elements go down and out by 0.1.
TEST(AncfBend, tip_of_the_45_degree_bend) {
  constexpr double R = 100, angle = std::numbers::pi / 4;
  const int n = 32;
  using Chain = AncfChain<SpatialEnhanced>;
  const auto arc = [](double s, Chain::Vector& r, Chain::Frame& frame) {
    const double a = s * angle;
    r << R * (1 - std::cos(a)), R * std::sin(a), 0;
    frame.col(0) << std::sin(a), std::cos(a), 0;
    frame.col(1) << 0, 0, 1;
    frame.col(2) << std::cos(a), -std::sin(a), 0;
  };
  const double published[][4] = {{300, 22.33, 58.84, 40.08}, {600, 15.79, 47.23, 53.37}};
  for (const auto& [P, x, y, z] : published) {
    Chain chain(n, R * angle, {general_section(1, 1.0 / 12, 1.0 / 12, 1.0 / 6, 5.0 / 6, 5.0 / 6), 1e7, 0, 1}, arc);
    chain.clamp_section(0);
    chain.solve(Eigen::VectorXd(P * chain.unit_load(n, 0, 2)), 10);
    const Chain::Vector tip = chain.vector(n, 0);
    EXPECT_NEAR(tip[0], x, 0.15) << P;
    EXPECT_NEAR(tip[1], y, 0.15) << P;
    EXPECT_NEAR(tip[2], z, 0.15) << P;
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
