// Traced: a scalar that writes down what is done with it on the current tape (tape.hpp). Kernels do not branch on their numbers,
// so one run of a kernel on Traced numbers is its arithmetic for all numbers.
#pragma once

#include <stdexcept>

#include "numerics/scalar.hpp"
#include "numerics/tape.hpp"

namespace aleator::core {

struct TracedMask {
  int node = 0;  // zero: false
  TracedMask() = default;
  TracedMask(bool value);
  static TracedMask of(int node) {
    TracedMask m;
    m.node = node;
    return m;
  }

  friend TracedMask operator&(TracedMask a, TracedMask b);
  friend TracedMask operator|(TracedMask a, TracedMask b);
  friend TracedMask operator^(TracedMask a, TracedMask b);
  TracedMask operator!() const;
  TracedMask operator~() const { return !*this; }
  TracedMask& operator|=(TracedMask b) { return *this = *this | b; }
  TracedMask& operator&=(TracedMask b) { return *this = *this & b; }
  friend TracedMask select(TracedMask m, TracedMask a, TracedMask b);
};

// Nothing is inline: kernels are long, and recording is not where time goes.
struct Traced {
  int node = 0;  // zero: the number 0

  Traced() = default;
  Traced(double value);
  static Traced of(int node) {
    Traced x;
    x.node = node;
    return x;
  }

  friend Traced operator+(Traced a, Traced b);
  friend Traced operator-(Traced a, Traced b);
  friend Traced operator*(Traced a, Traced b);
  friend Traced operator/(Traced a, Traced b);
  Traced operator+() const { return *this; }
  Traced operator-() const;
  Traced& operator+=(Traced b);
  Traced& operator-=(Traced b);
  Traced& operator*=(Traced b);
  Traced& operator/=(Traced b);

  friend TracedMask operator<(Traced a, Traced b);
  friend TracedMask operator<=(Traced a, Traced b);
  friend TracedMask operator>(Traced a, Traced b);
  friend TracedMask operator>=(Traced a, Traced b);
  friend TracedMask operator==(Traced a, Traced b);
  friend TracedMask operator!=(Traced a, Traced b);

  friend Traced select(TracedMask m, Traced a, Traced b);
  friend Traced min(Traced a, Traced b);
  friend Traced max(Traced a, Traced b);
  friend Traced copysign(Traced a, Traced b);
  friend Traced sqrt(Traced x);
  friend Traced abs(Traced x);
  friend Traced multiply_add(Traced a, Traced b, Traced c);
  friend TracedMask is_finite(Traced x);

  friend Traced sin(Traced x);
  friend Traced cos(Traced x);
  friend Traced tan(Traced x);
  friend Traced asin(Traced x);
  friend Traced acos(Traced x);
  friend Traced tanh(Traced x);
  friend Traced exp(Traced x);
  friend Traced log(Traced x);
  friend Traced round(Traced x);
  friend Traced floor(Traced x);
  friend Traced atan2(Traced y, Traced x);

  friend Traced and_bits(Traced x, std::uint64_t bits);
  friend Traced or_bits(Traced x, std::uint64_t bits);
  friend Traced low_bits_to_exponent(Traced x);
  friend Traced exponent_to_low_bits(Traced x);
  friend Traced add_words(Traced x, Traced y);
  friend Traced multiply_words(Traced x, Traced y);
  friend Traced unlike_bits(Traced x, Traced y);
  friend Traced half_up(Traced x);
  friend Traced half_down(Traced x);
};

// What is done on the scalar T until the end of the scope is for this part; only a tape wants to know.
template <class T>
struct PartScope {
  explicit PartScope(Part) {}
};
template <>
struct PartScope<Traced> {
  explicit PartScope(Part part) : before_(Tape::current().set_part(part)) {}
  ~PartScope() { Tape::current().set_part(before_); }
  PartScope(const PartScope&) = delete;
  PartScope& operator=(const PartScope&) = delete;

 private:
  Part before_;
};

template <>
struct ScalarTraits<Traced> {
  static constexpr int lanes = 1;
  using Mask = TracedMask;
  static double lane(const Traced&, int) { throw std::logic_error("a traced number has no value"); }
  static void set_lane(Traced& x, int, double value) { x = Traced(value); }
};

}  // namespace aleator::core
