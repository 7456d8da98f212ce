// Programs as machine code of x86-64: SSE (2 lanes), AVX2 with FMA (4 lanes, or one: its scalar instructions), AVX-512 (8).
//
// The body of a loop has no branches, so the best register allocation is known: the value that is needed last goes to memory first
// (Belady). Operands that are needed only once come from memory as part of the instruction. Between turns nothing stays in registers but, of each
// stride, how far it has come.
//
// Instructions of AVX-512 have one byte for a displacement of ±128 operands, four for others. In straight code, general registers therefore point into
// the middle of the windows of 256 operands that were used last: the code of long programs is a sixth shorter.
#include "numerics/rolled_program.hpp"

#if defined(__x86_64__)

#include <xbyak/xbyak.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>

#include "base/aligned.hpp"
#include "base/cancellation.hpp"
#include "numerics/large_code.hpp"

namespace aleator::core::detail {

namespace {

constexpr int never = std::numeric_limits<int>::max();
// A value in memory that is needed again within so many steps is loaded into a register.
constexpr int soon = 48;

class Emitter : public Xbyak::CodeGenerator {
 public:
  Emitter(const RolledProgram& rolled, Isa isa)
      : CodeGenerator(4096, Xbyak::AutoGrow),
        rolled_(rolled),
        isa_(isa),
        bytes_(8 * lanes(isa)),
        wide_(isa == Isa::avx512 || (isa == Isa::one && available(Isa::avx512))),
        registers_(wide_ ? 32 : 16) {
    lay_out_constants();
    prologue();
    for (size_t k = 0; k < rolled.loops.size(); ++k) emit(k);
    epilogue();
    ready(Xbyak::CodeArray::PROTECT_RE);
  }

  int scratch_slots() const { return rolled_.scratch + most_spills_; }
  const AlignedVector<double>& pool() const { return pool_; }

 private:
  using Xmm = Xbyak::Xmm;
  using Reach = RolledProgram::Reach;
  struct Value {
    int reg = -1;
    int spill = -1;         // slot of the scratch
    int slot = -1;          // slot of the frame, or of what passes through the scratch, that holds it
    int constant = -1;      // index in the pool
    Reach reach;            // of slot or constant
    int next = 0, end = 0;  // uses_[next … end[ are to come
    bool in_memory() const { return spill >= 0 || slot >= 0 || constant >= 0; }
  };

  int id(int operand) const { return operand >= 0 ? operand : steps_ - 1 - operand; }
  static bool is_operand(const Program::Step& s, int which) {
    if (which == 0) return true;
    if (which == 1) return s.op != Operation::store && s.b != std::numeric_limits<int>::min();
    return s.op == Operation::fused || s.op == Operation::fused_negated || s.op == Operation::fused_less ||
           s.op == Operation::select;
  }
  static int operand(const Program::Step& s, int which) { return which == 0 ? s.a : which == 1 ? s.b : s.c; }

  void find_uses() {
    std::vector<int> count(value_.size() + 1, 0);
    for (const auto& s : loop_->body.steps)
      for (int k = 0; k < 3; ++k)
        if (is_operand(s, k)) ++count[id(operand(s, k))];
    int at = 0;
    for (size_t v = 0; v < value_.size(); ++v) {
      value_[v].next = value_[v].end = at;
      at += count[v];
    }
    uses_.resize(at);
    for (int i = 0; i < steps_; ++i)
      for (int k = 0; k < 3; ++k)
        if (is_operand(loop_->body.steps[size_t(i)], k)) uses_[value_[id(operand(loop_->body.steps[size_t(i)], k))].end++] = i;
  }

  // One number per constant where an instruction can spread it over the lanes, W copies elsewhere.
  void lay_out_constants() {
    copies_ = isa_ == Isa::avx512 ? 1 : lanes(isa_);  // one lane: one
    for (const double x : rolled_.table) pool_.insert(pool_.end(), size_t(copies_), x);
    for (const RolledProgram::Loop& l : rolled_.loops) {
      first_constant_.push_back(int(pool_.size()));
      for (const Program::Place& p : l.body.places)
        if (p.is_constant) pool_.insert(pool_.end(), size_t(copies_), p.value);
    }
    if (pool_.empty()) pool_.resize(8);
  }

