// Philox4x64-10 (Salmon et al. 2011) on any scalar: four words of 64 random bits from a counter of four words and a key of two. Words are the bits of
// numbers. The same as Random123's, which Stream uses; here for lanes.
//
//   ten times: (x0, x1, x2, x3) ← (hi(M1 x2) ⊕ x1 ⊕ k0, lo(M1 x2), hi(M0 x0) ⊕ x3 ⊕ k1, lo(M0 x0));   (k0, k1) ← (k0 + W0, k1 + W1)
#pragma once

#include <array>
#include <cstdint>

#include "numerics/scalar.hpp"

namespace aleator::core::philox {

constexpr std::uint64_t lower_half = 0xffffffffu;

// hi and lo of m x, both of 64 bits: with halves, m x = m1 x1 2⁶⁴ + (m1 x0 + m0 x1) 2³² + m0 x0.
template <class T>
struct Product {
  T high, low;
};
template <class T>
Product<T> product(std::uint64_t m, const T& x) {
  const T x1 = half_down(x), m0 = or_bits(T(0), m & lower_half), m1 = or_bits(T(0), m >> 32);
  const T low = multiply_words(m0, x), a = multiply_words(m0, x1), b = multiply_words(m1, x), high = multiply_words(m1, x1);
  const T middle = add_words(add_words(half_down(low), and_bits(a, lower_half)), and_bits(b, lower_half));
  return {add_words(add_words(add_words(high, half_down(a)), half_down(b)), half_down(middle)),
          add_words(and_bits(low, lower_half), half_up(middle))};
}

template <class T>
struct State {
  std::array<T, 4> x;
  std::array<T, 2> key;
};
constexpr int rounds = 10;
template <class T>
void round(State<T>& s) {
  constexpr std::uint64_t m0 = 0xD2E7470EE14C6C93u, m1 = 0xCA5A826395121157u, w0 = 0x9E3779B97F4A7C15u, w1 = 0xBB67AE8584CAA73Bu;
  const Product<T> p = product(m0, s.x[0]), q = product(m1, s.x[2]);
  s.x = {unlike_bits(unlike_bits(q.high, s.x[1]), s.key[0]), q.low, unlike_bits(unlike_bits(p.high, s.x[3]), s.key[1]), p.low};
  s.key = {add_words(s.key[0], or_bits(T(0), w0)), add_words(s.key[1], or_bits(T(0), w1))};
}

// (k + ½) 2⁻⁵² with the upper 52 bits k of a word; the parts are exact.
template <class T>
T uniform(const T& word) {
  constexpr std::uint64_t two_52 = 0x4330000000000000u;  // its last bits are a whole number
  const T shift(4503599627370496.0);
  const T high = or_bits(half_down(word), two_52) - shift, low = or_bits(and_bits(word, 0xfffff000u), two_52) - shift;
  return (high * T(0x1p20) + low * T(0x1p-12) + T(0.5)) * T(0x1p-52);
}

// A whole number from 0 to 2⁵² − 1 as a word.
template <class T>
T word_of(const T& number) {
  return and_bits(number + T(4503599627370496.0), 0x000fffff'ffffffffu);
}

}  // namespace aleator::core::philox
