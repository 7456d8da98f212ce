// Traced: a scalar that writes down what is done with it on the current tape (tape.hpp). Kernels do not branch on their numbers,
// so one run of a kernel on Traced numbers is its arithmetic for all numbers.
#pragma once

#include <stdexcept>

#include "numerics/scalar.hpp"
#include "numerics/tape.hpp"

namespace aleator {

struct TracedMask {
  int node = 0;  // zero: false
  TracedMask() = default;
  TracedMask(bool value) : node(value ? Tape::current().mask(true) : 0) {}
  static TracedMask of(int node) {
    TracedMask m;
    m.node = node;
    return m;
  }

  friend TracedMask operator&(TracedMask a, TracedMask b) { return record(Operation::both, a, b); }
  friend TracedMask operator|(TracedMask a, TracedMask b) { return record(Operation::either, a, b); }
  friend TracedMask operator^(TracedMask a, TracedMask b) { return record(Operation::unlike, a, b); }
  TracedMask operator!() const { return *this ^ TracedMask(true); }
  TracedMask operator~() const { return !*this; }
  TracedMask& operator|=(TracedMask b) { return *this = *this | b; }
  TracedMask& operator&=(TracedMask b) { return *this = *this & b; }
  friend TracedMask select(TracedMask m, TracedMask a, TracedMask b) {
    return of(Tape::current().record(Operation::select, m.node, a.node, b.node));
  }

 private:
  static TracedMask record(Operation op, TracedMask a, TracedMask b) { return of(Tape::current().record(op, a.node, b.node)); }
};

struct Traced {
  int node = 0;  // zero: the number 0

  Traced() = default;
  Traced(double value) : node(value == 0 ? 0 : Tape::current().constant(value)) {}
  static Traced of(int node) {
    Traced x;
    x.node = node;
    return x;
  }

  friend Traced operator+(Traced a, Traced b) { return record(Operation::add, a, b); }
  friend Traced operator-(Traced a, Traced b) { return record(Operation::subtract, a, b); }
  friend Traced operator*(Traced a, Traced b) { return record(Operation::multiply, a, b); }
  friend Traced operator/(Traced a, Traced b) { return record(Operation::divide, a, b); }
  Traced operator+() const { return *this; }
  Traced operator-() const { return of(Tape::current().record(Operation::negate, node)); }
  Traced& operator+=(Traced b) { return *this = *this + b; }
  Traced& operator-=(Traced b) { return *this = *this - b; }
  Traced& operator*=(Traced b) { return *this = *this * b; }
  Traced& operator/=(Traced b) { return *this = *this / b; }

  friend TracedMask operator<(Traced a, Traced b) { return compare(Operation::less, a, b); }
  friend TracedMask operator<=(Traced a, Traced b) { return compare(Operation::less_equal, a, b); }
  friend TracedMask operator>(Traced a, Traced b) { return compare(Operation::less, b, a); }
  friend TracedMask operator>=(Traced a, Traced b) { return compare(Operation::less_equal, b, a); }
  friend TracedMask operator==(Traced a, Traced b) { return compare(Operation::equal, a, b); }
  friend TracedMask operator!=(Traced a, Traced b) { return !(a == b); }

  friend Traced select(TracedMask m, Traced a, Traced b) {
    return of(Tape::current().record(Operation::select, m.node, a.node, b.node));
  }
  friend Traced min(Traced a, Traced b) { return record(Operation::minimum, a, b); }
  friend Traced max(Traced a, Traced b) { return record(Operation::maximum, a, b); }
  friend Traced copysign(Traced a, Traced b) { return record(Operation::copy_sign, a, b); }
  friend Traced sqrt(Traced x) { return of(Tape::current().record(Operation::square_root, x.node)); }
  friend Traced abs(Traced x) { return of(Tape::current().record(Operation::magnitude, x.node)); }
  friend Traced multiply_add(Traced a, Traced b, Traced c) { return of(Tape::current().multiply_add(a.node, b.node, c.node)); }
  friend TracedMask is_finite(Traced x) { return abs(x) <= Traced(1.7976931348623157e308); }

  friend Traced sin(Traced x) { return called(Function::sin, x); }
  friend Traced cos(Traced x) { return called(Function::cos, x); }
  friend Traced tan(Traced x) { return called(Function::tan, x); }
  friend Traced asin(Traced x) { return called(Function::asin, x); }
  friend Traced acos(Traced x) { return called(Function::acos, x); }
  friend Traced tanh(Traced x) { return called(Function::tanh, x); }
  friend Traced exp(Traced x) { return called(Function::exp, x); }
  friend Traced log(Traced x) { return called(Function::log, x); }
  friend Traced round(Traced x) { return called(Function::round, x); }
  friend Traced floor(Traced x) { return called(Function::floor, x); }
  friend Traced atan2(Traced y, Traced x) {
    return of(Tape::current().record(Operation::call, y.node, x.node, int(Function::atan2)));
  }

 private:
  static Traced record(Operation op, Traced a, Traced b) { return of(Tape::current().record(op, a.node, b.node)); }
  static TracedMask compare(Operation op, Traced a, Traced b) {
    return TracedMask::of(Tape::current().record(op, a.node, b.node));
  }
  static Traced called(Function f, Traced x) { return of(Tape::current().record(Operation::call, x.node, -1, int(f))); }
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

}  // namespace aleator
