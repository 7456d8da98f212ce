// The axis of a beam as drawn: straight, arc, spline.
#include "model/centreline.hpp"
#include "support/message_of.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace aleator::core::test {
namespace ALEATOR_FILE {

const double pi = std::acos(-1.0);
using Kind = Centreline::Kind;

std::string refusal(std::vector<Vec3<double>> points, Kind kind) {
  return test::message_of<std::invalid_argument>([&] { const Centreline line(std::move(points), kind); });
}

TEST(Centreline, straight) {
  const Centreline line({{1, 2, 3}, {1, 5, 7}}, Kind::spline);
  EXPECT_DOUBLE_EQ(line.length(), 5);
  const LinePoint p = line.at(2.5);
  EXPECT_NEAR(norm(p.place - Vec3<double>{1, 3.5, 5}), 0, 1e-15);
  EXPECT_NEAR(norm(p.tangent - Vec3<double>{0, 0.6, 0.8}), 0, 1e-15);
}

TEST(Centreline, arc) {  // three quarters of a circle of radius 2 about (1, 0, 0), in the plane x–z
  const Centreline line({{3, 0, 0}, {-1, 0, 0}, {1, 0, -2}}, Kind::arc);
  EXPECT_NEAR(line.length(), 2 * 1.5 * pi, 1e-12);  // Simpson's rule of a constant
  const LinePoint middle = line.at(pi);             // a quarter
  EXPECT_NEAR(norm(middle.place - Vec3<double>{1, 0, 2}), 0, 1e-12);
  EXPECT_NEAR(norm(middle.tangent - Vec3<double>{-1, 0, 0}), 0, 1e-12);
}

TEST(Centreline, spline_through_its_points_and_measured_by_length) {
  std::vector<Vec3<double>> circle;
  for (int i = 0; i <= 32; ++i) circle.push_back({std::cos(pi * i / 32), std::sin(pi * i / 32), 0});
  const Centreline line(circle, Kind::spline);
  EXPECT_NEAR(line.length(), pi, 2e-4);  // a natural spline is straight at its ends, which costs accuracy there
  for (int i = 0; i <= 200; ++i) {
    const double s = line.length() * i / 200, step = 1e-4;
    if (s + step > line.length()) continue;
    EXPECT_NEAR(norm(line.at(s + step).place - line.at(s).place), step,
                3e-6 * step);  // the table of the length is linear between its 12800 entries
    EXPECT_NEAR(norm(line.at(s).tangent), 1, 1e-14);
  }
  EXPECT_NEAR(norm(line.at(line.length()).place - circle.back()), 0, 1e-12);
}

TEST(Centreline, messages) {
  EXPECT_EQ(refusal({{0, 0, 0}}, Kind::spline), "a beam needs at least two points, its start and its end");
  EXPECT_EQ(refusal({{0, 0, 0}, {0, 0, 0}}, Kind::spline), "two consecutive points of the beam coincide");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}}, Kind::arc), "an arc is given by three points: start, one between, end");
  EXPECT_EQ(refusal({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, Kind::arc), "the three points of the arc lie on a line");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::test
