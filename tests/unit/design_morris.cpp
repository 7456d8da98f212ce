// Trajectories of a screening: on the grid, one variable at a time, each once, the same whichever row is asked for.
#include "design/morris.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace aleator::core::test {
namespace ALEATOR_FILE {

TEST(Morris, every_trajectory_changes_every_variable_once) {
  const MorrisDesign d{.variables = 7, .levels = 6, .trajectories = 30, .seed = 3};
  EXPECT_EQ(d.rows(), 30 * 8);
  for (long k = 0; k < d.trajectories; ++k) {
    std::set<int> changed;
    std::vector<double> before = d.point(8 * k);
    EXPECT_EQ(d.changed(8 * k), -1);
    EXPECT_EQ(d.step(8 * k), 0);
    for (long row = 8 * k + 1; row < 8 * k + 8; ++row) {
      const std::vector<double> u = d.point(row);
      const int j = d.changed(row);
      changed.insert(j);
      for (int i = 0; i < 7; ++i) EXPECT_NEAR(u[i] - before[i], i == j ? d.step(row) : 0, 1e-15);  // round-off
      EXPECT_EQ(std::abs(d.step(row)), 0.5);
      before = u;
    }
    EXPECT_EQ(changed.size(), 7u);
  }
}

TEST(Morris, points_are_centres_of_cells) {
  for (const int levels : {2, 4, 8}) {
    const MorrisDesign d{.variables = 3, .levels = levels, .trajectories = 20};
    for (long row = 0; row < d.rows(); ++row)
      for (const double u : d.point(row)) {
        EXPECT_GT(u, 0);
        EXPECT_LT(u, 1);
        const double cell = u * levels - 0.5;
        EXPECT_NEAR(cell, std::round(cell), 1e-14);  // round-off
      }
  }
}

TEST(Morris, rows_do_not_depend_on_how_many_there_are) {
  const MorrisDesign few{.variables = 4, .trajectories = 5, .seed = 9}, many{.variables = 4, .trajectories = 50, .seed = 9};
  const MorrisDesign other{.variables = 4, .trajectories = 5, .seed = 10};
  bool differs = false;
  for (long row = few.rows() - 1; row >= 0; --row) {
    EXPECT_EQ(few.point(row), many.point(row));
    EXPECT_EQ(few.changed(row), many.changed(row));
    differs = differs || few.point(row) != other.point(row);
  }
  EXPECT_TRUE(differs);
}

// Levels, directions and orders are equally frequent: of 4000 trajectories five standard errors of a share of 1/4 are 0.034, of 1/3
// 0.037, of 1/2 0.04 (false alarm 6e-7 each).
TEST(Morris, chance_prefers_nothing) {
  const MorrisDesign d{.variables = 3, .levels = 4, .trajectories = 4000, .seed = 2};
  const double r = 4000;
  std::vector<double> levels(4), first(3);
  double up = 0;
  for (long k = 0; k < d.trajectories; ++k) {
    ++levels[std::size_t(4 * d.point(4 * k)[1])];
    ++first[std::size_t(d.changed(4 * k + 1))];
    up += d.step(4 * k + 1) > 0;
  }
  for (const double n : levels) EXPECT_NEAR(n / r, 0.25, 0.034);
  for (const double n : first) EXPECT_NEAR(n / r, 1.0 / 3, 0.037);
  EXPECT_NEAR(up / r, 0.5, 0.04);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
