// Pack<W>: W doubles, one realization in each lane (W = 2, 4, 8), on GCC vector extensions.
//
// A pack is an array of register-sized parts, because g++ falls back to single lanes when it compares or selects
// vectors wider than a register. Memory is W contiguous doubles whatever the instruction set. Operations are those
// of scalar.hpp, lane by lane, bitwise equal to the scalar; all are forced inline.
#pragma once

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <cstring>
#include <limits>

#include "numerics/aligned.hpp"
#include "numerics/scalar.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // packs never cross a library boundary by value
#endif

namespace aleator {
namespace detail {

#if defined(__AVX512F__)
inline constexpr int register_lanes = 8;
#elif defined(__AVX__)
inline constexpr int register_lanes = 4;
#else
inline constexpr int register_lanes = 2;
#endif

// The register types; g++ 12 rejects a vector_size that depends on a template parameter.
template <int N>
struct Register;
template <>
struct Register<2> {
  using Real = double __attribute__((vector_size(16)));
  using Int = long long __attribute__((vector_size(16)));
};
template <>
struct Register<4> {
  using Real = double __attribute__((vector_size(32)));
  using Int = long long __attribute__((vector_size(32)));
};
template <>
struct Register<8> {
  using Real = double __attribute__((vector_size(64)));
  using Int = long long __attribute__((vector_size(64)));
};

// The three things vector extensions cannot say: square root, fused multiply-add, and one bit per lane of a mask.
#if defined(__x86_64__)
ALEATOR_INLINE __m128d root(__m128d x) { return _mm_sqrt_pd(x); }
ALEATOR_INLINE unsigned lane_bits(__m128i m) { return static_cast<unsigned>(_mm_movemask_pd(_mm_castsi128_pd(m))); }
#if defined(__AVX__)
ALEATOR_INLINE __m256d root(__m256d x) { return _mm256_sqrt_pd(x); }
ALEATOR_INLINE unsigned lane_bits(__m256i m) { return static_cast<unsigned>(_mm256_movemask_pd(_mm256_castsi256_pd(m))); }
#endif
#if defined(__AVX512F__)
ALEATOR_INLINE __m512d root(__m512d x) { return _mm512_maskz_sqrt_pd(0xff, x); }  // plain form warns in g++ 12
ALEATOR_INLINE unsigned lane_bits(__m512i m) { return _mm512_test_epi64_mask(m, m); }
#endif
#if defined(__FMA__)
ALEATOR_INLINE __m128d fused(__m128d a, __m128d b, __m128d c) { return _mm_fmadd_pd(a, b, c); }
ALEATOR_INLINE __m256d fused(__m256d a, __m256d b, __m256d c) { return _mm256_fmadd_pd(a, b, c); }
#if defined(__AVX512F__)
ALEATOR_INLINE __m512d fused(__m512d a, __m512d b, __m512d c) { return _mm512_fmadd_pd(a, b, c); }
#endif
#else
template <class V>
ALEATOR_INLINE V fused(V a, V b, V c) {
  return a * b + c;
}
#endif
#else
template <class V>
ALEATOR_INLINE V root(V x) {
  for (unsigned k = 0; k < sizeof(V) / sizeof(double); ++k) x[k] = std::sqrt(x[k]);
  return x;
}
template <class V>
ALEATOR_INLINE V fused(V a, V b, V c) {
  for (unsigned k = 0; k < sizeof(V) / sizeof(double); ++k) c[k] = multiply_add(a[k], b[k], c[k]);
  return c;
}
template <class M>
ALEATOR_INLINE unsigned lane_bits(M m) {
  unsigned bits = 0;
  for (unsigned k = 0; k < sizeof(M) / sizeof(long long); ++k) bits |= (m[k] != 0 ? 1u : 0u) << k;
  return bits;
}
#endif

}  // namespace detail

// Copies go register by register, in structures of packs too. Left alone, g++ copies structures in pieces of 16 bytes or
// by string instructions, and reading the pieces back as registers stalls: the solver was four times slower.
#define ALEATOR_COPY_BY_PARTS(Type)                      \
  ALEATOR_INLINE Type(const Type& x) {                   \
    for (int k = 0; k < parts; ++k) part[k] = x.part[k]; \
  }                                                      \
  ALEATOR_INLINE Type& operator=(const Type& x) {        \
    for (int k = 0; k < parts; ++k) part[k] = x.part[k]; \
    return *this;                                        \
  }

// One truth value per lane: all bits set or none.
template <int W>
struct Mask {
  static constexpr int part_lanes = W < detail::register_lanes ? W : detail::register_lanes;
  static constexpr int parts = W / part_lanes;
  using Part = typename detail::Register<part_lanes>::Int;

