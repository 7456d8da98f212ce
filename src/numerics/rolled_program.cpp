#include "numerics/rolled_program.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <tuple>

#include "numerics/repeated_steps.hpp"
#include "numerics/uniform_part.hpp"

namespace aleator::core {

namespace {

using Reach = RolledProgram::Reach;
using Loop = RolledProgram::Loop;
constexpr int none = std::numeric_limits<int>::min();  // no operand: below all places

// Slots of the scratch, in pieces that are free again after their last segment.
class Room {
 public:
  int take(int size, int last_segment) {
    if (size == 0) return 0;
    auto best = free_.end();
    for (auto it = free_.begin(); it != free_.end(); ++it)
      if (it->second >= size && (best == free_.end() || it->second < best->second)) best = it;
    int at = end_;
    if (best == free_.end()) {
      end_ += size;
    } else {
      at = best->first;
      const int rest = best->second - size;
      free_.erase(best);
      if (rest > 0) free_.emplace(at + size, rest);
    }
    taken_.push_back({at, size, last_segment});
    return at;
  }
  void begin(int segment) {
    std::erase_if(taken_, [&](const Taken& t) {
      if (t.last >= segment) return false;
      auto [it, is_new] = free_.emplace(t.at, t.size);
      if (const auto after = std::next(it); after != free_.end() && it->first + it->second == after->first)
        it->second += after->second, free_.erase(after);
      if (it != free_.begin())
        if (const auto before = std::prev(it); before->first + before->second == it->first)
          before->second += it->second, free_.erase(it);
      return true;
    });
  }
  int end() const { return end_; }

 private:
  struct Taken {
    int at, size, last;
  };
  std::map<int, int> free_;  // slot → slots
  std::vector<Taken> taken_;
  int end_ = 0;
};

// A segment of the program: straight, or a loop.
struct Segment {
  int first, length, turns;
  int end() const { return first + length * turns; }
};

// The program of a segment while it is written.
struct Writing {
  Loop loop;
  std::map<std::tuple<bool, int, int, int, std::uint64_t>, int> known;
  std::map<int, int> step_of;  // of the whole program → of the body

  int place(const Program::Place& p, Reach r = {}) {
    const auto [it, is_new] = known.try_emplace({p.is_constant, int(r.where), r.stride, p.is_constant ? 0 : p.slot,
                                                 p.is_constant ? std::bit_cast<std::uint64_t>(p.value) : 0},
                                                int(loop.body.places.size()));
    if (is_new) loop.body.places.push_back(p), loop.places.push_back(r);
    return -1 - it->second;
  }
  int add(const Program::Step& s, Reach store = {}) {
    loop.body.steps.push_back(s), loop.stores.push_back(store);
    return int(loop.body.steps.size()) - 1;
  }
  void store(int operand, int slot, Reach r, Part part) { add({Operation::store, operand, slot, none, part}, r); }
};

class Roller {
 public:
  explicit Roller(const Program& p) : p_(p), segment_of_(p.steps.size()), at_(p.steps.size(), nowhere) {
    int from = 0;
    const auto straight_until = [&](int to) { segments_.push_back({from, to - from, 1}); };
    for (const Repetition& r : repeated_steps(p)) {
      straight_until(r.first);
      segments_.push_back({r.first, r.length, r.turns});
      from = r.end();
    }
    straight_until(int(p.steps.size()));
    for (size_t g = 0; g < segments_.size(); ++g)
      std::fill(segment_of_.begin() + segments_[g].first, segment_of_.begin() + segments_[g].end(), int(g));
    find_passing();
  }

  RolledProgram operator()() {
    for (int g = 0; g < int(segments_.size()); g += 2) {
      room_.begin(g);
      straight(g);
      if (g + 1 < int(segments_.size())) loop(g + 1);
      finish(before_);
      if (g + 1 < int(segments_.size())) finish(now_);
    }
    out_.scratch = room_.end();
    return std::move(out_);
  }

 private:
  // --- what passes from segment to segment ----------------------------------------------------------------------------------

