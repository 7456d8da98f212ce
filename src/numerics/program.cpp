#include "numerics/program.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "numerics/register_pressure.hpp"
#include "numerics/rolled_program.hpp"

namespace aleator::core {

namespace {

bool has_operand_c(Operation op) {
  return op == Operation::fused || op == Operation::fused_negated || op == Operation::fused_less || op == Operation::select;
}

// Products that are only ever added to something need not be computed: where the instruction set has it, a b + c is one operation.
class Fusion {
 public:
  // `needed`: [nodes] those a program computes or reads; `leaf`: those it reads.
  Fusion(const Tape& tape, const std::vector<char>& needed, const std::vector<char>& leaf, const std::vector<Store>& stores)
      : tape_(tape), leaf_(leaf), dissolved_(needed.size(), 0) {
    if (!tape.fuses()) return;
    std::vector<int> uses(needed.size(), 0), fused(needed.size(), 0);
    for (const Store& s : stores) ++uses[s.node];
    for (int i = 0; i < int(needed.size()); ++i) {
      if (!needed[i] || leaf[i]) continue;
      const Tape::Node& n = tape.node(i);
      if (n.op == Operation::constant || n.op == Operation::input) continue;
      for (const int child : {n.a, n.b, has_operand_c(n.op) ? n.c : -1})
        if (child >= 0) ++uses[child];
      if (const int product = product_of(n); product >= 0) ++fused[product];
    }
    for (size_t i = 0; i < needed.size(); ++i) dissolved_[i] = fused[i] > 0 && fused[i] == uses[i];
  }

  bool dissolves(int node) const { return dissolved_[node] != 0; }

  // The node as it is computed.
  Tape::Node operator()(int node) const {
    const Tape::Node n = tape_.node(node);
    const int product = product_of(n);
    if (product < 0 || !dissolved_[product]) return n;
    const Tape::Node& p = tape_.node(product);
    const Operation op = n.op == Operation::add ? Operation::fused
                         : product == n.b       ? Operation::fused_negated
                                                : Operation::fused_less;
    return {op, p.a, p.b, product == n.a ? n.b : n.a};
  }

 private:
  // The operand of a sum that is multiplied into it, −1 if there is none.
  int product_of(const Tape::Node& n) const {
    if ((n.op != Operation::add && n.op != Operation::subtract) || n.a == n.b) return -1;
    const auto is_product = [&](int i) { return !leaf_[i] && tape_.node(i).op == Operation::multiply; };
    if (n.op == Operation::subtract && is_product(n.b)) return n.b;
    if (is_product(n.a)) return n.a;
    return is_product(n.b) ? n.b : -1;
  }

  const Tape& tape_;
  const std::vector<char>& leaf_;
  std::vector<char> dissolved_;
};

// Of two orders of a program's steps, the one with fewer transfers between registers and memory is kept: each in the order in which results are
// asked for, or in that of recording, in which an element is done with one Gauss point before it begins with the next.
constexpr int registers = 28;      // of AVX-512, less what instructions take for themselves
constexpr int few_transfers = 16;  // fewer than one in so many steps: the first order will do

// Nodes in the order of recording, without those that are made of a few numbers in memory: these wait until somebody asks for them.
std::vector<int> recorded_order(const Tape& tape, const Fusion& fusion, const std::vector<char>& needed,
                                const std::vector<char>& leaf) {
  constexpr int few = 16;  // operations
  std::vector<int> behind(needed.size(), few), order;
  for (int i = 0; i < int(needed.size()); ++i) {
    if (!needed[i]) continue;
    const Tape::Node n = tape.node(i);
    if (n.op == Operation::constant || n.op == Operation::input || leaf[i]) {
      behind[i] = 0;
      continue;
    }
    int sum = 1;
    for (const int operand : {n.a, n.b, has_operand_c(n.op) ? n.c : -1})
      if (operand >= 0) sum += behind[operand];
    behind[i] = std::min(sum, few);
    if (behind[i] == few && !fusion.dissolves(i)) order.push_back(i);
  }
  return order;
}

// Copies the needed part of a tape, operands before results, in the order in which the stores ask for them: what is computed is
// used soon, and sums of many terms are added up in one go.
class Scheduler {
 public:
  Scheduler(Tape& tape, Program& program, const Fusion* fusion = nullptr)
      : tape_(tape), program_(program), fusion_(fusion), operand_(size_t(tape.size()), unknown) {}

