// Fewer points, the same picture.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "report/polyline.hpp"

namespace aleator::core::report {
namespace ALEATOR_FILE {

// y of the polyline at x.
double at(const Polyline& line, double x) {
  for (std::size_t i = 1; i < line.size(); ++i)
    if (x >= line[i - 1].x && x <= line[i].x && line[i].x > line[i - 1].x)
      return line[i - 1].y + (line[i].y - line[i - 1].y) * (x - line[i - 1].x) / (line[i].x - line[i - 1].x);
  return NAN;
}

TEST(Polyline, gaps_break_it) {
  const std::vector<double> x = {0, 1, 2, 3, 4, 5}, y = {1, NAN, 2, 3, INFINITY, 4};
  const auto all = pieces(x, y, [](double u, double v) { return Point{u, v}; });
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].size(), 1u);
  EXPECT_EQ(all[1].size(), 2u);
  EXPECT_EQ(all[2][0].x, 5);
}

TEST(Polyline, thinning_keeps_the_extremes_of_every_column) {
  Polyline line;
  for (int i = 0; i < 20000; ++i) line.push_back({i * 0.01, 50 * std::sin(i * 0.37) + (i == 7777 ? 300 : 0)});
  const Polyline thin = thinned(line, 1);
  EXPECT_LE(thin.size(), 4 * 200u);
  for (int column = 0; column < 200; ++column) {
    const auto extremes = [&](const Polyline& all) {
      double low = INFINITY, high = -INFINITY;
      for (const Point& p : all)
        if (std::floor(p.x) == column) low = std::min(low, p.y), high = std::max(high, p.y);
      return std::pair(low, high);
    };
    EXPECT_EQ(extremes(line), extremes(thin)) << column;
  }
}

TEST(Polyline, straightening_stays_within_its_tolerance) {
  Polyline line;
  for (int i = 0; i <= 500; ++i) line.push_back({double(i), 100 * std::sin(i * 0.02)});
  const Polyline few = straightened(line, 0.1);
  EXPECT_LT(few.size(), line.size() / 3);
  EXPECT_EQ(few.front().x, 0);
  EXPECT_EQ(few.back().x, 500);
  for (const Point& p : line) EXPECT_NEAR(at(few, p.x), p.y, 0.1 + 1e-12);  // what was asked for, and round-off
}

TEST(Polyline, a_line_needs_two_points_and_a_jump_stays_a_jump) {
  Polyline line;
  for (int i = 0; i <= 100; ++i) line.push_back({double(i), 2. * i});
  EXPECT_EQ(straightened(line, 0.1).size(), 2u);
  const Polyline jump = {{0, 0}, {1, 0}, {1, 5}, {2, 5}};
  const Polyline kept = straightened(jump, 0.1);
  ASSERT_EQ(kept.size(), 4u);
  EXPECT_EQ(kept[1].y, 0);
  EXPECT_EQ(kept[2].y, 5);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::report
