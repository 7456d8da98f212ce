#include "numerics/tape.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "base/cancellation.hpp"
#include "numerics/scalar.hpp"

namespace aleator::core {

namespace {

thread_local Tape* current_tape = nullptr;

double mask_value(bool x) { return std::bit_cast<double>(x ? ~std::uint64_t{0} : std::uint64_t{0}); }

std::uint64_t mixed(std::uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 29);
}
std::uint64_t hash(const Tape::Node& n) {
  const auto u = [](int i) { return std::uint64_t(std::uint32_t(i)); };
  const int a = n.op == Operation::constant ? 0 : n.a;  // constants are told apart by their bits, b and c
  return mixed(mixed(u(int(n.op)) | u(a) << 32) + mixed(u(n.b) | u(n.c) << 32) * 3);
}

bool commutes(Operation op) {
  return op == Operation::add || op == Operation::multiply || op == Operation::equal || op == Operation::both ||
         op == Operation::either || op == Operation::unlike || op == Operation::add_words || op == Operation::multiply_words;
}

}  // namespace

Tape::Tape(bool fused) : fused_(fused), table_(1 << 12, -1) { constant(0); }  // node 0 is zero, and the mask `false`

int Tape::intern(Node n, Level level) {
  if (2 * nodes_.size() > table_.size()) grow();
  const std::size_t last = table_.size() - 1;
  for (std::size_t at = hash(n) & last;; at = (at + 1) & last) {
    if (table_[at] < 0) {
      if (nodes_.size() % 65536 == 0) throw_if_cancelled();  // a large mechanism takes seconds
      nodes_.push_back(n);
      levels_.push_back(level);
      parts_.push_back(part_);
      return table_[at] = size() - 1;
    }
    const Node& m = nodes_[table_[at]];
    const bool same_a = m.a == n.a || n.op == Operation::constant;
    if (m.op == n.op && same_a && m.b == n.b && m.c == n.c) return table_[at];
  }
}

void Tape::grow() {
  table_.assign(2 * table_.size(), -1);
  const std::size_t last = table_.size() - 1;
  for (int i = 0; i < size(); ++i) {
    std::size_t at = hash(nodes_[i]) & last;
    while (table_[at] >= 0) at = (at + 1) & last;
    table_[at] = i;
  }
}

int Tape::constant(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const int before = size();
  const int at = intern({Operation::constant, int(values_.size()), int(std::uint32_t(bits)), int(std::uint32_t(bits >> 32))},
                        Level::constant);
  if (at == before) values_.push_back(value);
  return at;
}

Part Tape::set_part(Part part) { return std::exchange(part_, part); }

int Tape::mask(bool value) { return constant(mask_value(value)); }

int Tape::input(int slot, Level level) { return intern({Operation::input, slot, -1, -1}, level); }

int Tape::folded(Operation op, int a, int b, int c) {
  const auto at = [&](int i) { return i < 0 ? 0.0 : value(i); };
  const double x = at(a), y = at(b), z = at(c);
  const auto bits = [](double v) { return std::bit_cast<std::uint64_t>(v); };
  switch (op) {
    case Operation::add:
      return constant(x + y);
    case Operation::subtract:
      return constant(x - y);
    case Operation::multiply:
      return constant(x * y);
    case Operation::divide:
      return constant(x / y);
    case Operation::negate:
      return constant(-x);
    case Operation::fused:
      return constant(std::fma(x, y, z));
    case Operation::fused_negated:
      return constant(std::fma(-x, y, z));
    case Operation::square_root:
      return constant(std::sqrt(x));
    case Operation::magnitude:
      return constant(std::abs(x));
    case Operation::minimum:
      return constant(y < x ? y : x);
    case Operation::maximum:
      return constant(x < y ? y : x);
    case Operation::copy_sign:
      return constant(std::copysign(x, y));
    case Operation::less:
      return mask(x < y);
    case Operation::less_equal:
      return mask(x <= y);
    case Operation::equal:
      return mask(x == y);
    case Operation::both:
      return constant(std::bit_cast<double>(bits(x) & bits(y)));
    case Operation::either:
      return constant(std::bit_cast<double>(bits(x) | bits(y)));
    case Operation::unlike:
      return constant(std::bit_cast<double>(bits(x) ^ bits(y)));
    case Operation::raise:
      return constant(std::bit_cast<double>(bits(x) << 52));
    case Operation::lower:
      return constant(std::bit_cast<double>(bits(x) >> 52));
    case Operation::add_words:
      return constant(add_words(x, y));
    case Operation::multiply_words:
      return constant(multiply_words(x, y));
    case Operation::half_up:
      return constant(half_up(x));
    case Operation::half_down:
      return constant(half_down(x));
    default:
      return -1;
  }
}

