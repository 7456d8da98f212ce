// Values rounded to their errors, and what errors that say nothing about digits do.
#include "base/rounded.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace aleator::core {
namespace ALEATOR_FILE {

const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();

TEST(BaseRounded, a_value_ends_where_its_error_does) {
  EXPECT_EQ(with_error(0.18512, 0.0041), "0.185 ± 0.004");
  EXPECT_EQ(with_error(-2.31, 4.2), "-2 ± 4");
  EXPECT_EQ(with_error(-46.37, 3.12), "-46 ± 3");
  EXPECT_EQ(with_error(388.8, 1.74), "388.8 ± 1.7") << "two digits after a leading 1";
  EXPECT_EQ(with_error(3223.4, 127), "3220 ± 130");
  EXPECT_EQ(with_error(5909, 65), "5910 ± 70");
  EXPECT_EQ(with_error(0.25, 0.25), "0.2 ± 0.2");
}

TEST(BaseRounded, an_error_that_rounds_up_keeps_its_place) {
  EXPECT_EQ(with_error(0.008516, 0.00097), "0.0085 ± 0.0010");
  EXPECT_EQ(with_error(12.34, 0.96), "12.3 ± 1.0");
  EXPECT_EQ(with_error(1234.5, 97), "1230 ± 100");
  EXPECT_EQ(with_error(1.234, 0.1951), "1.2 ± 0.2");
}

TEST(BaseRounded, there_is_no_minus_zero) {
  EXPECT_EQ(with_error(-0.3, 4), "0 ± 4");
  EXPECT_EQ(rounded(-3, 80), "0");
  EXPECT_EQ(with_error(0, 0.02), "0.00 ± 0.02");
}

TEST(BaseRounded, large_and_small_numbers_have_a_power_of_ten) {
  EXPECT_EQ(with_error(2.0512e11, 3e9), "(2.05 ± 0.03)e+11");
  EXPECT_EQ(with_error(-2.32e-6, 4e-7), "(-2.3 ± 0.4)e-06");
  EXPECT_EQ(with_error(1e-9, 4e-5), "(0 ± 4)e-05");
  EXPECT_EQ(rounded(2.0512e11, 3e9), "2.05e+11");
}

TEST(BaseRounded, errors_of_zero_and_unknown_and_infinite_ones) {
  EXPECT_EQ(with_error(1.234567, nan), "1.235") << "not known: no ±";
  EXPECT_EQ(with_error(1.25, 0), "1.25 ± 0") << "known exactly";
  EXPECT_EQ(with_error(0, 0), "0 ± 0");
  EXPECT_EQ(with_error(1.25, infinity), "1.2 ± ∞");
  EXPECT_EQ(rounded(1.234567, 0), "1.235");
  EXPECT_EQ(rounded(1.234567, nan), "1.235");
  EXPECT_EQ(rounded(1.234567, infinity), "1.235");
}

TEST(BaseRounded, values_that_are_missing_or_infinite) {
  EXPECT_EQ(with_error(nan, 1), "none");
  EXPECT_EQ(with_error(nan, nan), "none");
  EXPECT_EQ(with_error(infinity, 1), "∞");
  EXPECT_EQ(rounded(-infinity, 1), "-∞");
}

TEST(BaseRounded, an_error_far_below_the_value_leaves_seven_digits) {
  EXPECT_EQ(with_error(0.2, 1e-9), "0.2 ± 1e-09");
  EXPECT_EQ(with_error(123456.789, 1e-4), "123456.8 ± 0.0001");
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
