// sin, cos, tan, asin, acos, atan2, tanh, exp, log, log1p, round and floor as arithmetic, on any scalar: without branches, tables or the C library, so that
// they are recorded as everything else is, all lanes are computed at once, and processors and devices give the same bits. Errors, in units of the
// last place (tests/unit/numerics_functions.cpp): below 1, tan, asin, acos and tanh below 2.5. Angles beyond ±10⁸ rad, of which a
// double knows eight decimals, have no sine: NaN.
//
// Polynomials and reductions are those of fdlibm (Sun Microsystems, 1993) for sin, cos, log and atan. Products that must be exact are: nothing
// depends on whether they are fused with a sum.
#pragma once

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <limits>

#include "numerics/scalar.hpp"

namespace aleator::core::functions {

namespace detail {

constexpr double infinity = std::numeric_limits<double>::infinity(), largest = std::numeric_limits<double>::max();
constexpr double shifter = 6755399441055744.0;  // 1.5 · 2⁵²: x + shifter is rounded to a whole number, which is in its last bits
constexpr double two_52 = 4503599627370496.0;
constexpr std::uint64_t upper_half = 0xffffffff'f8000000u;  // 26 bits of a number's 53

template <class T>
ALEATOR_INLINE T polynomial(const T& x, std::initializer_list<double> c) {  // highest power first
  auto k = c.begin();
  T sum(*k);
  for (++k; k != c.end(); ++k) sum = sum * x + T(*k);
  return sum;
}

// 2ⁿ for whole n from −1022 to 1023.
template <class T>
ALEATOR_INLINE T power_of_two(const T& n) {
  return low_bits_to_exponent(n + T(two_52 + 1023));
}

// x − n π/2 = high + low with |high| ≤ π/4 and a bit more. π/2 comes in parts of 26 bits, so that products with n < 2²⁷ are exact.
template <class T>
struct Reduced {
  T high, low, count;  // n is in the last bits of the count
};
template <class T>
Reduced<T> reduced(const T& x) {
  constexpr double part[] = {0x1.921fb50000000p+0, 0x1.110b460000000p-26, 0x1.1a62630000000p-54, 0x1.8a2e03707344ap-81};
  const T count = x * T(0.6366197723675814) + T(shifter), n = count - T(shifter);
  const T a = x - n * T(part[0]), wb = n * T(part[1]), b = a - wb, wc = n * T(part[2]), c = b - wc;
  const T less = n * T(part[3]) - (((a - b) - wb) + ((b - c) - wc));
  const T high = c - less;
  return {high, (c - high) - less, count};
}

template <class T>
T sine_near_zero(const T& x, const T& low) {
  const T z = x * x, v = z * x;
  const T r = polynomial(z, {1.58969099521155010221e-10, -2.50507602534068634195e-08, 2.75573137070700676789e-06,
                             -1.98412698298579493134e-04, 8.33333333332248946124e-03});
  return x - ((z * (T(0.5) * low - v * r) - low) - v * T(-1.66666666666666324348e-01));
}
template <class T>
T cosine_near_zero(const T& x, const T& low) {
  const T z = x * x, half = T(0.5) * z, w = T(1) - half;
  const T r = z * polynomial(z, {-1.13596475577881948265e-11, 2.08757232129817482790e-09, -2.75573143513906633035e-07,
                                 2.48015872894767294178e-05, -1.38888888888741095749e-03, 4.16666666666666019037e-02});
  return w + (((T(1) - w) - half) + (z * r - x * low));
}

// The sine of x + quarters · π/2.
template <class T>
T sine(const T& x, int quarters) {
  const Reduced<T> r = reduced(x);
  const auto has = [&](std::uint64_t bit) { return T(0) < and_bits(r.count, bit); };
  const auto odd = has(1), second = has(2);
  const T s = sine_near_zero(r.high, r.low), c = cosine_near_zero(r.high, r.low);
  // The sine changes its sign in quarters 2 and 3, the cosine in 1 and 2.
  const T value = quarters == 0 ? select(odd, c, s) : select(odd, s, c);
  const auto negative = quarters == 0 ? second : second ^ odd;
  return select(abs(x) <= T(1e8), select(negative, -value, value), T(std::numeric_limits<double>::quiet_NaN()));
}

// eʳ − 1 for |r + low| ≤ ½ ln 2
template <class T>
ALEATOR_INLINE T exponential_near_zero(const T& r, const T& low) {
  const T p = polynomial(r, {1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320,
                             1.0 / 5040, 1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 0.5});
  return r + ((r * r) * p + (low + low * r));
}
// x = n ln 2 + r + low
template <class T>
struct Octaves {
  T n, r, low;
};
template <class T>
ALEATOR_INLINE Octaves<T> octaves(const T& x) {
  const T n = (x * T(1.4426950408889634) + T(shifter)) - T(shifter);
  const T a = x - n * T(6.93147180369123816490e-01), b = n * T(1.90821492927058770002e-10), r = a - b;
  return {n, r, (a - r) - b};
}

}  // namespace detail

template <class T>
T sin(const T& x) {
  return detail::sine(x, 0);
}
template <class T>
T cos(const T& x) {
  return detail::sine(x, 1);
}
template <class T>
T tan(const T& x) {
  return sin(x) / cos(x);
}

// With p ≤ q the lesser and the larger of |x| and |y|: atan(p/q), or π/4 + atan((p − q)/(p + q)) where that is nearer to zero. The quotient is
// computed with its error. The rest is multiples of π/4.
template <class T>
T atan2(const T& y, const T& x) {
  using namespace detail;
  const T ay = abs(y), ax = abs(x), o(0), one(1);
  const auto steep = ax < ay, left = copysign(one, x) < o;
  T p = select(steep, ax, ay), q = select(steep, ay, ax);
  const auto endless = q > T(largest);
  p = select(endless, select(p > T(largest), one, p - p), p), q = select(endless | (q == o), one, q);
  const T scale = select(q > T(0x1p1000), T(0x1p-60), select((p < T(0x1p-700)) & (q < T(0x1p700)), T(0x1p300), one));
  p = p * scale, q = q * scale;

  const auto diagonal = p > T(0.41421356237309503) * q;
  const T difference = p - q, sum = p + q;
  const T u = select(diagonal, difference, p), v = select(diagonal, sum, q);
  const T u_low = select(diagonal, p - (difference + q), o), v_low = select(diagonal, p - (sum - q), o);
  const T inverse = one / v, t = u * inverse;
  const T t1 = and_bits(t, upper_half), t2 = t - t1, v1 = and_bits(v, upper_half), v2 = v - v1;
  const T left_over = (((u - t1 * v1) - t1 * v2) - t2 * v1) - t2 * v2;
  const T t_low = (left_over + (u_low - t * v_low)) * inverse;

  const T z = t * t;
  const T series = polynomial(
      z, {1.62858201153657823623e-02, -3.65315727442169155270e-02, 4.97687799461593236017e-02, -5.83357013379057348645e-02,
          6.66107313738753120669e-02, -7.69187620504482999495e-02, 9.09088713343650656196e-02, -1.11111104054623557880e-01,
          1.42857142725034663711e-01, -1.99999999998764832476e-01, 3.33333333333329318027e-01});
  const T bend = t_low - t * (z * series);  // atan t = t + bend
  // ± atan t + k π/4, k = 0 … 4
  const auto turned = steep ^ left;
  const T step = select(diagonal, one, o);
  const T k = select(steep, T(2), select(left, T(4), o)) + select(turned, -step, step);
  const T a = select(turned, -t, t), b = select(turned, -bend, bend);
  const T whole = k * T(0x1.921fb54442d18p-1), part = k * T(0x1.1a62633145c07p-55);
  const T first = whole + a, rest = (a - (first - whole)) + (part + b);
  return copysign(select(k == o, t + bend, first + rest), y);
}

template <class T>
T asin(const T& x) {
  return atan2(x, sqrt((T(1) - x) * (T(1) + x)));
}
template <class T>
T acos(const T& x) {
  return atan2(sqrt((T(1) - x) * (T(1) + x)), x);
}

template <class T>
ALEATOR_INLINE T exp(const T& x) {
  using namespace detail;
  const Octaves<T> o = octaves(max(min(x, T(710)), T(-746)));
  const T y = T(1) + exponential_near_zero(o.r, o.low);
  const T half = (T(0.5) * o.n + T(shifter)) - T(shifter);
  return y * power_of_two(half) * power_of_two(o.n - half);
}

// With E = e^(2|x|) − 1: E/(E + 2), and 1 − 2/(E + 2) where that is better.
template <class T>
T tanh(const T& x) {
  using namespace detail;
  const T size = min(abs(x), T(22));
  const Octaves<T> o = octaves(T(2) * size);
  const T two_n = power_of_two(o.n), e = two_n * exponential_near_zero(o.r, o.low) + (two_n - T(1));
  const auto small = size < T(0.55);
  const T quotient = select(small, e, T(2)) / (e + T(2));
  return copysign(select(small, quotient, T(1) - quotient), x);
}

// x = 2ᵏ (1 + f) with √½ < 1 + f < √2;  log(1 + f) = f − (f²/2 − s (f²/2 + R)),  s = f/(2 + f)
template <class T>
ALEATOR_INLINE T log(const T& x) {
  using namespace detail;
  const auto tiny = x < T(std::numeric_limits<double>::min());
  const T y = select(tiny, x * T(0x1p54), x);
  const T m = or_bits(and_bits(y, 0x000fffff'ffffffffu), std::bit_cast<std::uint64_t>(1.0));
  const T exponent = or_bits(exponent_to_low_bits(y), std::bit_cast<std::uint64_t>(two_52)) - T(two_52 + 1023);
  const auto upper = m > T(1.4142135623730951);
  const T k = exponent + (select(upper, T(1), T(0)) - select(tiny, T(54), T(0)));
  const T f = select(upper, T(0.5) * m, m) - T(1), s = f / (T(2) + f), z = s * s, half = T(0.5) * f * f;
  const T r =
      z * polynomial(z, {1.479819860511658591e-01, 1.531383769920937332e-01, 1.818357216161805012e-01, 2.222219843214978396e-01,
                         2.857142874366239149e-01, 3.999999999940941908e-01, 6.666666666666735130e-01});
  const T value = k * T(6.93147180369123816490e-01) - ((half - (s * (half + r) + k * T(1.90821492927058770002e-10))) - f);
  const T beyond = select(x < T(0), T(std::numeric_limits<double>::quiet_NaN()), select(x == T(0), T(-infinity), x));
  return select((x > T(0)) & (x <= T(largest)), value, beyond);
}

// ln(1 + x): that of the rounded sum, and what the rounding left.
template <class T>
ALEATOR_INLINE T log1p(const T& x) {
  const T u = T(1) + x;
  return select(u == T(1), x, log(u) - ((u - T(1)) - x) / u);
}

template <class T>
T floor(const T& x) {
  using namespace detail;
  const T size = abs(x), near = copysign((size + T(two_52)) - T(two_52), x);
  return select(size < T(two_52), near - select(x < near, T(1), T(0)), x);
}

// Halves away from zero.
template <class T>
T round(const T& x) {
  using namespace detail;
  const T size = abs(x), near = (size + T(two_52)) - T(two_52), whole = near - select(size < near, T(1), T(0));
  return select(size < T(two_52), copysign(whole + select(T(0.5) <= size - whole, T(1), T(0)), x), x);
}

}  // namespace aleator::core::functions
