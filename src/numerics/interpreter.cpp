// Programs step by step: slow, for processors without a translation, and to check translations against.
#include <bit>
#include <cmath>
#include <cstring>

#include "numerics/program.hpp"
#include "numerics/scalar.hpp"

namespace aleator::core::detail {

namespace {

double bitwise(Operation op, double a, double b) {
  const auto x = std::bit_cast<std::uint64_t>(a), y = std::bit_cast<std::uint64_t>(b);
  return std::bit_cast<double>(op == Operation::both ? x & y : op == Operation::either ? x | y : x ^ y);
}
double mask(bool x) { return std::bit_cast<double>(x ? ~std::uint64_t{0} : std::uint64_t{0}); }

}  // namespace

double operate(Operation op, double a, double b, double c) {
  switch (op) {
    case Operation::copy:
      return a;
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::fused:
      return std::fma(a, b, c);
    case Operation::fused_negated:
      return std::fma(-a, b, c);
    case Operation::fused_less:
      return std::fma(a, b, -c);
    case Operation::square_root:
      return std::sqrt(a);
    case Operation::minimum:
      return b < a ? b : a;
    case Operation::maximum:
      return a < b ? b : a;
    case Operation::less:
      return mask(a < b);
    case Operation::less_equal:
      return mask(a <= b);
    case Operation::equal:
      return mask(a == b);
    case Operation::select:
      return std::bit_cast<std::uint64_t>(a) != 0 ? b : c;
    case Operation::raise:
      return low_bits_to_exponent(a);
    case Operation::lower:
      return exponent_to_low_bits(a);
    case Operation::add_words:
      return add_words(a, b);
    case Operation::multiply_words:
      return multiply_words(a, b);
    case Operation::half_up:
      return half_up(a);
    case Operation::half_down:
      return half_down(a);
    default:
      return bitwise(op, a, b);
  }
}

namespace {

class Interpreted final : public Runnable {
 public:
  Interpreted(const Program& program, int width) : program_(program), width_(width) {}

  int scratch_slots() const override { return int(program_.steps.size()); }

  void operator()(double* frame, double* scratch) const override {
    const int places = int(program_.places.size());
    for (size_t i = 0; i < program_.steps.size(); ++i) {
      const Program::Step& s = program_.steps[i];
      for (int lane = 0; lane < width_; ++lane) {
        const auto at = [&](int operand) {
          if (operand >= 0) return scratch[operand * width_ + lane];
          if (operand < -places) return 0.0;
          const Program::Place& p = program_.places[-1 - operand];
          return p.is_constant ? p.value : frame[p.slot * width_ + lane];
        };
        if (s.op == Operation::store)
          frame[s.b * width_ + lane] = at(s.a);
        else
          scratch[i * width_ + lane] = operate(s.op, at(s.a), at(s.b), at(s.c));
      }
    }
  }

 private:
  Program program_;
  int width_;
};

}  // namespace

std::unique_ptr<Runnable> interpreted(const Program& program, Isa isa) {
  return std::make_unique<Interpreted>(program, lanes(isa));
}

}  // namespace aleator::core::detail
