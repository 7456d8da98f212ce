#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <queue>
#include <stdexcept>

#include <fmt/format.h>

#include "numerics/ptx.hpp"

namespace aleator::core::detail {

namespace {

constexpr std::uint64_t sign_bit = std::uint64_t{1} << 63, all_bits = ~std::uint64_t{0};
constexpr int never = std::numeric_limits<int>::max();

class BodyWriter {
 public:
  BodyWriter(const Program& program, const UniformPart& uniform, const KernelLimits& limits)
      : p_(program),
        uniform_(uniform),
        registers_(limits.registers),
        fast_(limits.fast),
        is_mask_(masks_of(program)),
        steps_(int(program.steps.size())) {
    values_.resize(size_t(steps_) + program.places.size());
    mask_name_.resize(size_t(steps_), -1);
    find_uses();
  }

  PtxBody operator()() {
    for (now_ = 0; now_ < steps_; ++now_)
      if (uniform_.in_lanes(now_)) step(p_.steps[size_t(now_)]);
    body_.spills = spills_;
    return std::move(body_);
  }

 private:
  struct Value {
    int first = 0, end = 0, next = 0;  // uses
    int reg = -1, spill = -1;
  };

  // --- values and where they are ---

  // The result of a step, or a place; −1: a constant or a mask.
  int id(int operand) const {
    if (operand >= 0) return is_mask_[size_t(operand)] ? -1 : operand;
    return constant_of(p_, operand) ? -1 : steps_ + (-1 - operand);
  }
  void find_uses() {
    std::vector<std::pair<int, int>> all;  // value, step
    for (int i = 0; i < steps_; ++i) {
      if (!uniform_.in_lanes(i)) continue;
      for (const int operand : operands_of(p_, p_.steps[size_t(i)]))
        if (const int v = id(operand); v >= 0) all.emplace_back(v, i);
    }
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    for (const auto& [v, i] : all) {
      Value& value = values_[size_t(v)];
      if (value.end == 0) value.first = value.next = int(uses_.size());
      uses_.push_back(i);
      value.end = int(uses_.size());
    }
  }
  int next_use(const Value& v) const { return v.next < v.end ? uses_[size_t(v.next)] : never; }
  // It can be read again from where it came from.
  bool comes_again(int v) const { return v >= steps_ || uniform_.column_of_step(v) >= 0; }

  int new_number() { return body_.numbers++; }
  void hold(int v, int reg) {
    values_[size_t(v)].reg = reg;
    held_.push_back(v);
  }
  void release(int v) {
    Value& value = values_[size_t(v)];
    if (value.reg >= 0) value.reg = -1, held_.erase(std::find(held_.begin(), held_.end(), v));
    if (value.spill >= 0) free_.push(value.spill), value.spill = -1;
  }
  bool is_locked(int v) const { return std::find(locked_.begin(), locked_.end(), v) != locked_.end(); }

  // One more value fits.
  void make_room(int staying) {
    while (int(held_.size()) - staying >= registers_) {
      int last = -1, when = -1;
      for (const int v : held_)
        if (const int next = next_use(values_[size_t(v)]); !is_locked(v) && next > when) last = v, when = next;
      if (last < 0) return;
      Value& value = values_[size_t(last)];
      if (when != never && !comes_again(last) && value.spill < 0) {
        if (free_.empty()) free_.push(spills_++);
        value.spill = free_.top(), free_.pop();
        add(PtxLine::store_spill, value.spill, number(value.reg));
      }
      value.reg = -1;
      held_.erase(std::find(held_.begin(), held_.end(), last));
    }
  }
  void fetch(int v) {
    Value& value = values_[size_t(v)];
    if (value.reg >= 0) return;
    make_room(0);
    const int reg = new_number();
    if (value.spill >= 0) {
      add(PtxLine::load_spill, value.spill, number(reg));
    } else {
      const int column = v < steps_ ? uniform_.column_of_step(v) : uniform_.column_of_place(v - steps_);
      if (column >= 0)
        text("ld.global.nc.f64 {}, [%u+{}];", number(reg), 8 * column);
      else
        add(PtxLine::load_slot, p_.places[size_t(v - steps_)].slot, number(reg));
    }
    hold(v, reg);
  }