  // --- loops --------------------------------------------------------------------------------------------------------------
  void begin(size_t k) {
    loop_ = &rolled_.loops[k];
    steps_ = int(loop_->body.steps.size());
    value_.assign(loop_->body.steps.size() + loop_->body.places.size(), {});
    held_.assign(size_t(registers_), -1);
    free_spills_.clear(), freed_now_.clear();
    spills_ = 0, locked_ = 0;
    for (Window& w : windows_) w.array = -1, w.used = 0;  // a loop uses their registers for something else
    int constant = first_constant_[k];
    for (size_t i = 0; i < loop_->body.places.size(); ++i) {
      Value& v = value_[size_t(steps_) + i];
      v.reach = loop_->places[i];
      const Program::Place& p = loop_->body.places[i];
      if (p.is_constant)
        v.constant = constant, constant += copies_;
      else if (v.reach.where == Reach::table)
        v.constant = p.slot * copies_;
      else
        v.slot = p.slot;
    }
    find_uses();
    strides_.clear();
    for (const Reach& r : loop_->places) add_stride(r);
    for (const Reach& r : loop_->stores) add_stride(r);
  }
  void emit(size_t k) {
    begin(k);
    Xbyak::Label turn;
    if (loop_->turns > 1) {
      for (size_t i = 0; i < strides_.size(); ++i) xor_(Xbyak::Reg32(distance(i).getIdx()), Xbyak::Reg32(distance(i).getIdx()));
      mov(r15d, loop_->turns);
      L(turn);
    }
    for (now_ = 0; now_ < steps_; ++now_) {
      if (now_ % 4096 == 0) throw_if_cancelled();
      emit(loop_->body.steps[size_t(now_)]);
    }
    most_spills_ = std::max(most_spills_, spills_);
    if (loop_->turns > 1) {
      for (size_t i = 0; i < strides_.size(); ++i) add(distance(i), strides_[i]);
      dec(r15d);
      jnz(turn, T_NEAR);
    }
  }
  // How far the places of a stride have moved is in a register.
  int stride_in_bytes(const Reach& r) const { return r.stride * (r.where == Reach::table ? 8 * copies_ : bytes_); }
  void add_stride(const Reach& r) {
    if (r.stride == 0 || std::find(strides_.begin(), strides_.end(), stride_in_bytes(r)) != strides_.end()) return;
    if (strides_.size() == size_t(most_strides)) throw std::logic_error("machine code: too many strides");
    strides_.push_back(stride_in_bytes(r));
  }
  Xbyak::Reg64 distance(size_t i) const {
    constexpr int registers[most_strides] = {0, 1, 2, 6, 7, 8, 9, 10, 11, 14};  // rax, rcx, rdx, rsi, rdi, r8 … r11, r14
    return Xbyak::Reg64(registers[i]);
  }
  // An operand of an array that begins at `start`; the address is good for the next few operands.
  Xbyak::RegExp at(const Xbyak::Reg64& start, int index, int bytes, const Reach& r) {
    const Xbyak::RegExp there = start + size_t(std::int64_t(index) * bytes);
    if (r.stride != 0) {
      const auto it = std::find(strides_.begin(), strides_.end(), stride_in_bytes(r));
      return there + Xbyak::RegExp(distance(size_t(it - strides_.begin())));
    }
    return isa_ == Isa::avx512 && loop_->turns == 1 ? in_window(start, index, bytes) : there;
  }
  Xbyak::RegExp at_slot(int slot, const Reach& r) { return at(r.where == Reach::frame ? rbx : r13, slot, bytes_, r); }

  struct Window {
    int pointer;                 // register
    int array = -1, number = 0;  // the register of the array's beginning; [256 number, 256 number + 256[
    long used = 0;
  };
  Xbyak::RegExp in_window(const Xbyak::Reg64& start, int index, int bytes) {
    constexpr int length = 256;
    const int number = index / length;
    Window* best = windows_;
    for (Window& w : windows_) {
      if (w.array == start.getIdx() && w.number == number) {
        best = &w;
        break;
      }
      if (w.used < best->used) best = &w;
    }
    if (best->array != start.getIdx() || best->number != number) {
      best->array = start.getIdx(), best->number = number;
      lea(Xbyak::Reg64(best->pointer), ptr[start + (number * length + length / 2) * bytes]);
    }
    best->used = ++clock_;
    return Xbyak::Reg64(best->pointer) + (index - number * length - length / 2) * bytes;
  }

