#include "numerics/register_pressure.hpp"

#include <algorithm>
#include <limits>

#include "numerics/uniform_part.hpp"

namespace aleator::core {

namespace {

constexpr int never = std::numeric_limits<int>::max();

class Registers {
 public:
  Registers(const Program& p, int count) : program_(p), held_(size_t(count), -1), value_(p.steps.size()) {
    std::vector<int> uses(p.steps.size() + 1, 0);
    each_use([&](int, int v) { ++uses[size_t(v) + 1]; });
    for (size_t v = 0; v < p.steps.size(); ++v) uses[v + 1] += uses[v];
    at_.resize(size_t(uses.back()));
    for (size_t v = 0; v < p.steps.size(); ++v) value_[v].next = value_[v].end = uses[v];
    each_use([&](int step, int v) { at_[size_t(value_[size_t(v)].end++)] = step; });
  }

  long transfers() {
    for (int i = 0; i < int(program_.steps.size()); ++i) {
      const Program::Step& s = program_.steps[size_t(i)];
      const Operands operands = operands_of(program_, s);
      for (const int v : operands)
        if (v >= 0 && !value_[size_t(v)].is_held) ++count_, hold(v, i);
      for (const int v : operands)
        if (v >= 0) release(v, i);
      if (s.op == Operation::store) {
        if (s.a >= 0) value_[size_t(s.a)].is_in_memory = true;
      } else if (value_[size_t(i)].next < value_[size_t(i)].end) {
        hold(i, i);
      }
    }
    return count_;
  }

 private:
  struct Value {
    int next = 0, end = 0;  // at_[next … end[ are steps that use it
    bool is_held = false, is_in_memory = false;
  };
  template <class F>
  void each_use(F&& f) const {
    for (size_t i = 0; i < program_.steps.size(); ++i)
      for (const int v : operands_of(program_, program_.steps[i]))
        if (v >= 0) f(int(i), v);
  }
  int next_use(int v) const {
    const Value& x = value_[size_t(v)];
    return x.next < x.end ? at_[size_t(x.next)] : never;
  }
  // The operands of the step under way are needed now, so that they are not given up.
  void hold(int v, int now) {
    size_t best = 0;
    int furthest = -1;
    for (size_t r = 0; r < held_.size(); ++r) {
      if (held_[r] < 0) {
        best = r, furthest = -1;
        break;
      }
      if (const int use = next_use(held_[r]); use > furthest && use != now) best = r, furthest = use;
    }
    if (held_[best] >= 0) {
      Value& out = value_[size_t(held_[best])];
      if (!out.is_in_memory) ++count_, out.is_in_memory = true;
      out.is_held = false;
    }
    held_[best] = v;
    value_[size_t(v)].is_held = true;
  }
  void release(int v, int now) {
    Value& x = value_[size_t(v)];
    while (x.next < x.end && at_[size_t(x.next)] <= now) ++x.next;
    if (x.next < x.end || !x.is_held) return;
    x.is_held = false;
    std::replace(held_.begin(), held_.end(), v, -1);
  }

  const Program& program_;
  std::vector<int> held_;  // [registers] the value in it, −1: none
  std::vector<Value> value_;
  std::vector<int> at_;
  long count_ = 0;
};

}  // namespace

long memory_transfers(const Program& program, int registers) { return Registers(program, registers).transfers(); }

}  // namespace aleator::core