  void read_from(int node, int slot) { operand_[node] = place({false, slot, 0}); }

  int operand(int root) {
    stack_.assign(1, {root, 0});
    while (!stack_.empty()) {
      auto& [node, next] = stack_.back();
      if (operand_[node] != unknown) {
        stack_.pop_back();
        continue;
      }
      const Tape::Node n = fusion_ ? (*fusion_)(node) : tape_.node(node);
      if (n.op == Operation::constant) {
        operand_[node] = place({true, 0, tape_.value(node)});
      } else if (n.op == Operation::input) {
        operand_[node] = place({false, n.a, 0});
      } else if (next < 3) {
        // c first: it is the sum so far
        const int child = next == 0 ? (has_operand_c(n.op) ? n.c : -1) : next == 1 ? n.a : n.b;
        ++next;
        if (child >= 0 && operand_[child] == unknown) stack_.push_back({child, 0});
        continue;
      } else {
        part_ = tape_.part(node);
        operand_[node] = step(n);
      }
      stack_.pop_back();
    }
    return operand_[root];
  }

 private:
  static constexpr int unknown = std::numeric_limits<int>::min();

  int place(const Program::Place& p) {
    program_.places.push_back(p);
    return -int(program_.places.size());
  }
  int constant(double value, int& cached) { return cached != unknown ? cached : cached = place({true, 0, value}); }
  int emit(Operation op, int a, int b = unknown, int c = unknown) {
    program_.steps.push_back({op, a, b, c, part_});
    return int(program_.steps.size()) - 1;
  }
  // Signs are bits.
  int step(const Tape::Node& n) {
    const double sign = -0.0, rest = std::bit_cast<double>(~std::bit_cast<std::uint64_t>(sign));
    const int a = operand_[n.a], b = n.b >= 0 ? operand_[n.b] : unknown;
    switch (n.op) {
      case Operation::negate:
        return emit(Operation::unlike, a, constant(sign, sign_));
      case Operation::magnitude:
        return emit(Operation::both, a, constant(rest, rest_));
      case Operation::copy_sign: {
        const int size = emit(Operation::both, a, constant(rest, rest_)), bit = emit(Operation::both, b, constant(sign, sign_));
        return emit(Operation::either, size, bit);
      }
      default:
        return emit(n.op, a, b, has_operand_c(n.op) ? operand_[n.c] : n.c);
    }
  }