  // --- registers ----------------------------------------------------------------------------------------------------------
  Xmm reg(int r) const {
    return Xmm(isa_ == Isa::avx512 ? Xbyak::Operand::ZMM : isa_ == Isa::avx2 ? Xbyak::Operand::YMM : Xbyak::Operand::XMM, r);
  }
  int next_use(const Value& v, int after) const {
    int k = v.next;
    while (k < v.end && uses_[k] <= after) ++k;
    return k < v.end ? uses_[k] : never;
  }
  bool dies(const Value& v) const { return next_use(v, now_) == never; }

  Xbyak::Address memory(const Value& v, bool spread) {
    if (v.slot >= 0) return ptr[at_slot(v.slot, v.reach)];
    if (v.spill >= 0) return ptr[at_slot(rolled_.scratch + v.spill, {Reach::scratch, 0})];
    if (isa_ == Isa::avx512 && spread) return ptr_b[at(r12, v.constant, 8, v.reach)];
    return ptr[at(r12, v.constant, 8, v.reach)];
  }
  void move(const Xmm& to, const Xbyak::Operand& from) {
    if (isa_ == Isa::v2)
      movapd(to, from);
    else if (isa_ == Isa::one && from.isMEM())
      vmovsd(to, static_cast<const Xbyak::Address&>(from));
    else
      vmovapd(to, from);
  }
  void put(const Xbyak::Address& to, const Xmm& from) {
    if (isa_ == Isa::v2)
      movapd(to, from);
    else if (isa_ == Isa::one)
      vmovsd(to, from);
    else
      vmovapd(to, from);
  }
  void load_into(int r, const Value& v) {
    if (v.reg >= 0)
      move(reg(r), reg(v.reg));
    else if (v.constant >= 0 && v.slot < 0 && v.spill < 0 && isa_ == Isa::avx512)
      vbroadcastsd(Xbyak::Zmm(r), memory(v, false));
    else
      move(reg(r), memory(v, false));
  }

  void spill(Value& v) {
    if (!v.in_memory()) {
      if (free_spills_.empty()) {
        v.spill = spills_++;
      } else {
        v.spill = free_spills_.back();
        free_spills_.pop_back();
      }
      put(memory(v, false), reg(v.reg));
    }
    held_[v.reg] = -1;
    v.reg = -1;
  }
  int free_register() {
    int worst = -1, furthest = -1;
    for (int r = 0; r < registers_; ++r) {
      if (locked_ >> r & 1) continue;
      if (held_[r] < 0) return r;
      const int use = next_use(value_[held_[r]], now_ - 1);
      if (use > furthest) worst = r, furthest = use;
    }
    if (worst < 0) throw std::logic_error("machine code: out of registers");
    spill(value_[held_[worst]]);
    return worst;
  }
  void hold(int v, int r) {
    held_[r] = v;
    value_[v].reg = r;
  }
  void lock(int r) { locked_ |= 1u << r; }
  int load(int v) {
    if (value_[v].reg < 0) {
      const int r = free_register();
      load_into(r, value_[v]);
      hold(v, r);
    }
    lock(value_[v].reg);
    return value_[v].reg;
  }
  // As the last operand of an instruction: from memory when it is not needed again soon.
  bool stays_in_memory(int v) const {
    if (value_[v].reg >= 0) return false;
    const int next = next_use(value_[v], now_);
    return next == never || next - now_ > soon;
  }
  // Operands that are not needed any more give their registers away.
  void release_dead(const Program::Step& s) {
    for (int k = 0; k < 3; ++k) {
      if (!is_operand(s, k)) continue;
      Value& v = value_[id(operand(s, k))];
      while (v.next < v.end && uses_[v.next] <= now_) ++v.next;
      if (v.next < v.end) continue;
      if (v.reg >= 0) held_[v.reg] = -1, v.reg = -1;
      if (v.spill >= 0) freed_now_.push_back(v.spill), v.spill = -1;
    }
  }
  // Registers of operands that die may become the result's: an instruction reads before it writes.
  int result_register(const Program::Step& s) {
    release_dead(s);
    locked_ = 0;
    const int r = free_register();
    hold(now_, r);
    return r;
  }