  // --- text ---

  void add(PtxLine::Kind kind, int index, std::string words) { body_.lines.push_back({kind, index, std::move(words)}); }
  template <class... A>
  void text(fmt::format_string<A...> format, A&&... a) {
    add(PtxLine::text, 0, fmt::format(format, std::forward<A>(a)...));
  }
  static std::string number(int reg) { return fmt::format("%d{}", reg); }
  static std::string bits_of(std::uint64_t bits) { return fmt::format("0d{:016X}", bits); }
  std::string word() { return fmt::format("%b{}", body_.words++); }
  std::string mask(int reg) const { return fmt::format("%q{}", reg); }
  static std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }

  // An operand as a number: of a mask all its bits.
  std::string value(int operand) {
    if (const Program::Place* c = constant_of(p_, operand)) return bits_of(bits(c->value));
    if (operand >= 0 && is_mask_[size_t(operand)]) {
      const std::string w = word();
      std::string x = number(new_number());
      text("selp.b64 {}, 0x{:016X}, 0x{:016X}, {};", w, all_bits, 0, mask(mask_name_[size_t(operand)]));
      text("mov.b64 {}, {};", x, w);
      return x;
    }
    return number(values_[size_t(id(operand))].reg);
  }
  bool is_constant(int operand, std::uint64_t what) const {
    const Program::Place* c = constant_of(p_, operand);
    return c && bits(c->value) == what;
  }

  void step(const Program::Step& s) {
    locked_.clear();
    for (const int operand : operands_of(p_, s))
      if (const int v = id(operand); v >= 0 && !is_locked(v)) locked_.push_back(v);
    for (const int v : locked_) fetch(v);
    if (s.op == Operation::store) {
      add(PtxLine::store_slot, s.b, value(s.a));
    } else if (is_mask_[size_t(now_)]) {
      mask_name_[size_t(now_)] = body_.masks++;
      make_mask(s);
    } else {
      int dying = 0;
      for (const int v : locked_) dying += values_[size_t(v)].next + 1 >= values_[size_t(v)].end;
      make_room(dying);
      const int result = new_number();
      compute(s, number(result));
      if (values_[size_t(now_)].end > values_[size_t(now_)].first) hold(now_, result);
    }
    for (const int v : locked_)
      if (Value& value = values_[size_t(v)]; ++value.next >= value.end) release(v);
  }

  // --- masks ---

  // A mask, or which constant one it is. One that depends on the realization alone comes from a slot.
  std::string mask_of(int operand, int& constant) {
    constant = -1;
    if (const Program::Place* c = constant_of(p_, operand)) {
      if (bits(c->value) != 0 && bits(c->value) != all_bits) throw std::logic_error("a number used as a mask");
      constant = bits(c->value) != 0;
      return {};
    }
    if (operand >= 0 && is_mask_[size_t(operand)]) return mask(mask_name_[size_t(operand)]);
    const std::string w = word();
    std::string m = mask(body_.masks++);
    text("mov.b64 {}, {};", w, value(operand));
    text("setp.ne.b64 {}, {}, 0x{:016X};", m, w, 0);
    return m;
  }
  void make_mask(const Program::Step& s) {
    const std::string to = mask(mask_name_[size_t(now_)]);
    if (s.op == Operation::less || s.op == Operation::less_equal || s.op == Operation::equal) {
      const char* how = s.op == Operation::less ? "lt" : s.op == Operation::less_equal ? "le" : "eq";
      return text("setp.{}.f64 {}, {}, {};", how, to, value(s.a), value(s.b));
    }
    int known = -1, other = -1;
    std::string a = mask_of(s.a, known);
    const std::string b = mask_of(s.b, other);
    if (known < 0 && other < 0) {
      const char* how = s.op == Operation::both ? "and" : s.op == Operation::either ? "or" : "xor";
      return text("{}.pred {}, {}, {};", how, to, a, b);
    }
    if (known >= 0) a = b;
    const bool constant = std::max(known, other) != 0;
    if (s.op == Operation::unlike) {
      constant ? text("not.pred {}, {};", to, a) : text("mov.pred {}, {};", to, a);
    } else if (constant == (s.op == Operation::both)) {
      text("mov.pred {}, {};", to, a);
    } else {  // false & a, true | a
      text("setp.eq.u32 {}, {}, 0;", to, constant ? 0 : 1);
    }
  }

