// Eight numbers at once as a scalar: for arithmetic that is a template on it. All of it is inlined (ALEATOR_INLINE), so that what calls it decides
// for which registers it is compiled (with_wide_registers).
#pragma once

#include <cmath>
#include <cstdint>

#include "numerics/functions.hpp"

namespace aleator::core {

struct Eight {
  using Numbers = double __attribute__((vector_size(64), may_alias));
  using Words = std::int64_t __attribute__((vector_size(64), may_alias));
  struct Mask {
    Words of{};
    ALEATOR_INLINE Mask() {}
    ALEATOR_INLINE Mask(bool all) : of(Words{} - std::int64_t(all)) {}
    static ALEATOR_INLINE Mask make(Words of) {
      Mask m;
      m.of = of;
      return m;
    }
    friend ALEATOR_INLINE Mask operator&(Mask a, Mask b) { return make(a.of & b.of); }
    friend ALEATOR_INLINE Mask operator|(Mask a, Mask b) { return make(a.of | b.of); }
    friend ALEATOR_INLINE Mask operator^(Mask a, Mask b) { return make(a.of ^ b.of); }
    ALEATOR_INLINE Mask operator!() const { return make(~of); }
  };

  Numbers of{};

  ALEATOR_INLINE Eight() {}
  ALEATOR_INLINE Eight(double x) : of(Numbers{} + x) {}
  static ALEATOR_INLINE Eight make(Numbers of) {
    Eight x;
    x.of = of;
    return x;
  }
  static ALEATOR_INLINE Eight make(Words of) { return make((Numbers)of); }
  ALEATOR_INLINE Words words() const { return (Words)of; }

  friend ALEATOR_INLINE Eight operator+(Eight a, Eight b) { return make(a.of + b.of); }
  friend ALEATOR_INLINE Eight operator-(Eight a, Eight b) { return make(a.of - b.of); }
  friend ALEATOR_INLINE Eight operator*(Eight a, Eight b) { return make(a.of * b.of); }
  friend ALEATOR_INLINE Eight operator/(Eight a, Eight b) { return make(a.of / b.of); }
  ALEATOR_INLINE Eight operator-() const { return make(-of); }
  friend ALEATOR_INLINE Mask operator<(Eight a, Eight b) { return Mask::make(a.of < b.of); }
  friend ALEATOR_INLINE Mask operator<=(Eight a, Eight b) { return Mask::make(a.of <= b.of); }
  friend ALEATOR_INLINE Mask operator>(Eight a, Eight b) { return Mask::make(a.of > b.of); }
  friend ALEATOR_INLINE Mask operator>=(Eight a, Eight b) { return Mask::make(a.of >= b.of); }
  friend ALEATOR_INLINE Mask operator==(Eight a, Eight b) { return Mask::make(a.of == b.of); }

  friend ALEATOR_INLINE Eight select(Mask m, Eight a, Eight b) { return make((m.of & a.words()) | (~m.of & b.words())); }
  friend ALEATOR_INLINE bool any(Mask m) {
    std::int64_t some = 0;
    for (int lane = 0; lane < 8; ++lane) some |= m.of[lane];
    return some != 0;
  }
  friend ALEATOR_INLINE Eight min(Eight a, Eight b) { return select(b < a, b, a); }
  friend ALEATOR_INLINE Eight max(Eight a, Eight b) { return select(a < b, b, a); }
  friend ALEATOR_INLINE Eight abs(Eight x) { return and_bits(x, ~(std::uint64_t{1} << 63)); }
  friend ALEATOR_INLINE Eight sqrt(Eight x) {
    Numbers y;
    for (int lane = 0; lane < 8; ++lane) y[lane] = std::sqrt(x.of[lane]);
    return make(y);
  }
  friend ALEATOR_INLINE Eight and_bits(Eight x, std::uint64_t bits) { return make(x.words() & std::int64_t(bits)); }
  friend ALEATOR_INLINE Eight or_bits(Eight x, std::uint64_t bits) { return make(x.words() | std::int64_t(bits)); }
  friend ALEATOR_INLINE Eight low_bits_to_exponent(Eight x) { return make(x.words() << 52); }
  friend ALEATOR_INLINE Eight exponent_to_low_bits(Eight x) {
    using Unsigned = std::uint64_t __attribute__((vector_size(64), may_alias));
    return make((Words)((Unsigned)x.of >> 52));
  }
  friend ALEATOR_INLINE Eight exp(Eight x) { return functions::exp(x); }
  friend ALEATOR_INLINE Eight log(Eight x) { return functions::log(x); }
};

// Calls f, compiled for registers of four numbers where the processor has them; f is a lambda that is ALEATOR_INLINE. Nothing is fused: the bits are
// the same. (Attributes of clones, base/wide.hpp, lose inline functions with clang.)
#if defined(__x86_64__) && defined(__GNUC__)
template <class F>
__attribute__((target("avx2"))) void call_with_avx2(const F& f) {
  f();
}
template <class F>
void with_wide_registers(const F& f) {
  static const bool wide = __builtin_cpu_supports("avx2");
  wide ? call_with_avx2(f) : f();
}
#else
template <class F>
void with_wide_registers(const F& f) {
  f();
}
#endif

}  // namespace aleator::core
