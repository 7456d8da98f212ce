#include "base/array_functions.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "base/wide.hpp"

namespace aleator::core {

namespace {

constexpr double to_integer = 0x1.8p52;  // added, it leaves the nearest integer in the last bits

// x = n π/2 + r, |r| ≤ π/4 (Cody and Waite): π/2 in parts of 33 bits, whose products with n < 2²⁰ are exact.
constexpr double half_pi[] = {1.57079632673412561417e+00, 6.07710050630396597660e-11, 2.02226624879595063154e-21};
constexpr double largest_angle = 1e6, largest_exponent = 700, largest_tangent = 1e100;

// sin r and cos r for |r| ≤ π/4: minimax polynomials of Sun's fdlibm.
inline double sine_of_rest(double r) {
  const double z = r * r;
  const double p =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  return r + r * z * p;
}
inline double cosine_of_rest(double r) {
  const double z = r * r;
  const double p =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11))));
  return 1 - (0.5 * z - z * z * p);
}

// sin(x + quarters π/2)
inline double sine(double x, std::uint64_t quarters) {
  const double shifted = x * 0.63661977236758134308 + to_integer, n = shifted - to_integer;
  const std::uint64_t quadrant = std::bit_cast<std::uint64_t>(shifted) + quarters;
  const double r = ((x - n * half_pi[0]) - n * half_pi[1]) - n * half_pi[2];
  const std::uint64_t odd = -(quadrant & 1), sign = (quadrant & 2) << 62;
  const std::uint64_t s = std::bit_cast<std::uint64_t>(sine_of_rest(r)), c = std::bit_cast<std::uint64_t>(cosine_of_rest(r));
  return std::bit_cast<double>(((c & odd) | (s & ~odd)) ^ sign);
}

// x = n ln 2 + r,  exp x = 2ⁿ exp r,  exp r by its power series: |r| ≤ 0.35, r¹⁴/14! is 4e-18.
inline double exponential(double x) {
  const double shifted = x * 1.44269504088896338700 + to_integer, n = shifted - to_integer;
  const double r = (x - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
  double p = 1.0 / 6227020800.0;
  constexpr double over[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
                             1.0 / 720,       1.0 / 120,      1.0 / 24,      1.0 / 6,      0.5};
  for (const double o : over) p = o + r * p;
  const double y = 1 + (r + r * r * p);
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(y) + (std::bit_cast<std::uint64_t>(shifted) << 52));
}

// tanh x = 1 − 2/(exp 2x + 1); near 0 the rational function of Moshier's Cephes. Beyond 20 it is 1.
inline double hyperbolic_tangent(double x) {
  const double size = std::fabs(x), z = x * x;
  const double p = (-9.64399179425052238628e-01 * z + -9.92877231001918586564e+01) * z + -1.61468768441708447952e+03;
  const double q = ((z + 1.12811678491632931402e+02) * z + 2.23548839060100448583e+03) * z + 4.84406305325125486048e+03;
  const double near = x + x * z * (p / q);
  const double far = 1 - 2 / (exponential(2 * (size < 20 ? size : 20)) + 1);
  return size < 0.625 ? near : std::copysign(far, x);
}

ALEATOR_WIDE void many_sines(const double* x, double* y, std::size_t n, std::uint64_t quarters) {
  for (std::size_t i = 0; i < n; ++i) y[i] = sine(x[i], quarters);
}
ALEATOR_WIDE void many_exponentials(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = exponential(x[i]);
}

ALEATOR_WIDE void many_hyperbolic_tangents(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = hyperbolic_tangent(x[i]);
}

ALEATOR_WIDE std::size_t count_beyond(const double* x, std::size_t n, double largest) {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += !(std::fabs(x[i]) <= largest);
  return count;
}

// In portions, so that arguments beyond the range are still there when the others are done.
template <class Many, class One>
void in_portions(const double* x, double* y, std::size_t n, double largest, const Many& many, const One& one) {
  constexpr std::size_t portion = 64;
  double copy[portion];
  for (std::size_t first = 0; first < n; first += portion) {
    const std::size_t count = n - first < portion ? n - first : portion;
    const double* from = x + first;
    double* const to = y + first;
    std::size_t beyond = count_beyond(from, count, largest);
    if (beyond > 0 && x == y) std::memcpy(copy, from, count * sizeof(double)), from = copy;
    many(from, to, count);
    for (std::size_t i = 0; beyond > 0; ++i)
      if (!(std::fabs(from[i]) <= largest)) to[i] = one(from[i]), --beyond;
  }
}

}  // namespace

void sines(const double* x, double* y, std::size_t n) {
  in_portions(
      x, y, n, largest_angle, [](auto... of) { many_sines(of..., 0); }, [](double v) { return std::sin(v); });
}

void cosines(const double* x, double* y, std::size_t n) {
  in_portions(
      x, y, n, largest_angle, [](auto... of) { many_sines(of..., 1); }, [](double v) { return std::cos(v); });
}

void exponentials(const double* x, double* y, std::size_t n) {
  in_portions(
      x, y, n, largest_exponent, [](auto... of) { many_exponentials(of...); }, [](double v) { return std::exp(v); });
}

void hyperbolic_tangents(const double* x, double* y, std::size_t n) {
  in_portions(
      x, y, n, largest_tangent, [](auto... of) { many_hyperbolic_tangents(of...); }, [](double v) { return std::tanh(v); });
}

void magnitudes(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::fabs(x[i]);
}

void square_roots(const double* x, double* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) y[i] = std::sqrt(x[i]);
}

bool all_finite(const double* x, std::size_t n) { return count_beyond(x, n, std::numeric_limits<double>::max()) == 0; }

}  // namespace aleator::core
