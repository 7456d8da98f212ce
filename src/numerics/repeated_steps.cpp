#include "numerics/repeated_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <unordered_map>

#include "numerics/uniform_part.hpp"

namespace aleator::core {

namespace {

constexpr int gram = 12;           // steps by which a repetition is recognised
constexpr int longest = 1 << 14;   // steps of a turn
constexpr int candidates = 16;     // places looked at
constexpr int shortest = 48;       // steps of a turn: the loop itself takes instructions, too
constexpr long least_saving = 96;  // steps
constexpr long effort = 100;       // comparisons a step, of all steps, after which no more are looked for
constexpr int irregular = 8;       // at most one operand in so many steps may lie elsewhere than expected: it has to be copied

class Finder {
 public:
  explicit Finder(const Program& p) : p_(p), n_(int(p.steps.size())) {
    operands_.reserve(p.steps.size());
    std::vector<std::uint64_t> kind;
    for (const Program::Step& s : p.steps) {
      operands_.push_back(operands_of(p, s));
      std::uint64_t k = std::uint64_t(s.op);
      for (const int x : operands_.back()) k = 3 * k + (x >= 0 ? 1 : 2);
      kind.push_back(k);
    }
    for (int i = 0; i + gram <= n_; ++i) {
      std::uint64_t h = 0xcbf29ce484222325u;
      for (int t = 0; t < gram; ++t) h = (h ^ kind[size_t(i + t)]) * 0x100000001b3u;
      grams_.push_back(h);
      at_[h].push_back(i);
    }
  }

  std::vector<Repetition> operator()() {
    std::vector<Repetition> all;
    for (int i = 0; i < int(grams_.size()) && compared_ < effort * n_;) {
      const Repetition best = from(i);
      if (best.turns > 1) all.push_back(best);
      i = best.turns > 1 ? best.end() : i + 1;
    }
    return all;
  }

 private:
  Repetition from(int first) {
    Repetition best{first, 0, 1};
    long saved = least_saving;
    const std::vector<int>& where = at_.at(grams_[size_t(first)]);
    auto next = std::upper_bound(where.begin(), where.end(), first);
    for (int tried = 0; next != where.end() && tried < candidates; ++next, ++tried) {
      int length = *next - first;
      if (length > longest) break;
      if (length < shortest) length *= (shortest + length - 1) / length;
      const int turns = turns_of(first, length);
      if (const long now = long(turns - 1) * length; now > saved + saved / 16) saved = now, best = {first, length, turns};
    }
    return best;
  }

  int turns_of(int first, int length) {
    if (first + 2 * length > n_) return 1;
    step_.assign(3 * size_t(length), 0);
    int turn = 1;
    for (; first + (turn + 1) * length <= n_; ++turn) {
      odd_.clear();
      for (int p = 0; p < length; ++p, ++compared_)
        if (!goes_on(first, length, turn, first + turn * length + p)) return turn;
      std::sort(odd_.begin(), odd_.end());
      if (std::unique(odd_.begin(), odd_.end()) - odd_.begin() > length / irregular) return turn;
    }
    return turn;
  }

  // Whether a step does in its turn what it did in the one before.
  bool goes_on(int first, int length, int turn, int now) {
    const Program::Step &a = p_.steps[size_t(now - length)], &b = p_.steps[size_t(now)];
    const Operands &before = operands_[size_t(now - length)], &here = operands_[size_t(now)];
    if (a.op != b.op || before.count != here.count) return false;
    int* const expected = &step_[3 * size_t(now - first - turn * length)];
    for (int k = 0; k < here.count; ++k) {
      const int x = here.at[k], y = before.at[k];
      if ((x >= 0) != (y >= 0)) return false;
      if (x >= first) {  // of the loop: of this turn, or of the one before
        const int back = turn - (x - first) / length;
        if (back > 1 || (back == 1 && turn == 1 ? y >= first : y != x - length)) return false;
        continue;
      }
      if (x >= 0 && y >= first) return false;
      const int distance = x >= 0 ? x - y : distance_of_places(x, y);
      if (turn == 1)
        expected[k] = distance;
      else if (distance != expected[k])
        odd_.push_back(x);
    }
    if (b.op == Operation::store) {
      const int distance = b.b - a.b;
      if (turn == 1)
        expected[2] = distance;
      else if (distance != expected[2])
        odd_.push_back(now);
    }
    return true;
  }
  int distance_of_places(int x, int y) const {
    const Program::Place &a = p_.places[size_t(-1 - y)], &b = p_.places[size_t(-1 - x)];
    return a.is_constant || b.is_constant ? 0 : b.slot - a.slot;
  }

  const Program& p_;
  int n_;
  std::vector<Operands> operands_;
  std::vector<std::uint64_t> grams_;                        // [steps]
  std::unordered_map<std::uint64_t, std::vector<int>> at_;  // steps at which a gram begins
  std::vector<int> step_;                                   // [length][3] distances from turn to turn
  long compared_ = 0;                                       // steps
  std::vector<int> odd_;                                    // operands that lie elsewhere
};

}  // namespace

std::vector<Repetition> repeated_steps(const Program& program) { return Finder(program)(); }

}  // namespace aleator::core
