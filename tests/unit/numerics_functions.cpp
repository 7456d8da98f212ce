// sin, cos, atan2 … as arithmetic: against the C library with 64 bits, in units of the last place, and what they make of ±0, infinities and NaN.
#include "numerics/functions.hpp"

#include <gtest/gtest.h>

#include <cfloat>
#include <cmath>
#include <limits>
#include <random>

#include "numerics/traced.hpp"
#include "support/in_lanes.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

double units(double found, long double exact) {
  const double nearest = double(exact);
  if (std::isnan(nearest) || std::isinf(nearest))
    return std::isnan(found) == std::isnan(nearest) && (std::isnan(found) || found == nearest) ? 0 : infinity;
  return std::abs(double((long double)(found)-exact)) / (std::nextafter(std::abs(nearest), infinity) - std::abs(nearest));
}

struct Numbers {
  std::mt19937_64 bits{7};
  double between(double a, double b) { return std::uniform_real_distribution<double>(a, b)(bits); }
  // Of any size: its logarithm is uniform.
  double wide(double from, double to) { return (bits() % 2 ? 1 : -1) * std::exp2(between(from, to)); }
};

constexpr int tries = 40000;

template <class F, class G, class D>
void expect_within(double bound, F function, G exact, D draw, const char* what) {
  if (LDBL_MANT_DIG < 64) GTEST_SKIP() << "nothing more exact to compare with";
  Numbers n;
  for (int k = 0; k < tries; ++k) {
    const double x = draw(n);
    ASSERT_LT(units(function(x), exact((long double)(x))), bound) << what << " of " << x;
  }
}
#define EXPECT_WITHIN(bound, name, draw)                                                                  \
  expect_within(                                                                                          \
      bound, [](double x) { return aleator::core::name(x); }, [](long double x) { return std::name(x); }, \
      [](Numbers& n) { return draw; }, #name)

// Bounds: half a unit is rounding; the largest of 10⁶ numbers each was 0.77 (sin, cos), 0.84 (log), 0.81 (exp), 0.83 (atan2), 2.2 (tan), 1.6 (asin, acos), 2.3 (tanh).
TEST(NumericsFunctions, are_exact_to_the_last_place) {
  EXPECT_WITHIN(1, sin, n.between(-8, 8));
  EXPECT_WITHIN(1, sin, n.wide(-1070, 10));
  EXPECT_WITHIN(1, sin, n.between(-1e8, 1e8));
  EXPECT_WITHIN(1, cos, n.between(-8, 8));
  EXPECT_WITHIN(1, cos, n.wide(-60, 10));
  EXPECT_WITHIN(1, cos, n.between(-1e8, 1e8));
  EXPECT_WITHIN(1, exp, n.between(-1, 1));
  EXPECT_WITHIN(1, exp, n.between(-708, 709.7));
  EXPECT_WITHIN(1.01, exp, n.between(-745, -708));  // below the normal numbers, rounded twice
  EXPECT_WITHIN(1, log, std::abs(n.wide(-1074, 1023)));
  EXPECT_WITHIN(1, log, n.between(0.5, 2));
  EXPECT_WITHIN(2.5, tan, n.between(-8, 8));
  EXPECT_WITHIN(2.5, asin, n.between(-1, 1));
  EXPECT_WITHIN(2.5, acos, n.between(-1, 1));
  EXPECT_WITHIN(2.5, tanh, n.between(-20, 20));
  EXPECT_WITHIN(2.5, tanh, n.wide(-1070, 1));
}

// Where the reduction cancels: the numbers next to multiples of π/2.
TEST(NumericsFunctions, sines_near_their_zeros) {
  if (LDBL_MANT_DIG < 64) GTEST_SKIP() << "nothing more exact to compare with";
  const long double half_pi = std::acos(0.0L);
  Numbers n;
  for (int k = 0; k < tries; ++k) {
    const long count = k < 100 ? k : long(n.between(0, 6e7));
    const double x = double((long double)(count)*half_pi);
    // The C library reduces with π of 64 bits more than it needs.
    ASSERT_LT(units(sin(x), std::sin((long double)(x))), 1) << x;
    ASSERT_LT(units(cos(x), std::cos((long double)(x))), 1) << x;
  }
}

TEST(NumericsFunctions, angles_in_all_directions) {
  if (LDBL_MANT_DIG < 64) GTEST_SKIP() << "nothing more exact to compare with";
  Numbers n;
  const auto expect = [](double y, double x) {
    ASSERT_LT(units(atan2(y, x), std::atan2((long double)(y), (long double)(x))), 1) << y << ", " << x;
  };
  for (int k = 0; k < tries; ++k) {
    expect(n.between(-1, 1), n.between(-1, 1));
    expect(n.wide(-3, 3), n.wide(-3, 3));
    expect(n.wide(-1070, 1020), n.wide(-1070, 1020));
  }
  const double special[] = {0.0, -0.0, 1.0, -1.0, infinity, -infinity, largest, -largest, 5e-324, -5e-324, not_a_number};
  for (const double y : special)
    for (const double x : special) {
      const double found = atan2(y, x), wanted = std::atan2(y, x);
      EXPECT_LT(units(found, wanted), 1.5) << y << ", " << x;
      if (!std::isnan(wanted)) EXPECT_EQ(std::signbit(found), std::signbit(wanted)) << y << ", " << x;
    }
}

TEST(NumericsFunctions, of_zeros_and_infinities) {
  for (const double x : {0.0, -0.0}) {
    EXPECT_EQ(std::signbit(sin(x)), std::signbit(x));
    EXPECT_EQ(std::signbit(tan(x)), std::signbit(x));
    EXPECT_EQ(std::signbit(asin(x)), std::signbit(x));
    EXPECT_EQ(std::signbit(tanh(x)), std::signbit(x));
    EXPECT_EQ(cos(x), 1);
    EXPECT_EQ(exp(x), 1);
    EXPECT_EQ(log(x), -infinity);
  }
  EXPECT_EQ(log(1), 0);
  EXPECT_EQ(exp(infinity), infinity);
  EXPECT_EQ(exp(-infinity), 0);
  EXPECT_EQ(exp(709.8), infinity);
  EXPECT_EQ(exp(-745.2), 0);
  EXPECT_EQ(exp(-745.1), 5e-324);
  EXPECT_EQ(log(infinity), infinity);
  EXPECT_EQ(tanh(infinity), 1);
  EXPECT_EQ(tanh(-infinity), -1);
  EXPECT_EQ(asin(1), std::asin(1));
  EXPECT_EQ(acos(-1), std::acos(-1));
  for (const double x : {infinity, -infinity, not_a_number, 1.1e8, -1e300}) {
    EXPECT_TRUE(std::isnan(sin(x))) << x;
    EXPECT_TRUE(std::isnan(cos(x))) << x;
  }
  for (const double x : {-1.0, -infinity, not_a_number}) EXPECT_TRUE(std::isnan(log(x))) << x;
  for (const double x : {1.0000001, -2.0, not_a_number}) EXPECT_TRUE(std::isnan(asin(x)) && std::isnan(acos(x))) << x;
  EXPECT_TRUE(std::isnan(exp(not_a_number)));
  EXPECT_TRUE(std::isnan(tanh(not_a_number)));
}

TEST(NumericsFunctions, whole_numbers) {
  Numbers n;
  for (int k = 0; k < tries; ++k)
    for (const double x :
         {n.wide(-1070, 1020), std::floor(n.wide(0, 52)) + 0.5, std::nextafter(0.5 + std::floor(n.wide(0, 30)), 0.0)}) {
      ASSERT_EQ(functions::round(x), std::round(x)) << x;
      ASSERT_EQ(functions::floor(x), std::floor(x)) << x;
    }
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
