// Programs give in every lane the bits that the scalar gives, infinities and NaN included; dual numbers give derivatives.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "numerics/dual.hpp"
#include "support/in_lanes.hpp"
#include "support/same_numbers.hpp"

namespace aleator::core {
namespace ALEATOR_FILE {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Equal bits; any NaN equals any NaN (its payload is not specified).
bool same(double a, double b) { return (std::isnan(a) && std::isnan(b)) || test::same_bits(a, b); }

std::vector<double> numbers() {
  std::vector<double> x = {
      0.0,    -0.0,   1.0,      -1.0,      0.5,          -0.5, 1.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e300, -1e300,
      5e-324, 1e-310, infinity, -infinity, not_a_number, 3.0,  0.1, 710.0};
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 60; ++k) x.push_back(normal(generator) * std::pow(10.0, k % 7 - 3));
  return x;
}

// apply(a, b) in lanes and alone, for all pairs of numbers
template <class F>
void expect_bitwise_equal(F apply, const char* expression) {
  const std::vector<double> x = numbers();
  for (const Isa isa : test::available_isas()) {
    test::InLanes run(isa, 2, [&](const Traced* in, std::vector<Traced>& out) { out.push_back(apply(in[0], in[1])); });
    int lane = 0;
    for (const double p : x)
      for (const double q : x) {
        run.in(0, lane) = p, run.in(1, lane) = q;
        if (++lane < run.width()) continue;
        run();
        for (lane = 0; lane < run.width(); ++lane) {
          const double a = run.in(0, lane), b = run.in(1, lane);
          ASSERT_TRUE(same(run.out(0, lane), apply(a, b))) << name(isa) << ": " << expression << " of " << a << ", " << b
                                                           << " is " << apply(a, b) << ", in a lane " << run.out(0, lane);
        }
        lane = 0;
      }
  }
}

TEST(NumericsTraced, lanes_are_bitwise_the_scalar) {
#define EXPECT_LANES(expression) expect_bitwise_equal([](auto a, auto b) { return (void)a, (void)b, (expression); }, #expression)
  EXPECT_LANES(a + b);
  EXPECT_LANES(a - b);
  EXPECT_LANES(a * b);
  EXPECT_LANES(a / b);
  EXPECT_LANES(2.0 * a + b / 3.0 - 1.0);
  EXPECT_LANES(-a);
  EXPECT_LANES(+a);
  EXPECT_LANES(multiply_add(a, b, a));
  EXPECT_LANES(min(a, b));
  EXPECT_LANES(max(a, b));
  EXPECT_LANES(copysign(a, b));
  EXPECT_LANES(abs(a));
  EXPECT_LANES(sqrt(a));
  EXPECT_LANES(round(a));
  EXPECT_LANES(floor(a));
  EXPECT_LANES(sin(a));
  EXPECT_LANES(cos(a));
  EXPECT_LANES(tan(a));
  EXPECT_LANES(asin(a));
  EXPECT_LANES(acos(a));
  EXPECT_LANES(atan2(a, b));
  EXPECT_LANES(tanh(a));
  EXPECT_LANES(exp(a));
  EXPECT_LANES(log(a));
  EXPECT_LANES(select(a < b, a, b));
  EXPECT_LANES(select(a <= b, a, b));
  EXPECT_LANES(select(a > b, a, b));
  EXPECT_LANES(select(a >= b, a, b));
  EXPECT_LANES(select(a == b, a, b));
  EXPECT_LANES(select(a != b, a, b));
  EXPECT_LANES(select((a < b) | (a == 1.0), a, b));
  EXPECT_LANES(select((a < b) & (!(b > 0.0)), a, b));
  EXPECT_LANES(select((a < b) ^ (b > 0.0), a, b));
  EXPECT_LANES(select(select(a<b, b> 0.0, a == b), a, b));
  EXPECT_LANES(select(is_finite(a), a, b));
#undef EXPECT_LANES
}

TEST(NumericsAligned, vectors_begin_on_a_cache_line) {
  for (int n = 1; n < 40; n += 7) {
    const AlignedVector<double> doubles(n, 2.5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(doubles.data()) % 64, 0u);
    EXPECT_EQ(doubles.back(), 2.5);
  }
}

// Derivatives against central differences: error about eps^(2/3) = 4e-11 relative, times the third derivative.
template <class F>
void expect_derivative(F f, double x, const char* name) {
  const double h = 1e-5 * std::max(1.0, std::fabs(x));
  const double expected = (f(x + h) - f(x - h)) / (2 * h);
  const Dual y = f(Dual(x, 1.0));
  EXPECT_EQ(value_of(y), f(x)) << name;
  EXPECT_NEAR(y.d, expected, 1e-8 * std::max(1.0, std::fabs(expected))) << name << " at " << x;
}

TEST(NumericsDual, derivatives_agree_with_differences) {
#define EXPECT_DERIVATIVE(expression) \
  for (const double at : {0.3, 0.7, 0.9}) expect_derivative([](auto x) { return (expression); }, at, #expression)
  EXPECT_DERIVATIVE(x * x - 3.0 / x + 2.0 * x);
  EXPECT_DERIVATIVE(-x / (1.0 + x * x));
  EXPECT_DERIVATIVE(sqrt(x));
  EXPECT_DERIVATIVE(sin(x));
  EXPECT_DERIVATIVE(cos(x));
  EXPECT_DERIVATIVE(tan(x));
  EXPECT_DERIVATIVE(asin(x));
  EXPECT_DERIVATIVE(acos(x));
  EXPECT_DERIVATIVE(atan2(x, 1.0 - x));
  EXPECT_DERIVATIVE(atan2(x, x - 2.0));
  EXPECT_DERIVATIVE(tanh(x));
  EXPECT_DERIVATIVE(exp(x));
  EXPECT_DERIVATIVE(log(x));
  EXPECT_DERIVATIVE(abs(x - 0.5));
  EXPECT_DERIVATIVE(abs(0.5 - x));
  EXPECT_DERIVATIVE(copysign(x, x - 0.5));
  EXPECT_DERIVATIVE(min(x, 0.5));
  EXPECT_DERIVATIVE(max(x * x, 0.5 * x));
  EXPECT_DERIVATIVE(select(x < 0.5, x * x, sin(x)));
  EXPECT_DERIVATIVE(multiply_add(x, x, x));
  EXPECT_DERIVATIVE(round(x) + x);
  EXPECT_DERIVATIVE(floor(x) + x);
#undef EXPECT_DERIVATIVE
}

TEST(NumericsDual, compares_values_and_behaves_like_a_scalar) {
  const Dual a(1.0, 5.0), b(1.0, -5.0);
  EXPECT_TRUE(a == b && a <= b && a >= b && !(a < b) && !(a > b) && !(a != b));
  EXPECT_TRUE(is_finite(a));
  EXPECT_FALSE(is_finite(Dual(1.0, infinity)));
  Dual c = a;
  c += b;
  c -= 1.0;
  c *= b;
  c /= 2.0;
  EXPECT_EQ(c.v, 0.5);
  EXPECT_EQ(c.d, -2.5);
  ScalarTraits<Dual>::set_lane(c, 0, 4.0);
  EXPECT_EQ(ScalarTraits<Dual>::lane(c, 0), 4.0);
  EXPECT_EQ(c.d, 0.0);
}

TEST(NumericsScalar, double_has_the_same_interface) {
  EXPECT_EQ(select(true, 1.0, 2.0), 1.0);
  EXPECT_TRUE(any(true) && all(true) && !any(false));
  EXPECT_EQ(bits(true), 1u);
  EXPECT_TRUE(is_finite(1e308));
  EXPECT_FALSE(is_finite(infinity));
  EXPECT_FALSE(is_finite(not_a_number));
  double x = 1.0;
  ScalarTraits<double>::set_lane(x, 0, 3.0);
  EXPECT_EQ(ScalarTraits<double>::lane(x, 0), 3.0);
}

}  // namespace ALEATOR_FILE
}  // namespace aleator::core