  alignas(8 * W) Part part[parts];

  Mask() = default;
  ALEATOR_INLINE Mask(bool value) {
    for (int k = 0; k < parts; ++k) part[k] = Part{} - static_cast<long long>(value);
  }
  ALEATOR_COPY_BY_PARTS(Mask)

  friend ALEATOR_INLINE Mask operator&(const Mask& a, const Mask& b) {
    Mask r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] & b.part[k];
    return r;
  }
  friend ALEATOR_INLINE Mask operator|(const Mask& a, const Mask& b) {
    Mask r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] | b.part[k];
    return r;
  }
  friend ALEATOR_INLINE Mask operator^(const Mask& a, const Mask& b) {
    Mask r;
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] ^ b.part[k];
    return r;
  }
  ALEATOR_INLINE Mask operator~() const {
    Mask r;
    for (int k = 0; k < parts; ++k) r.part[k] = ~part[k];
    return r;
  }
  ALEATOR_INLINE Mask operator!() const { return ~*this; }
  ALEATOR_INLINE Mask& operator&=(const Mask& b) { return *this = *this & b; }
  ALEATOR_INLINE Mask& operator|=(const Mask& b) { return *this = *this | b; }

  friend ALEATOR_INLINE unsigned bits(const Mask& m) {
    unsigned r = 0;
    for (int k = 0; k < parts; ++k) r |= detail::lane_bits(m.part[k]) << (k * part_lanes);
    return r;
  }
  friend ALEATOR_INLINE bool any(const Mask& m) {
    Part r = m.part[0];
    for (int k = 1; k < parts; ++k) r |= m.part[k];
    return detail::lane_bits(r) != 0;
  }
  friend ALEATOR_INLINE bool all(const Mask& m) { return !any(~m); }
  friend ALEATOR_INLINE Mask select(const Mask& m, const Mask& a, const Mask& b) { return (m & a) | (~m & b); }
  friend ALEATOR_INLINE bool lane(const Mask& m, int k) { return m.part[k / part_lanes][k % part_lanes] != 0; }
  friend ALEATOR_INLINE void set_lane(Mask& m, int k, bool value) {
    m.part[k / part_lanes][k % part_lanes] = -static_cast<long long>(value);
  }
};

template <int W>
struct Pack {
  static constexpr int lanes = W;
  static constexpr int part_lanes = Mask<W>::part_lanes;
  static constexpr int parts = Mask<W>::parts;
  using Part = typename detail::Register<part_lanes>::Real;
  using IntPart = typename Mask<W>::Part;

  alignas(8 * W) Part part[parts];

  Pack() = default;
  ALEATOR_INLINE Pack(double value) {  // the same in all lanes
    for (int k = 0; k < parts; ++k) part[k] = broadcast(value);
  }
  ALEATOR_COPY_BY_PARTS(Pack)
  static ALEATOR_INLINE Pack load(const double* p) {  // W consecutive doubles, aligned or not
    Pack r;
    for (int k = 0; k < parts; ++k) std::memcpy(&r.part[k], p + k * part_lanes, sizeof(Part));
    return r;
  }
  ALEATOR_INLINE void store(double* p) const {
    for (int k = 0; k < parts; ++k) std::memcpy(p + k * part_lanes, &part[k], sizeof(Part));
  }

  ALEATOR_INLINE double operator[](int k) const { return part[k / part_lanes][k % part_lanes]; }
  ALEATOR_INLINE void set(int k, double value) { part[k / part_lanes][k % part_lanes] = value; }

#define ALEATOR_PACK_ARITHMETIC(op)                                      \
  friend ALEATOR_INLINE Pack operator op(const Pack& a, const Pack& b) { \
    Pack r;                                                              \
    for (int k = 0; k < parts; ++k) r.part[k] = a.part[k] op b.part[k];  \
    return r;                                                            \
  }                                                                      \
  ALEATOR_INLINE Pack& operator op##=(const Pack& b) { return *this = *this op b; }
  ALEATOR_PACK_ARITHMETIC(+)
  ALEATOR_PACK_ARITHMETIC(-)
  ALEATOR_PACK_ARITHMETIC(*)
  ALEATOR_PACK_ARITHMETIC(/)
#undef ALEATOR_PACK_ARITHMETIC

#define ALEATOR_PACK_COMPARISON(op)                                                \
  friend ALEATOR_INLINE Mask<W> operator op(const Pack& a, const Pack& b) {        \
    Mask<W> r;                                                                     \
    for (int k = 0; k < parts; ++k) r.part[k] = (IntPart)(a.part[k] op b.part[k]); \
    return r;                                                                      \
  }
  ALEATOR_PACK_COMPARISON(<)
  ALEATOR_PACK_COMPARISON(<=)
  ALEATOR_PACK_COMPARISON(>)
  ALEATOR_PACK_COMPARISON(>=)
  ALEATOR_PACK_COMPARISON(==)
  ALEATOR_PACK_COMPARISON(!=)
#undef ALEATOR_PACK_COMPARISON