  // Of a step, in its turn: how far results are needed.
  struct Passing {
    int last = -1;        // segment that needs it beyond its own; −1: none
    bool of_all = false;  // turns, not of the last one alone
  };
  int position(int step) const {
    const Segment& s = segments_[size_t(segment_of_[size_t(step)])];
    return (step - s.first) % s.length;
  }
  int turn(int step) const {
    const Segment& s = segments_[size_t(segment_of_[size_t(step)])];
    return (step - s.first) / s.length;
  }
  bool is_loop(int g) const { return segments_[size_t(g)].turns > 1; }
  bool is_moved_out(int g, int position) const { return std::ranges::binary_search(moved_out_[size_t(g)], position); }
  int stride_of_store(int g, int position) const {
    const Segment& s = segments_[size_t(g)];
    return p_.steps[size_t(s.first + s.length + position)].b - p_.steps[size_t(s.first + position)].b;
  }
  Operands operands(int step) const { return operands_of(p_, p_.steps[size_t(step)]); }

  void find_passing() {
    passing_.resize(p_.steps.size());
    moved_out_.resize(segments_.size());
    for (size_t g = 0; g < segments_.size(); ++g) {
      if (!is_loop(int(g))) continue;
      const Segment& s = segments_[g];
      constexpr size_t most = 3;  // strides of stores
      std::vector<int> strides;
      for (int q = 0; q < s.length; ++q) {
        if (p_.steps[size_t(s.first + q)].op != Operation::store) continue;
        const auto slot = [&](int k) { return p_.steps[size_t(s.first + k * s.length + q)].b; };
        const int stride = slot(1) - slot(0);
        bool regular = true;
        for (int k = 2; k < s.turns; ++k) regular = regular && slot(k) - slot(k - 1) == stride;
        if (regular && std::find(strides.begin(), strides.end(), stride) == strides.end()) {
          regular = strides.size() < most;
          if (regular) strides.push_back(stride);
        }
        if (!regular) moved_out_[g].push_back(q);
      }
    }
    for (int i = 0; i < int(p_.steps.size()); ++i) {
      const int g = segment_of_[size_t(i)];
      const bool later = is_moved_out(g, position(i));
      for (const int x : operands(i)) {
        if (x < 0) continue;
        const int from = segment_of_[size_t(x)];
        // What comes before a loop is copied for it, where need be, by the straight code before; what is moved out of it, by that after.
        if (from == g && !(later && is_loop(g))) continue;
        Passing& p = passing_[size_t(segments_[size_t(from)].first + position(x))];
        p.last = std::max(p.last, later ? g + 1 : g);
        p.of_all = p.of_all || turn(x) + 1 < segments_[size_t(from)].turns;
      }
    }
  }
  const Passing& passing(int step) const {
    return passing_[size_t(segments_[size_t(segment_of_[size_t(step)])].first + position(step))];
  }

  // --- where things are -----------------------------------------------------------------------------------------------------

  static constexpr int nowhere = -1;
  struct Location {
    Reach::Where where;
    int slot;
  };
  // Of a result of an earlier segment, or of a place.
  Location location(int operand) const {
    if (operand < 0) return {Reach::frame, p_.places[size_t(-1 - operand)].slot};
    return {Reach::scratch, at_[size_t(operand)]};
  }
  bool is_constant(int operand) const { return constant_of(p_, operand) != nullptr; }
  // As straight code reads it.
  int read(Writing& w, int operand) {
    if (const Program::Place* c = constant_of(p_, operand)) return w.place(*c);
    if (operand >= 0)
      if (const auto it = w.step_of.find(operand); it != w.step_of.end()) return it->second;
    const Location l = location(operand);
    return w.place({false, l.slot, 0}, {l.where, 0});
  }

  // --- straight code --------------------------------------------------------------------------------------------------------