  struct Visit {
    int node, next;
  };
  Tape& tape_;
  Program& program_;
  const Fusion* fusion_;
  std::vector<int> operand_;
  std::vector<Visit> stack_;
  Part part_ = Part::stepping;
  int sign_ = unknown, rest_ = unknown;  // the bit of the sign, and the others
};

// Stores move to the first point at which nobody reads the old content of their slot any more.
void place_stores(Program& p, const std::vector<std::pair<int, int>>& stores) {
  int slots = 0;
  for (const auto& place : p.places) slots = std::max(slots, place.slot + 1);
  for (const auto& [operand, slot] : stores) slots = std::max(slots, slot + 1);
  std::vector<int> last_read(slots, -1);
  std::vector<char> written(slots, 0);
  for (int i = 0; i < int(p.steps.size()); ++i)
    for (const int o : {p.steps[i].a, p.steps[i].b, p.steps[i].c})
      if (o < 0 && o >= -int(p.places.size()) && !p.places[-1 - o].is_constant) last_read[p.places[-1 - o].slot] = i;
  for (const auto& [operand, slot] : stores) written[slot] = 1;

  std::vector<std::vector<std::pair<int, int>>> after(p.steps.size() + 1);  // [1 + step]
  std::vector<Program::Step> steps;
  std::vector<int> moved(p.steps.size());
  std::vector<std::pair<int, int>> last;
  for (const auto& [operand, slot] : stores) {
    if (operand >= 0) {
      after[1 + std::max(operand, last_read[slot])].emplace_back(operand, slot);
      continue;
    }
    const Program::Place& from = p.places[-1 - operand];
    if (from.is_constant || !written[from.slot]) {
      after[1 + last_read[slot]].emplace_back(operand, slot);
    } else if (from.slot != slot) {  // saved before somebody overwrites it
      steps.push_back({Operation::copy, operand, std::numeric_limits<int>::min(), std::numeric_limits<int>::min()});
      last.emplace_back(int(steps.size()) - 1, slot);
    }
  }
  const auto store = [&](int operand, int slot) {
    steps.push_back({Operation::store, operand, slot, std::numeric_limits<int>::min()});
  };
  for (int i = -1; i < int(p.steps.size()); ++i) {
    if (i >= 0) {
      Program::Step s = p.steps[i];
      if (s.a >= 0) s.a = moved[s.a];
      if (s.b >= 0) s.b = moved[s.b];
      if (s.c >= 0) s.c = moved[s.c];
      moved[i] = int(steps.size());
      steps.push_back(s);
    }
    for (const auto& [operand, slot] : after[1 + i]) store(operand >= 0 ? moved[operand] : operand, slot);
  }
  for (const auto& [operand, slot] : last) store(operand, slot);
  p.steps = std::move(steps);
}

}  // namespace

std::array<long, parts> Program::operations_by_part() const {
  std::array<long, parts> n{};
  for (const Step& s : steps) switch (s.op) {
      case Operation::add:
      case Operation::subtract:
      case Operation::multiply:
      case Operation::divide:
      case Operation::square_root:
      case Operation::minimum:
      case Operation::maximum:
        n[int(s.part)] += 1;
        break;
      case Operation::fused:
      case Operation::fused_negated:
      case Operation::fused_less:
        n[int(s.part)] += 2;
        break;
      default:
        break;
    }
  return n;
}

long Program::operations() const {
  long sum = 0;
  for (const long n : operations_by_part()) sum += n;
  return sum;
}

Program::Traffic Program::traffic() const {
  Traffic t;
  std::vector<char> used(places.size(), 0);
  for (const Step& s : steps) {
    if (s.op == Operation::store) ++t.written;
    for (const int o : {s.a, s.op == Operation::store ? s.a : s.b, has_operand_c(s.op) ? s.c : s.a})
      if (o < 0 && o >= -int(places.size())) used[size_t(-1 - o)] = 1;
  }
  for (size_t k = 0; k < places.size(); ++k) t.read += used[k] && !places[k].is_constant;
  return t;
}

int ProgramMaker::hoisted(int node) {
  slot_of_.resize(size_t(tape_.size()), -1);
  if (slot_of_[node] < 0) {
    slot_of_[node] = slots_++;
    taken_out_.push_back({node, slot_of_[node]});
  }
  return slot_of_[node];
}

Program ProgramMaker::make(const std::vector<Store>& stores) {
  // What depends on the realization alone and is used by something that does not is taken out.
  std::vector<char> needed(size_t(tape_.size()), 0), leaf(size_t(tape_.size()), 0);
  std::vector<int> stack, out;
  const auto visit = [&](int n) {
    if (n < 0 || needed[n]) return;
    needed[n] = 1;
    if (tape_.level(n) == Level::realization && tape_.node(n).op != Operation::input)
      leaf[n] = 1, out.push_back(n);
    else
      stack.push_back(n);
  };
  for (const Store& s : stores) visit(s.node);
  while (!stack.empty()) {
    const int at = stack.back();
    const Tape::Node n = tape_.node(at);
    stack.pop_back();
    if (n.op == Operation::constant || n.op == Operation::input) continue;
    visit(n.a), visit(n.b);
    if (has_operand_c(n.op)) visit(n.c);
  }
  const Fusion fusion(tape_, needed, leaf, stores);
  const auto ordered = [&](const std::vector<int>& first) {
    Program p;
    Scheduler scheduler(tape_, p, &fusion);
    for (const int n : out) scheduler.read_from(n, hoisted(n));
    for (const int node : first) scheduler.operand(node);
    std::vector<std::pair<int, int>> places;
    for (const Store& s : stores) places.emplace_back(scheduler.operand(s.node), s.slot);
    place_stores(p, places);
    return p;
  };
  Program by_need = ordered({});
  const long transfers = memory_transfers(by_need, registers);
  if (transfers * few_transfers < long(by_need.steps.size())) return by_need;
  Program as_recorded = ordered(recorded_order(tape_, fusion, needed, leaf));
  return memory_transfers(as_recorded, registers) < transfers ? as_recorded : by_need;
}

Program ProgramMaker::make_in_order(const std::vector<Store>& stores) {
  Program p;
  Scheduler scheduler(tape_, p);
  for (int node = 0; node < tape_.size(); ++node) scheduler.operand(node);
  std::vector<std::pair<int, int>> places;
  for (const Store& s : stores) places.emplace_back(scheduler.operand(s.node), s.slot);
  place_stores(p, places);
  return p;
}

Program ProgramMaker::setup() {
  Program p;
  Scheduler scheduler(tape_, p);
  std::vector<std::pair<int, int>> places;
  for (const Store& s : taken_out_) places.emplace_back(scheduler.operand(s.node), s.slot);
  place_stores(p, places);
  return p;
}

int lanes(Isa isa) { return isa == Isa::avx512 ? 8 : isa == Isa::avx2 ? 4 : isa == Isa::one ? 1 : 2; }
bool fuses(Isa isa) { return isa == Isa::avx2 || isa == Isa::avx512 || isa == Isa::one; }

namespace {
constexpr Isa all_isas[] = {Isa::portable, Isa::v2, Isa::avx2, Isa::avx512};  // that are chosen by name
}

const char* name(Isa isa) {
  constexpr const char* names[] = {"portable", "x86-64-v2", "avx2", "avx512", "one lane"};
  return names[int(isa)];
}

Isa isa_named(const char* word) {
  for (const Isa isa : all_isas)
    if (std::string(name(isa)) == word) return isa;
  throw std::invalid_argument("unknown instruction set '" + std::string(word) + "'");
}

bool available(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::v2) return true;
  if (isa == Isa::avx2 || isa == Isa::one) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (isa == Isa::avx512)
    return available(Isa::avx2) && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
#endif
  return isa == Isa::portable;
}