  // --- numbers ---

  void compute(const Program::Step& s, const std::string& to) {
    switch (s.op) {
      case Operation::copy:
        return text("mov.f64 {}, {};", to, value(s.a));
      case Operation::add:
        return text("add.rn.f64 {}, {}, {};", to, value(s.a), value(s.b));
      case Operation::subtract:
        return text("sub.rn.f64 {}, {}, {};", to, value(s.a), value(s.b));
      case Operation::multiply:
        return text("mul.rn.f64 {}, {}, {};", to, value(s.a), value(s.b));
      case Operation::divide:
        if (fast_) return divide(s, to);
        if (is_constant(s.a, bits(1.0))) return text("rcp.rn.f64 {}, {};", to, in_register(s.b));
        return text("div.rn.f64 {}, {}, {};", to, value(s.a), value(s.b));
      case Operation::square_root:
        if (fast_) return square_root(s, to);
        return text("sqrt.rn.f64 {}, {};", to, in_register(s.a));
      case Operation::fused:
        return text("fma.rn.f64 {}, {}, {}, {};", to, value(s.a), value(s.b), value(s.c));
      case Operation::fused_negated:
        return text("fma.rn.f64 {}, {}, {}, {};", to, negated(s.a), value(s.b), value(s.c));
      case Operation::fused_less:
        return text("fma.rn.f64 {}, {}, {}, {};", to, value(s.a), value(s.b), negated(s.c));
      case Operation::minimum:
      case Operation::maximum: {
        const std::string a = value(s.a), b = value(s.b), other = mask(body_.masks++);
        s.op == Operation::minimum ? text("setp.lt.f64 {}, {}, {};", other, b, a) : text("setp.lt.f64 {}, {}, {};", other, a, b);
        return text("selp.f64 {}, {}, {}, {};", to, b, a, other);
      }
      case Operation::select: {
        int constant = -1;
        const std::string which = mask_of(s.a, constant);
        if (constant >= 0) return text("mov.f64 {}, {};", to, value(constant ? s.b : s.c));
        return text("selp.f64 {}, {}, {}, {};", to, value(s.b), value(s.c), which);
      }
      case Operation::raise:
        return shifted("shl", 52, s, to);
      case Operation::lower:
        return shifted("shr", 52, s, to);
      case Operation::half_up:
        return shifted("shl", 32, s, to);
      case Operation::half_down:
        return shifted("shr", 32, s, to);
      case Operation::add_words:
        return of_words("add.u64", word_of(s.a), word_of(s.b), to);
      case Operation::multiply_words:
        return of_words("mul.wide.u32", lower_half(s.a), lower_half(s.b), to);
      default:
        return bitwise(s, to);
    }
  }
  // From what the device knows of 1/b, 20 bits, by Newton's iteration: r ← r + r (1 − b r). A divisor that is 0 or infinite gives no number.
  void divide(const Program::Step& s, const std::string& to) {
    const std::string b = in_register(s.b), minus = number(new_number());
    std::string r = number(new_number());
    text("rcp.approx.ftz.f64 {}, {};", r, b);
    text("neg.f64 {}, {};", minus, b);
    for (int k = 0; k < 2; ++k) {
      const std::string open = number(new_number()), next = number(new_number());
      text("fma.rn.f64 {}, {}, {}, {};", open, minus, r, bits_of(bits(1.0)));
      text("fma.rn.f64 {}, {}, {}, {};", next, r, open, r);
      r = next;
    }
    if (is_constant(s.a, bits(1.0))) return text("mov.f64 {}, {};", to, r);
    text("mul.rn.f64 {}, {}, {};", to, value(s.a), r);
  }
  // √a = a/√a: r ← r + r (½ − ½ a r²), twice. Of 0, 0.
  void square_root(const Program::Step& s, const std::string& to) {
    const std::string a = in_register(s.a), half = number(new_number()), root = number(new_number()), none = mask(body_.masks++);
    std::string r = number(new_number());
    text("rsqrt.approx.ftz.f64 {}, {};", r, a);
    text("mul.rn.f64 {}, {}, {};", half, a, bits_of(bits(-0.5)));
    for (int k = 0; k < 2; ++k) {
      const std::string part = number(new_number()), open = number(new_number()), next = number(new_number());
      text("mul.rn.f64 {}, {}, {};", part, half, r);
      text("fma.rn.f64 {}, {}, {}, {};", open, part, r, bits_of(bits(0.5)));
      text("fma.rn.f64 {}, {}, {}, {};", next, r, open, r);
      r = next;
    }
    text("mul.rn.f64 {}, {}, {};", root, a, r);
    text("setp.eq.f64 {}, {}, {};", none, a, bits_of(0));
    text("selp.f64 {}, {}, {}, {};", to, a, root, none);
  }
  std::string in_register(int operand) {
    if (!constant_of(p_, operand)) return value(operand);
    std::string x = number(new_number());
    text("mov.f64 {}, {};", x, value(operand));
    return x;
  }
  std::string negated(int operand) {
    if (const Program::Place* c = constant_of(p_, operand)) return bits_of(bits(c->value) ^ sign_bit);
    std::string x = number(new_number());
    text("neg.f64 {}, {};", x, value(operand));
    return x;
  }
  void bitwise(const Program::Step& s, const std::string& to) {
    for (const auto& [x, other] : {std::pair(s.a, s.b), std::pair(s.b, s.a)}) {
      if (constant_of(p_, x)) continue;
      if (s.op == Operation::unlike && is_constant(other, sign_bit)) return text("neg.f64 {}, {};", to, value(x));
      if (s.op == Operation::both && is_constant(other, ~sign_bit)) return text("abs.f64 {}, {};", to, value(x));
    }
    of_words(s.op == Operation::both     ? "and.b64"
             : s.op == Operation::either ? "or.b64"
                                         : "xor.b64",
             word_of(s.a), word_of(s.b), to);
  }

