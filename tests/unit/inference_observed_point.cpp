// Where a measured value is among the times of the model.
#include "inference/observed_point.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace aleator::core::inference {
namespace ALEATOR_FILE {

const std::vector<double> times = {0, 0.5, 2};

double line_at(double t) {
  const ObservedPoint p = observed_point(times, t, 0, "s");
  return p.of([](int i) { return 3 + 2 * times.at(std::size_t(i)); });  // throws beyond the last
}

TEST(ObservedPoint, a_line_is_interpolated_exactly) {
  for (const double t : {0.0, 0.2, 0.5, 1.25, 2.0}) EXPECT_NEAR(line_at(t), 3 + 2 * t, 1e-15);  // round-off
}

TEST(ObservedPoint, a_hair_outside_is_rounding) {
  EXPECT_EQ(line_at(-1e-10), 3);
  EXPECT_EQ(line_at(2 + 1e-10), 7);
}

TEST(ObservedPoint, outside_is_refused_with_the_specimen) {
  for (const double t : {-0.1, 2.1}) {
    try {
      observed_point(times, t, 0, "specimen-07");
      ADD_FAILURE() << t;
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find("specimen-07: time "), std::string::npos) << e.what();
      EXPECT_NE(std::string(e.what()).find("outside the simulated 0 to 2"), std::string::npos) << e.what();
    }
  }
}

TEST(ObservedPoint, of_a_single_time) {
  const ObservedPoint p = observed_point({1.5}, 1.5, 2, "s");
  EXPECT_EQ(p.before, 0);
  EXPECT_EQ(p.beyond, 0);
  EXPECT_EQ(p.channel, 2);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