  void straight(int g) {
    before_ = {};
    if (g > 0)
      for (const int q : moved_out_[size_t(g) - 1]) {
        const Segment& s = segments_[size_t(g) - 1];
        for (int k = 0; k < s.turns; ++k) {
          const Program::Step& step = p_.steps[size_t(s.first + k * s.length + q)];
          before_.store(read(before_, step.a), step.b, {}, step.part);
        }
      }
    const Segment& s = segments_[size_t(g)];
    for (int i = s.first; i < s.end(); ++i) {
      take(before_, i, [&](int x) { return read(before_, x); });
      if (const Passing& p = passing(i); p.last >= 0) {
        at_[size_t(i)] = room_.take(1, p.last);
        before_.store(before_.step_of[i], at_[size_t(i)], {Reach::scratch, 0}, p_.steps[size_t(i)].part);
      }
    }
  }
  template <class F>
  void take(Writing& w, int i, const F& operand, Reach store = {}) {
    Program::Step s = p_.steps[size_t(i)];
    const Operands o = operands(i);
    int* const to[] = {&s.a, &s.b, &s.c};
    for (int k = 0; k < o.count; ++k) *to[k] = operand(o.at[k]);
    for (int k = o.count; k < 3; ++k)
      if (!(s.op == Operation::store && k == 1)) *to[k] = none;
    const int at = w.add(s, store);
    if (s.op != Operation::store) w.step_of[i] = at;
  }

  // --- loops ----------------------------------------------------------------------------------------------------------------

  void loop(int g) {
    const Segment& s = segments_[size_t(g)];
    here_ = g;
    now_ = {};
    now_.loop.turns = s.turns;
    strides_.clear();
    carried_.clear(), gathered_.clear();
    give_places(g);
    for (int q = 0; q < s.length; ++q) {
      if (is_moved_out(g, q)) continue;
      const int i = s.first + q;
      Reach reach;
      if (p_.steps[size_t(i)].op == Operation::store) reach.stride = stride_of_store(g, q);
      int k = -1;
      take(
          now_, i, [&](int) { return operand_in_loop(g, q, ++k); }, reach);
      if (const Passing& p = passing(i); p.last >= 0) {
        const Reach to{Reach::scratch, p.of_all ? at_[size_t(i + s.length)] - at_[size_t(i)] : 0};
        now_.store(now_.step_of[i], at_[size_t(i)], to, p_.steps[size_t(i)].part);
      }
    }
    for (const auto& [key, slot] : carried_)
      now_.store(now_.step_of.at(s.first + key.first), slot, {Reach::scratch, 0}, p_.steps[size_t(s.first + key.first)].part);
    copy_gathered(g);
  }

  // Results that are needed later, turn by turn, side by side; those of the last turn alone in one slot each.
  void give_places(int g) {
    const Segment& s = segments_[size_t(g)];
    int width = 0, last = -1;
    for (int q = 0; q < s.length; ++q)
      if (const Passing& p = passing_[size_t(s.first + q)]; p.last >= 0 && p.of_all) ++width, last = std::max(last, p.last);
    int at = room_.take(width * s.turns, last);
    for (int q = 0; q < s.length; ++q) {
      const Passing& p = passing_[size_t(s.first + q)];
      if (p.last < 0) continue;
      const int slot = p.of_all ? at++ : room_.take(1, p.last);
      for (int k = 0; k < s.turns; ++k) at_[size_t(s.first + k * s.length + q)] = slot + (p.of_all ? k * width : 0);
    }
    if (width > 0) allow({Reach::scratch, width});
    for (int q = 0; q < s.length; ++q)
      if (p_.steps[size_t(s.first + q)].op == Operation::store && !is_moved_out(g, q))
        allow({Reach::frame, stride_of_store(g, q)});
  }

  // Whether a loop may have this stride, too.
  bool allow(Reach r) {
    if (r.stride == 0) return true;
    const std::pair<bool, int> key{r.where == Reach::table, r.stride};
    if (std::find(strides_.begin(), strides_.end(), key) != strides_.end()) return true;
    if (int(strides_.size()) >= most_strides - 1) return false;  // one is left for what is gathered
    strides_.push_back(key);
    return true;
  }