  // --- whole numbers ---

  std::string word_of(int operand) {
    if (const Program::Place* c = constant_of(p_, operand)) return fmt::format("0x{:016X}", bits(c->value));
    std::string w = word();
    text("mov.b64 {}, {};", w, value(operand));
    return w;
  }
  std::string lower_half(int operand) {
    if (const Program::Place* c = constant_of(p_, operand)) return fmt::format("0x{:08X}", std::uint32_t(bits(c->value)));
    std::string half = fmt::format("%h{}", body_.halves++);
    text("cvt.u32.u64 {}, {};", half, word_of(operand));
    return half;
  }
  void of_words(const char* how, const std::string& a, const std::string& b, const std::string& to) {
    const std::string result = word();
    text("{} {}, {}, {};", how, result, a, b);
    text("mov.b64 {}, {};", to, result);
  }
  void shifted(const char* how, int places, const Program::Step& s, const std::string& to) {
    const std::string from = word_of(s.a), moved = word();
    text("{}.b64 {}, {}, {};", how, moved, from, places);
    text("mov.b64 {}, {};", to, moved);
  }

  const Program& p_;
  const UniformPart& uniform_;
  int registers_;
  bool fast_;
  std::vector<char> is_mask_;
  int steps_, now_ = 0, spills_ = 0;
  std::vector<Value> values_;  // results of steps, then places
  std::vector<int> uses_;      // steps that use a value
  std::vector<int> held_;      // values in registers
  std::vector<int> locked_;    // operands of the step under way
  std::vector<int> mask_name_;
  std::priority_queue<int, std::vector<int>, std::greater<>> free_;  // spills: the lowest are used most
  PtxBody body_;
};

}  // namespace

PtxBody ptx_body(const Program& program, const UniformPart& uniform, const KernelLimits& limits) {
  return BodyWriter(program, uniform, limits)();
}

}  // namespace aleator::core::detail
