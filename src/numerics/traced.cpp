#include "numerics/traced.hpp"

#include "numerics/functions.hpp"

namespace aleator::core {

namespace {

int record(Operation op, int a, int b = -1, int c = -1) { return Tape::current().record(op, a, b, c); }
Traced number(Operation op, Traced a, Traced b) { return Traced::of(record(op, a.node, b.node)); }
TracedMask mask(Operation op, TracedMask a, TracedMask b) { return TracedMask::of(record(op, a.node, b.node)); }
TracedMask compare(Operation op, Traced a, Traced b) { return TracedMask::of(record(op, a.node, b.node)); }

}  // namespace

TracedMask::TracedMask(bool value) : node(value ? Tape::current().mask(true) : 0) {}
TracedMask operator&(TracedMask a, TracedMask b) { return mask(Operation::both, a, b); }
TracedMask operator|(TracedMask a, TracedMask b) { return mask(Operation::either, a, b); }
TracedMask operator^(TracedMask a, TracedMask b) { return mask(Operation::unlike, a, b); }
TracedMask TracedMask::operator!() const { return *this ^ TracedMask(true); }
TracedMask select(TracedMask m, TracedMask a, TracedMask b) {
  return TracedMask::of(record(Operation::select, m.node, a.node, b.node));
}

Traced::Traced(double value) : node(value == 0 ? 0 : Tape::current().constant(value)) {}
Traced operator+(Traced a, Traced b) { return number(Operation::add, a, b); }
Traced operator-(Traced a, Traced b) { return number(Operation::subtract, a, b); }
Traced operator*(Traced a, Traced b) { return number(Operation::multiply, a, b); }
Traced operator/(Traced a, Traced b) { return number(Operation::divide, a, b); }
Traced Traced::operator-() const { return of(record(Operation::negate, node)); }
Traced& Traced::operator+=(Traced b) { return *this = *this + b; }
Traced& Traced::operator-=(Traced b) { return *this = *this - b; }
Traced& Traced::operator*=(Traced b) { return *this = *this * b; }
Traced& Traced::operator/=(Traced b) { return *this = *this / b; }

TracedMask operator<(Traced a, Traced b) { return compare(Operation::less, a, b); }
TracedMask operator<=(Traced a, Traced b) { return compare(Operation::less_equal, a, b); }
TracedMask operator>(Traced a, Traced b) { return compare(Operation::less, b, a); }
TracedMask operator>=(Traced a, Traced b) { return compare(Operation::less_equal, b, a); }
TracedMask operator==(Traced a, Traced b) { return compare(Operation::equal, a, b); }
TracedMask operator!=(Traced a, Traced b) { return !(a == b); }

Traced select(TracedMask m, Traced a, Traced b) { return Traced::of(record(Operation::select, m.node, a.node, b.node)); }
Traced min(Traced a, Traced b) { return number(Operation::minimum, a, b); }
Traced max(Traced a, Traced b) { return number(Operation::maximum, a, b); }
Traced copysign(Traced a, Traced b) { return number(Operation::copy_sign, a, b); }
Traced sqrt(Traced x) { return Traced::of(record(Operation::square_root, x.node)); }
Traced abs(Traced x) { return Traced::of(record(Operation::magnitude, x.node)); }
Traced multiply_add(Traced a, Traced b, Traced c) { return Traced::of(Tape::current().multiply_add(a.node, b.node, c.node)); }
TracedMask is_finite(Traced x) { return abs(x) <= Traced(1.7976931348623157e308); }

Traced and_bits(Traced x, std::uint64_t bits) {
  return Traced::of(record(Operation::both, x.node, Tape::current().constant(std::bit_cast<double>(bits))));
}
Traced or_bits(Traced x, std::uint64_t bits) {
  return Traced::of(record(Operation::either, x.node, Tape::current().constant(std::bit_cast<double>(bits))));
}
Traced low_bits_to_exponent(Traced x) { return Traced::of(record(Operation::raise, x.node)); }
Traced exponent_to_low_bits(Traced x) { return Traced::of(record(Operation::lower, x.node)); }
Traced add_words(Traced x, Traced y) { return number(Operation::add_words, x, y); }
Traced multiply_words(Traced x, Traced y) { return number(Operation::multiply_words, x, y); }
Traced unlike_bits(Traced x, Traced y) { return number(Operation::unlike, x, y); }
Traced half_up(Traced x) { return Traced::of(record(Operation::half_up, x.node)); }
Traced half_down(Traced x) { return Traced::of(record(Operation::half_down, x.node)); }

Traced sin(Traced x) { return functions::sin(x); }
Traced cos(Traced x) { return functions::cos(x); }
Traced tan(Traced x) { return functions::tan(x); }
Traced asin(Traced x) { return functions::asin(x); }
Traced acos(Traced x) { return functions::acos(x); }
Traced tanh(Traced x) { return functions::tanh(x); }
Traced exp(Traced x) { return functions::exp(x); }
Traced log(Traced x) { return functions::log(x); }
Traced round(Traced x) { return functions::round(x); }
Traced floor(Traced x) { return functions::floor(x); }
Traced atan2(Traced y, Traced x) { return functions::atan2(y, x); }

}  // namespace aleator::core