Isa best_isa() {
  Isa best = Isa::portable;
  for (const Isa isa : all_isas)
    if (available(isa)) best = isa;
  return best;
}

Isa isa_for_one() {
  for (const Isa isa : {Isa::one, Isa::v2})
    if (available(isa)) return isa;
  return Isa::portable;
}

namespace {

// With loops, more results pass through memory. One lane: where the code is in no cache, 3 to 8 times faster. Lanes: twice, where these results stay in
// a cache; else slower.
struct Worth {
  size_t steps, shorter;  // at least, and how many times
  int scratch;            // slots, at most
};

RolledProgram best_form(const Program& program, Isa isa) {
  const Worth worth = isa == Isa::one ? Worth{150'000, 4, std::numeric_limits<int>::max()} : Worth{500'000, 8, 1 << 17};
  if (program.steps.size() < worth.steps) return straight(program);
  RolledProgram r = rolled(program);
  const bool is_worth = worth.shorter * size_t(r.length()) < program.steps.size() && r.scratch <= worth.scratch;
  return is_worth ? r : straight(program);
}

}  // namespace

std::unique_ptr<Runnable> translate(const Program& program, Isa isa) {
  std::unique_ptr<Runnable> r = isa == Isa::portable ? nullptr : detail::machine_code(best_form(program, isa), isa);
  return r ? std::move(r) : detail::interpreted(program, isa);
}

}  // namespace aleator::core