  ALEATOR_INLINE Pack operator+() const { return *this; }
  ALEATOR_INLINE Pack operator-() const {
    Pack r;
    for (int k = 0; k < parts; ++k) r.part[k] = -part[k];
    return r;
  }

  friend ALEATOR_INLINE Pack select(const Mask<W>& m, const Pack& a, const Pack& b) {
    Pack r;
    for (int k = 0; k < parts; ++k) r.part[k] = m.part[k] ? a.part[k] : b.part[k];
    return r;
  }
  friend ALEATOR_INLINE Pack min(const Pack& a, const Pack& b) { return select(b < a, b, a); }
  friend ALEATOR_INLINE Pack max(const Pack& a, const Pack& b) { return select(a < b, b, a); }
  friend ALEATOR_INLINE Mask<W> is_finite(const Pack& x) { return x - x == Pack(0.0); }

  friend ALEATOR_INLINE Pack abs(const Pack& x) {
    Pack r;
    for (int k = 0; k < parts; ++k) r.part[k] = (Part)((IntPart)x.part[k] & ~sign_bits());
    return r;
  }
  friend ALEATOR_INLINE Pack copysign(const Pack& magnitude, const Pack& sign) {
    Pack r;
    for (int k = 0; k < parts; ++k)
      r.part[k] = (Part)(((IntPart)magnitude.part[k] & ~sign_bits()) | ((IntPart)sign.part[k] & sign_bits()));
    return r;
  }
  friend ALEATOR_INLINE Pack sqrt(const Pack& x) {
    Pack r;
    for (int k = 0; k < parts; ++k) r.part[k] = detail::root(x.part[k]);
    return r;
  }
  friend ALEATOR_INLINE Pack multiply_add(const Pack& a, const Pack& b, const Pack& c) {
    Pack r;
    for (int k = 0; k < parts; ++k) r.part[k] = detail::fused(a.part[k], b.part[k], c.part[k]);
    return r;
  }

// Functions of the C library, one lane at a time, so that a lane is what the scalar is.
#define ALEATOR_PACK_FUNCTION(name)                        \
  friend ALEATOR_INLINE Pack name(const Pack& x) {         \
    Pack r;                                                \
    for (int k = 0; k < W; ++k) r.set(k, std::name(x[k])); \
    return r;                                              \
  }
  ALEATOR_PACK_FUNCTION(round)
  ALEATOR_PACK_FUNCTION(floor)
  ALEATOR_PACK_FUNCTION(sin)
  ALEATOR_PACK_FUNCTION(cos)
  ALEATOR_PACK_FUNCTION(tan)
  ALEATOR_PACK_FUNCTION(asin)
  ALEATOR_PACK_FUNCTION(acos)
  ALEATOR_PACK_FUNCTION(tanh)
  ALEATOR_PACK_FUNCTION(exp)
  ALEATOR_PACK_FUNCTION(log)
#undef ALEATOR_PACK_FUNCTION
  friend ALEATOR_INLINE Pack atan2(const Pack& y, const Pack& x) {
    Pack r;
    for (int k = 0; k < W; ++k) r.set(k, std::atan2(y[k], x[k]));
    return r;
  }

 private:
  static ALEATOR_INLINE Part broadcast(double value) {
    Part r;
    for (int k = 0; k < part_lanes; ++k) r[k] = value;
    return r;
  }
  static ALEATOR_INLINE IntPart sign_bits() { return IntPart{} + std::numeric_limits<long long>::min(); }
};

#undef ALEATOR_COPY_BY_PARTS

template <int W>
struct ScalarTraits<Pack<W>> {
  static constexpr int lanes = W;
  using Mask = aleator::Mask<W>;
  static ALEATOR_INLINE double lane(const Pack<W>& x, int k) { return x[k]; }
  static ALEATOR_INLINE void set_lane(Pack<W>& x, int k, double value) { x.set(k, value); }
};

}  // namespace aleator
