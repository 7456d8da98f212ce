// What a kernel may do with its scalar. A kernel is a template on T and calls these functions unqualified inside
// namespace aleator::core; T is double (here), Traced (traced.hpp: recorded for many realizations) or Dual (dual.hpp: a derivative).
//
//   select(mask, a, b)      instead of  mask ? a : b      masks combine with & | and (!m)   (never && ||, never an if on lane data)
//   any(mask), all(mask)    for drivers, which do branch
//   sqrt abs min max copysign round floor sin cos tan asin acos atan2 tanh exp log, multiply_add, is_finite
//
// In every lane of a program that is not fused, each function gives bitwise what it gives for a double.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#if defined(__CUDACC__)
#define ALEATOR_HD __host__ __device__
#define ALEATOR_INLINE __host__ __device__ __forceinline__
#else
#define ALEATOR_HD
#define ALEATOR_INLINE inline __attribute__((always_inline))
#endif

namespace aleator::core {

// How a driver looks into a scalar. lane(x, k) and set_lane(x, k, value) are the only way across lanes.
template <class T>
struct ScalarTraits;

template <>
struct ScalarTraits<double> {
  static constexpr int lanes = 1;
  using Mask = bool;
  static ALEATOR_INLINE double lane(const double& x, int) { return x; }
  static ALEATOR_INLINE void set_lane(double& x, int, double value) { x = value; }
};

template <class T>
using MaskOf = typename ScalarTraits<T>::Mask;

ALEATOR_INLINE double select(bool mask, double a, double b) { return mask ? a : b; }
ALEATOR_INLINE bool select(bool mask, bool a, bool b) { return mask ? a : b; }
ALEATOR_INLINE bool any(bool mask) { return mask; }
ALEATOR_INLINE bool all(bool mask) { return mask; }
ALEATOR_INLINE unsigned bits(bool mask) { return mask ? 1u : 0u; }  // lane k is bit k
ALEATOR_INLINE bool lane(bool mask, int) { return mask; }
ALEATOR_INLINE void set_lane(bool& mask, int, bool value) { mask = value; }

// By using-declaration, so that a file that says `using namespace aleator` can still call them for double.
using std::abs;
using std::copysign;
using std::floor;
using std::round;  // halves away from zero
using std::sqrt;

// Arithmetic (functions.hpp), which lanes do, too.
double sin(double x), cos(double x), tan(double x), asin(double x), acos(double x), atan2(double y, double x);
double tanh(double x), exp(double x), log(double x);

// What they are made of: numbers as bits.
ALEATOR_INLINE double and_bits(double x, std::uint64_t bits) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & bits);
}
ALEATOR_INLINE double or_bits(double x, std::uint64_t bits) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) | bits);
}
ALEATOR_INLINE double low_bits_to_exponent(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) << 52); }
ALEATOR_INLINE double exponent_to_low_bits(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 52); }

// Bits as whole numbers of 64: sums without what is carried out of them, products of the lower halves, a half up and down.
ALEATOR_INLINE double add_words(double x, double y) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) + std::bit_cast<std::uint64_t>(y));
}
ALEATOR_INLINE double multiply_words(double x, double y) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) & 0xffffffffu) * (std::bit_cast<std::uint64_t>(y) & 0xffffffffu));
}
ALEATOR_INLINE double unlike_bits(double x, double y) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) ^ std::bit_cast<std::uint64_t>(y));
}
ALEATOR_INLINE double half_up(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) << 32); }
ALEATOR_INLINE double half_down(double x) { return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> 32); }

// What abs() gives: T itself, the real scalar of a complex one.
template <class T>
using MagnitudeOf = decltype(abs(T()));

ALEATOR_INLINE double value_of(double x) { return x; }
ALEATOR_INLINE double min(double a, double b) { return b < a ? b : a; }  // a when unordered, as std::min
ALEATOR_INLINE double max(double a, double b) { return a < b ? b : a; }

// x - x is 0 for a number and NaN for an infinity or NaN.
ALEATOR_INLINE bool is_finite(double x) { return x - x == 0.0; }

// a b + c, fused where the instruction set has it. Contraction is off in the build, so this is where
// a fused operation is asked for by name; recorded programs of sets that do not fuse agree with
// double bit by bit, others to round-off.
ALEATOR_INLINE double multiply_add(double a, double b, double c) {
#if defined(__FMA__) || defined(__CUDA_ARCH__)
  return std::fma(a, b, c);
#else
  return a * b + c;
#endif
}

}  // namespace aleator::core