  int operand_in_loop(int g, int q, int which) {
    const Segment& s = segments_[size_t(g)];
    const auto at = [&](int k) { return operands(s.first + k * s.length + q).at[which]; };
    const int first = at(0), second = at(1);
    if (first >= s.first) return now_.step_of.at(first);
    if (second >= s.first) return carried(second - s.first, first);
    bool constants = true, same = true;
    for (int k = 0; k < s.turns; ++k) {
      constants = constants && is_constant(at(k));
      same = same && constants && std::bit_cast<std::uint64_t>(constant(at(k))) == std::bit_cast<std::uint64_t>(constant(first));
    }
    if (constants && same) return now_.place(*constant_of(p_, first));
    if (constants && allow({Reach::table, 1})) {
      std::vector<double> numbers;
      for (int k = 0; k < s.turns; ++k) numbers.push_back(constant(at(k)));
      return now_.place({false, in_table(numbers), 0}, {Reach::table, 1});
    }
    if (!is_constant(first) && !is_constant(second)) {
      const Location a = location(first), b = location(second);
      const int stride = b.slot - a.slot;
      bool regular = a.where == b.where;
      for (int k = 2; k < s.turns && regular; ++k) {
        const Location l = is_constant(at(k)) ? Location{Reach::table, 0} : location(at(k));
        regular = l.where == a.where && l.slot == a.slot + k * stride;
      }
      if (regular && allow({a.where, stride})) return now_.place({false, a.slot, 0}, {a.where, stride});
    }
    std::vector<int> all;
    for (int k = 0; k < s.turns; ++k) all.push_back(at(k));
    const int column = gathered_.try_emplace(std::move(all), int(gathered_.size())).first->second;
    return now_.place({false, column, 0}, {Reach::scratch, to_be_gathered});
  }
  double constant(int operand) const { return constant_of(p_, operand)->value; }
  int in_table(const std::vector<double>& numbers) {
    std::vector<std::uint64_t> bits;
    for (const double x : numbers) bits.push_back(std::bit_cast<std::uint64_t>(x));
    const auto [it, is_new] = tables_.try_emplace(std::move(bits), int(out_.table.size()));
    if (is_new) out_.table.insert(out_.table.end(), numbers.begin(), numbers.end());
    return it->second;
  }

  // Of the turn before: the step at `position`; of the first turn, what the code before the loop leaves there.
  int carried(int position, int initial) {
    const auto [it, is_new] = carried_.try_emplace({position, initial}, 0);
    if (is_new) {
      it->second = room_.take(1, here_);
      before_.store(read(before_, initial), it->second, {Reach::scratch, 0}, Part::stepping);
    }
    return now_.place({false, it->second, 0}, {Reach::scratch, 0});
  }

  // What lies at unequal distances is copied by the code before the loop.
  void copy_gathered(int g) {
    const int width = int(gathered_.size());
    if (width == 0) return;
    const int turns = segments_[size_t(g)].turns, at = room_.take(width * turns, g);
    for (const auto& [all, column] : gathered_)
      for (int k = 0; k < turns; ++k)
        before_.store(read(before_, all[size_t(k)]), at + k * width + column, {Reach::scratch, 0}, Part::stepping);
    for (size_t k = 0; k < now_.loop.places.size(); ++k)
      if (now_.loop.places[k] == Reach{Reach::scratch, to_be_gathered})
        now_.loop.places[k].stride = width, now_.loop.body.places[k].slot += at;
  }

  void finish(Writing& w) {
    if (!w.loop.body.steps.empty()) out_.loops.push_back(std::move(w.loop));
  }

  static constexpr int to_be_gathered = none;
  const Program& p_;
  std::vector<Segment> segments_;            // straight and loops in turn, beginning and ending with straight code
  std::vector<int> segment_of_;              // [steps]
  std::vector<Passing> passing_;             // [steps] of the first turn
  std::vector<std::vector<int>> moved_out_;  // [segments] positions of stores that the code after a loop does
  std::vector<int> at_;                      // [steps] slot through which a result passes
  Room room_;
  int here_ = 0;                                // the loop under way
  Writing before_, now_;                        // the straight code before a loop, and the loop
  std::vector<std::pair<bool, int>> strides_;   // of the loop: of the table?, how long
  std::map<std::pair<int, int>, int> carried_;  // position, what the first turn reads instead → slot
  std::map<std::vector<int>, int> gathered_;    // [turns] operands → column
  std::map<std::vector<std::uint64_t>, int> tables_;
  RolledProgram out_;
};

}  // namespace

long RolledProgram::length() const {
  long sum = 0;
  for (const Loop& l : loops) sum += long(l.body.steps.size());
  return sum;
}

RolledProgram straight(const Program& program) {
  RolledProgram r;
  r.loops.push_back({program, std::vector<Reach>(program.places.size()), std::vector<Reach>(program.steps.size())});
  return r;
}

RolledProgram rolled(const Program& program) { return Roller(program)(); }

}  // namespace aleator::core