  // --- instructions -------------------------------------------------------------------------------------------------------
  void emit(const Program::Step& s) {
    locked_ = 0;
    free_spills_.insert(free_spills_.end(), freed_now_.begin(), freed_now_.end());
    freed_now_.clear();
    switch (s.op) {
      case Operation::store: {
        Value& v = value_[id(s.a)];
        const int r = load(id(s.a));
        const Reach& reach = loop_->stores[size_t(now_)];
        put(ptr[at_slot(s.b, reach)], reg(r));
        if (!v.in_memory()) v.slot = s.b, v.reach = reach;  // no other store goes there
        release_dead(s);
        break;
      }
      case Operation::copy: {
        const int r = free_register();
        load_into(r, value_[id(s.a)]);
        release_dead(s);
        hold(now_, r);
        break;
      }
      case Operation::fused:
      case Operation::fused_negated:
      case Operation::fused_less:
        fused(s);
        break;
      case Operation::select:
        select(s);
        break;
      case Operation::raise:
      case Operation::lower:
      case Operation::half_up:
      case Operation::half_down: {
        const int a = load(id(s.a));
        const int r = result_register(s);
        const bool up = s.op == Operation::raise || s.op == Operation::half_up;
        const int by = s.op == Operation::raise || s.op == Operation::lower ? 52 : 32;
        if (isa_ == Isa::v2) {
          if (r != a) movapd(reg(r), reg(a));
          up ? psllq(reg(r), by) : psrlq(reg(r), by);
        } else {
          up ? vpsllq(reg(r), reg(a), by) : vpsrlq(reg(r), reg(a), by);
        }
        break;
      }
      case Operation::square_root: {
        const int a = load(id(s.a));
        const int r = result_register(s);
        if (isa_ == Isa::one)
          vsqrtsd(reg(r), reg(a), reg(a));
        else
          isa_ == Isa::v2 ? sqrtpd(reg(r), reg(a)) : vsqrtpd(reg(r), reg(a));
        break;
      }
      default:
        binary(s);
    }
    if (value_[now_].reg >= 0 && value_[now_].next == value_[now_].end) held_[value_[now_].reg] = -1, value_[now_].reg = -1;
  }

  static bool commutes(Operation op) {
    return op == Operation::add || op == Operation::multiply || op == Operation::equal || op == Operation::both ||
           op == Operation::either || op == Operation::unlike || op == Operation::add_words || op == Operation::multiply_words;
  }

  // Of these there is no scalar instruction: one of two lanes would read beyond its operand.
  static bool is_bitwise(Operation op) {
    return op == Operation::both || op == Operation::either || op == Operation::unlike || op == Operation::add_words ||
           op == Operation::multiply_words;
  }

  void binary(const Program::Step& s) {
    int a = id(s.a), b = id(s.b);
    // x86 returns the second operand when they are equal or not ordered
    if (s.op == Operation::minimum || s.op == Operation::maximum) std::swap(a, b);
    if (commutes(s.op) && value_[a].reg < 0 && value_[b].reg >= 0) std::swap(a, b);
    if (commutes(s.op) && isa_ == Isa::v2 && value_[a].reg >= 0 && value_[b].reg >= 0 && !dies(value_[a]) && dies(value_[b]))
      std::swap(a, b);
    const int ra = load(a);
    const bool from_memory = a != b && stays_in_memory(b) && !(isa_ == Isa::one && is_bitwise(s.op));
    if (!from_memory) load(b);
    if (isa_ == Isa::v2) return binary_in_place(s, a, b, from_memory);
    if (from_memory) {
      const Xbyak::Address m = memory(value_[b], true);
      const int r = result_register(s);
      operate(s.op, reg(r), reg(ra), m);
    } else {
      const int rb = value_[b].reg;
      const int r = result_register(s);
      operate(s.op, reg(r), reg(ra), reg(rb));
    }
  }

  void binary_in_place(const Program::Step& s, int a, int b, bool from_memory) {
    const int ra = value_[a].reg;
    int r = ra;
    if (!dies(value_[a])) {
      r = free_register();
      move(reg(r), reg(ra));
    }
    if (from_memory)
      operate_in_place(s.op, reg(r), memory(value_[b], false));
    else
      operate_in_place(s.op, reg(r), reg(value_[b].reg));
    if (r == ra) held_[ra] = -1, value_[a].reg = -1;
    release_dead(s);
    hold(now_, r);
  }