int Tape::simplified(Operation op, int a, int b, int c) {
  const auto negated = [&](int i) { return nodes_[i].op == Operation::negate ? nodes_[i].a : -1; };
  const int na = negated(a), nb = b >= 0 ? negated(b) : -1;
  switch (op) {
    case Operation::add:
      if (is(a, 0)) return b;
      if (is(b, 0)) return a;
      if (nb >= 0) return record(Operation::subtract, a, nb);
      if (na >= 0) return record(Operation::subtract, b, na);
      return -1;
    case Operation::subtract:
      if (is(b, 0)) return a;
      if (is(a, 0)) return record(Operation::negate, b);
      if (nb >= 0) return record(Operation::add, a, nb);
      return -1;
    case Operation::multiply:
      if (is(a, 0) || is(b, 0)) return constant(0);
      if (is(a, 1)) return b;
      if (is(b, 1)) return a;
      if (is(a, -1)) return record(Operation::negate, b);
      if (is(b, -1)) return record(Operation::negate, a);
      if (na >= 0 && nb >= 0) return record(Operation::multiply, na, nb);
      if (na >= 0) return record(Operation::negate, record(Operation::multiply, na, b));
      if (nb >= 0) return record(Operation::negate, record(Operation::multiply, a, nb));
      return -1;
    case Operation::divide:
      if (is(a, 0)) return constant(0);
      if (is(b, 1)) return a;
      return -1;
    case Operation::negate:
      if (na >= 0) return na;
      if (nodes_[a].op == Operation::subtract) return record(Operation::subtract, nodes_[a].b, nodes_[a].a);
      return -1;
    case Operation::fused:
      if (is(a, 0) || is(b, 0)) return c;
      if (is(c, 0)) return record(Operation::multiply, a, b);
      if (is(a, 1)) return record(Operation::add, b, c);
      if (is(b, 1)) return record(Operation::add, a, c);
      if (na >= 0) return record(Operation::fused_negated, na, b, c);
      if (nb >= 0) return record(Operation::fused_negated, a, nb, c);
      return -1;
    case Operation::fused_negated:
      if (is(a, 0) || is(b, 0)) return c;
      if (is(c, 0)) return record(Operation::negate, record(Operation::multiply, a, b));
      if (is(a, 1)) return record(Operation::subtract, c, b);
      if (is(b, 1)) return record(Operation::subtract, c, a);
      if (na >= 0) return record(Operation::fused, na, b, c);
      if (nb >= 0) return record(Operation::fused, a, nb, c);
      return -1;
    case Operation::magnitude:
      return na >= 0 ? record(Operation::magnitude, na) : -1;
    case Operation::minimum:
    case Operation::maximum:
      return a == b ? a : -1;
    case Operation::both:
      if (a == 0 || b == 0) return 0;
      if (a == b || b == mask(true)) return a;
      return a == mask(true) ? b : -1;
    case Operation::either:
      if (a == 0 || a == b) return b;
      if (b == 0) return a;
      return a == mask(true) || b == mask(true) ? mask(true) : -1;
    case Operation::unlike:
      if (a == 0) return b;
      return b == 0 ? a : -1;
    case Operation::add_words:
      if (a == 0) return b;
      return b == 0 ? a : -1;
    case Operation::multiply_words:
      return a == 0 || b == 0 ? 0 : -1;
    case Operation::select:
      if (b == c) return b;
      if (a == 0) return c;
      return a == mask(true) ? b : -1;
    default:
      return -1;
  }
}

int Tape::record(Operation op, int a, int b, int c) {
  if (op != Operation::select && is_constant(a) && (b < 0 || is_constant(b)) && (c < 0 || is_constant(c)))
    return folded(op, a, b, c);
  if (const int s = simplified(op, a, b, c); s >= 0) return s;
  if ((commutes(op) || op == Operation::fused || op == Operation::fused_negated) && a > b) std::swap(a, b);
  Level level = levels_[a];
  if (b >= 0) level = std::max(level, levels_[b]);
  if (c >= 0) level = std::max(level, levels_[c]);
  return intern({op, a, b, c}, level);
}

int Tape::multiply_add(int a, int b, int c) {
  return fused_ ? record(Operation::fused, a, b, c) : record(Operation::add, record(Operation::multiply, a, b), c);
}

Tape& Tape::current() {
  if (!current_tape) throw std::logic_error("a traced number outside a recording");
  return *current_tape;
}

Tape::Recording::Recording(Tape& tape) : before_(current_tape) { current_tape = &tape; }
Tape::Recording::~Recording() { current_tape = before_; }

}  // namespace aleator::core
