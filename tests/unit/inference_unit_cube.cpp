// Places spread evenly over the unit cube.
#include "inference/unit_cube.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace aleator::core::inference {
namespace ALEATOR_FILE {

TEST(EvenPlaces, on_a_line_are_multiples_of_the_golden_section) {
  const EvenPlaces place(1);
  for (int k = 0; k < 100; ++k) {
    const double x = 0.5 + k * (std::sqrt(5.0) - 1) / 2;
    EXPECT_NEAR(place(k)[0], x - std::floor(x), 1e-13);  // round-off of k g⁻¹
  }
}

TEST(EvenPlaces, begin_in_the_middle_and_stay_inside) {
  for (int d = 1; d <= 8; ++d) {
    const EvenPlaces place(d);
    EXPECT_EQ(place(0), Place(size_t(d), 0.5));
    for (int k = 0; k < 1000; ++k)
      for (const double x : place(k)) EXPECT_TRUE(x >= 0 && x < 1) << x;
  }
}

// The distance of the nearest two of n, times n^(1/d), stays away from 0; of random places it is of the order n^(−1/d).
TEST(EvenPlaces, do_not_come_close) {
  for (int d = 1; d <= 6; ++d) {
    const EvenPlaces place(d);
    const int n = 400;
    double nearest = 1;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        double square = 0;
        for (int k = 0; k < d; ++k) square += std::pow(place(i)[size_t(k)] - place(j)[size_t(k)], 2);
        nearest = std::min(nearest, std::sqrt(square));
      }
    EXPECT_GT(nearest * std::pow(n, 1.0 / d), 0.4) << d;  // 0.47 on a line, 0.8 in more dimensions
  }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core::inference