  void operate(Operation op, const Xmm& r, const Xmm& a, const Xbyak::Operand& b) {
    switch (op) {
      case Operation::add:
        return isa_ == Isa::one ? vaddsd(r, a, b) : vaddpd(r, a, b);
      case Operation::subtract:
        return isa_ == Isa::one ? vsubsd(r, a, b) : vsubpd(r, a, b);
      case Operation::multiply:
        return isa_ == Isa::one ? vmulsd(r, a, b) : vmulpd(r, a, b);
      case Operation::divide:
        return isa_ == Isa::one ? vdivsd(r, a, b) : vdivpd(r, a, b);
      case Operation::minimum:
        return isa_ == Isa::one ? vminsd(r, a, b) : vminpd(r, a, b);
      case Operation::maximum:
        return isa_ == Isa::one ? vmaxsd(r, a, b) : vmaxpd(r, a, b);
      case Operation::both:
        return vandpd(r, a, b);
      case Operation::either:
        return vorpd(r, a, b);
      case Operation::unlike:
        return vxorpd(r, a, b);
      case Operation::add_words:
        return vpaddq(r, a, b);
      case Operation::multiply_words:
        return vpmuludq(r, a, b);
      default:
        return compare(op, r, a, b);
    }
  }
  void compare(Operation op, const Xmm& r, const Xmm& a, const Xbyak::Operand& b) {
    const std::uint8_t how = op == Operation::less ? 0x11 : op == Operation::less_equal ? 0x12 : 0x00;  // quiet
    if (wide_) {
      isa_ == Isa::one ? vcmpsd(k1, a, b, how) : vcmppd(k1, a, b, how);
      vpmovm2q(r, k1);
    } else {
      isa_ == Isa::one ? vcmpsd(r, a, b, how) : vcmppd(r, a, b, how);
    }
  }
  void operate_in_place(Operation op, const Xmm& r, const Xbyak::Operand& b) {
    switch (op) {
      case Operation::add:
        return addpd(r, b);
      case Operation::subtract:
        return subpd(r, b);
      case Operation::multiply:
        return mulpd(r, b);
      case Operation::divide:
        return divpd(r, b);
      case Operation::minimum:
        return minpd(r, b);
      case Operation::maximum:
        return maxpd(r, b);
      case Operation::both:
        return andpd(r, b);
      case Operation::either:
        return orpd(r, b);
      case Operation::unlike:
        return xorpd(r, b);
      case Operation::add_words:
        return paddq(r, b);
      case Operation::multiply_words:
        return pmuludq(r, b);
      default:
        return cmppd(r, b, op == Operation::less ? 1 : op == Operation::less_equal ? 2 : 0);
    }
  }

  // a b + c: the result takes the register of an operand that dies.
  void fused(const Program::Step& s) {
    int a = id(s.a), b = id(s.b);
    const int c = id(s.c);
    if (value_[a].reg < 0 && value_[b].reg >= 0) std::swap(a, b);
    const int ra = load(a);
    const bool c_dies = dies(value_[c]) || value_[c].reg < 0;
    if (c_dies || (!dies(value_[a]) && !dies(value_[b]))) {  // 231: c ← a b + c
      const bool from_memory = a != b && stays_in_memory(b);
      if (!from_memory) load(b);
      int rc = value_[c].reg;
      const bool takes_over = rc >= 0 && dies(value_[c]) && c != a && c != b;
      if (!takes_over) {
        if (rc >= 0) lock(rc);
        const int r = free_register();
        load_into(r, value_[c]);
        rc = r;
      } else {
        held_[rc] = -1, value_[c].reg = -1;
      }
      const auto accumulate = [&](const Xbyak::Operand& x) {
        const bool one = isa_ == Isa::one;
        if (s.op == Operation::fused)
          one ? vfmadd231sd(reg(rc), reg(ra), x) : vfmadd231pd(reg(rc), reg(ra), x);
        else if (s.op == Operation::fused_negated)
          one ? vfnmadd231sd(reg(rc), reg(ra), x) : vfnmadd231pd(reg(rc), reg(ra), x);
        else
          one ? vfmsub231sd(reg(rc), reg(ra), x) : vfmsub231pd(reg(rc), reg(ra), x);
      };
      if (from_memory)
        accumulate(memory(value_[b], true));
      else
        accumulate(reg(value_[b].reg));
      release_dead(s);
      hold(now_, rc);
      return;
    }
    // 213: a ← a b + c with a that dies
    lock(value_[c].reg);
    const int rb = load(b);
    int multiplied = a, other = rb;
    if (!dies(value_[a])) multiplied = b, other = ra;
    const int r = value_[multiplied].reg;
    const Xmm third = reg(value_[c].reg);
    const bool one = isa_ == Isa::one;
    if (s.op == Operation::fused)
      one ? vfmadd213sd(reg(r), reg(other), third) : vfmadd213pd(reg(r), reg(other), third);
    else if (s.op == Operation::fused_negated)
      one ? vfnmadd213sd(reg(r), reg(other), third) : vfnmadd213pd(reg(r), reg(other), third);
    else
      one ? vfmsub213sd(reg(r), reg(other), third) : vfmsub213pd(reg(r), reg(other), third);
    held_[r] = -1, value_[multiplied].reg = -1;
    release_dead(s);
    hold(now_, r);
  }

