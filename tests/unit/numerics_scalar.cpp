// Packs give in every lane the bits that the scalar gives; dual numbers give derivatives.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

#include "numerics/dual.hpp"
#include "numerics/pack.hpp"

namespace aleator {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// Equal bits; any NaN equals any NaN (its payload is not specified).
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

std::vector<double> numbers() {
  std::vector<double> x = {
      0.0,    -0.0,   1.0,      -1.0,      0.5,          -0.5, 1.5, -2.5, 0.49999999999999994, 4503599627370497.5, 1e300, -1e300,
      5e-324, 1e-310, infinity, -infinity, not_a_number, 3.0,  0.1, 710.0};
  std::mt19937 generator(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 60; ++k) x.push_back(normal(generator) * std::pow(10.0, k % 7 - 3));
  return x;
}

// Calls check(a, b) with packs whose lanes run over all pairs of numbers.
template <int W, class F>
void over_all_pairs(F check) {
  const std::vector<double> x = numbers();
  Pack<W> a, b;
  int lane = 0;
  for (double p : x)
    for (double q : x) {
      a.set(lane, p);
      b.set(lane, q);
      if (++lane == W) check(a, b), lane = 0;
    }
}

template <int W>
void expect_bitwise_equal() {
  using P = Pack<W>;
#define EXPECT_LANES(expression)                                                                                                 \
  over_all_pairs<W>([](const P& pa, const P& pb) {                                                                               \
    const auto apply = [](const auto& a, const auto& b) { return (void)a, (void)b, (expression); };                              \
    const P r = apply(pa, pb);                                                                                                   \
    for (int k = 0; k < W; ++k) ASSERT_TRUE(same(r[k], apply(pa[k], pb[k]))) << #expression << " of " << pa[k] << ", " << pb[k]; \
  })
  EXPECT_LANES(a + b);
  EXPECT_LANES(a - b);
  EXPECT_LANES(a * b);
  EXPECT_LANES(a / b);
  EXPECT_LANES(2.0 * a + b / 3.0 - 1);
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
  EXPECT_LANES(select(is_finite(a), a, b));
#undef EXPECT_LANES
}

TEST(NumericsPack, lanes_are_bitwise_the_scalar) {
  expect_bitwise_equal<2>();
  expect_bitwise_equal<4>();
  expect_bitwise_equal<8>();
}

template <int W>
void expect_masks_work() {
  using P = Pack<W>;
  static_assert(std::is_trivially_default_constructible_v<P> && std::is_trivially_destructible_v<P>);
  static_assert(sizeof(P) == 8 * W);
  static_assert(alignof(P) == 8 * W);
  static_assert(ScalarTraits<P>::lanes == W);
  P x;
  for (int k = 0; k < W; ++k) ScalarTraits<P>::set_lane(x, k, k);
  EXPECT_EQ(ScalarTraits<P>::lane(x, W - 1), W - 1.0);
  const MaskOf<P> first = x < 1.0;
  EXPECT_EQ(bits(first), 1u);
  EXPECT_EQ(bits(!first), (1u << W) - 2u);
  EXPECT_EQ(bits(~first), bits(!first));
  EXPECT_EQ(bits(first ^ MaskOf<P>(true)), bits(!first));
  EXPECT_TRUE(any(first));
  EXPECT_FALSE(all(first));
  EXPECT_TRUE(all(first | (x >= 1.0)));
  EXPECT_FALSE(any(first & (x >= 1.0)));
  EXPECT_TRUE(lane(first, 0) && !lane(first, 1));
  MaskOf<P> m = false;
  set_lane(m, W - 1, true);
  EXPECT_EQ(bits(m), 1u << (W - 1));
  EXPECT_EQ(bits(select(first, m, first)), 0u);
  m |= first;
  m &= first;
  EXPECT_EQ(bits(m), 1u);

  double flat[W + 1];
  x.store(flat + 1);  // not aligned
  EXPECT_EQ(flat[W], W - 1.0);
  EXPECT_TRUE(all(P::load(flat + 1) == x));
  x += 1.0;
  x -= P(1.0);
  x *= 4.0;
  x /= 2.0;
  EXPECT_EQ(x[1], 2.0);
}

TEST(NumericsPack, masks_and_lanes) {
  expect_masks_work<2>();
  expect_masks_work<4>();
  expect_masks_work<8>();
}

TEST(NumericsPack, aligned_vectors) {
  for (int n = 1; n < 40; n += 7) {
    const AlignedVector<Pack<4>> packs(n, 1.5);
    const AlignedVector<double> doubles(n, 2.5);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(packs.data()) % 64, 0u);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(doubles.data()) % 64, 0u);
    EXPECT_EQ(packs.back()[3], 1.5);
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

}  // namespace
}  // namespace aleator
