#include "numerics/traced.hpp"

namespace aleator::core {

namespace {

int record(Operation op, int a, int b = -1, int c = -1) { return Tape::current().record(op, a, b, c); }
Traced number(Operation op, Traced a, Traced b) { return Traced::of(record(op, a.node, b.node)); }
TracedMask mask(Operation op, TracedMask a, TracedMask b) { return TracedMask::of(record(op, a.node, b.node)); }
TracedMask compare(Operation op, Traced a, Traced b) { return TracedMask::of(record(op, a.node, b.node)); }
Traced called(Function f, Traced x) { return Traced::of(record(Operation::call, x.node, -1, int(f))); }

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

Traced sin(Traced x) { return called(Function::sin, x); }
Traced cos(Traced x) { return called(Function::cos, x); }
Traced tan(Traced x) { return called(Function::tan, x); }
Traced asin(Traced x) { return called(Function::asin, x); }
Traced acos(Traced x) { return called(Function::acos, x); }
Traced tanh(Traced x) { return called(Function::tanh, x); }
Traced exp(Traced x) { return called(Function::exp, x); }
Traced log(Traced x) { return called(Function::log, x); }
Traced round(Traced x) { return called(Function::round, x); }
Traced floor(Traced x) { return called(Function::floor, x); }
Traced atan2(Traced y, Traced x) { return Traced::of(record(Operation::call, y.node, x.node, int(Function::atan2))); }

}  // namespace aleator::core