  void select(const Program::Step& s) {
    const int m = id(s.a), a = id(s.b), b = id(s.c);
    const int rm = load(m), ra = load(a), rb = load(b);
    const int r = free_register();
    if (wide_) {
      move(reg(r), reg(rm));
      vpternlogq(reg(r), reg(ra), reg(rb), 0xca);
    } else if (isa_ == Isa::avx2 || isa_ == Isa::one) {
      vblendvpd(reg(r), reg(rb), reg(ra), reg(rm));
    } else {  // b ^ ((a ^ b) & m)
      move(reg(r), reg(ra));
      xorpd(reg(r), reg(rb));
      andpd(reg(r), reg(rm));
      xorpd(reg(r), reg(rb));
    }
    release_dead(s);
    hold(now_, r);
  }

  void prologue() {
    push(rbp);
    mov(rbp, rsp);
    push(rbx);
    push(r12);
    push(r13);
    push(r14);
    push(r15);
    sub(rsp, 8);
    mov(rbx, rdi);
    mov(r13, rsi);
    mov(r12, reinterpret_cast<size_t>(pool_.data()));
  }
  void epilogue() {
    if (isa_ != Isa::v2) vzeroupper();
    add(rsp, 8);
    pop(r15);
    pop(r14);
    pop(r13);
    pop(r12);
    pop(rbx);
    pop(rbp);
    ret();
  }

  const RolledProgram& rolled_;
  const RolledProgram::Loop* loop_ = nullptr;  // under way
  Isa isa_;
  int bytes_;
  bool wide_;  // the instructions of AVX-512: 32 registers, masks of their own
  int registers_, steps_ = 0, copies_ = 1;
  std::vector<int> first_constant_;  // [loops] in the pool
  std::vector<int> strides_;         // of the loop, in bytes
  std::vector<Value> value_;         // results of steps, then places
  std::vector<int> held_;            // [registers] the value in it, −1: none
  std::vector<int> uses_;            // steps that use a value
  std::vector<int> free_spills_;
  std::vector<int> freed_now_;  // may still be an operand of the instruction under way
  AlignedVector<double> pool_;
  // all that a callee may change
  Window windows_[9] = {{Xbyak::Operand::RAX}, {Xbyak::Operand::RCX}, {Xbyak::Operand::RDX},
                        {Xbyak::Operand::RSI}, {Xbyak::Operand::RDI}, {Xbyak::Operand::R8},
                        {Xbyak::Operand::R9},  {Xbyak::Operand::R10}, {Xbyak::Operand::R11}};
  long clock_ = 0;
  int spills_ = 0, most_spills_ = 0, now_ = 0;
  std::uint32_t locked_ = 0;
};

constexpr size_t large = size_t{1} << 20;  // bytes of code

// Code refers to itself nowhere: a copy of it does the same.
class MachineCode final : public Runnable {
 public:
  MachineCode(RolledProgram program, Isa isa)
      : program_(std::move(program)),
        emitter_(program_, isa),
        copy_(emitter_.getCode(), emitter_.getSize() >= large ? emitter_.getSize() : 0) {
    const void* const code = copy_.data() ? copy_.data() : emitter_.getCode();
    run_ = reinterpret_cast<void (*)(double*, double*)>(reinterpret_cast<std::uintptr_t>(code));
  }
  void operator()(double* frame, double* scratch) const override { run_(frame, scratch); }
  int scratch_slots() const override { return emitter_.scratch_slots(); }

 private:
  RolledProgram program_;
  Emitter emitter_;
  LargeCode copy_;
  void (*run_)(double*, double*);
};

}  // namespace

std::unique_ptr<Runnable> machine_code(RolledProgram program, Isa isa) {
  try {
    return std::make_unique<MachineCode>(std::move(program), isa);
  } catch (const Xbyak::Error&) {  // memory that may be executed is refused
    return nullptr;
  }
}

}  // namespace aleator::core::detail

#else

namespace aleator::core::detail {
std::unique_ptr<Runnable> machine_code(RolledProgram, Isa) { return nullptr; }
}  // namespace aleator::core::detail

#endif
