// Programs that are run one after the other, some of them again and again until they are done in all lanes: loops whose number of turns depends on the
// numbers of a lane, as those of a search or of a rejection.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/aligned.hpp"
#include "numerics/program.hpp"
#include "numerics/traced.hpp"

namespace aleator::core {

struct ProgramSequence {
  struct Step {
    enum Kind { run, repeat_if_any, skip_if_none, set, recall, tell } kind;
    // program; slot, steps: these are done again unless the slot is 0 in all lanes; slot, steps: the next ones are skipped if it is; slot, value:
    // of all lanes; line of what there is to be read, slot, count, distance between lines; slot, line of what is told
    int a = 0, b = 0, c = 0, d = 0;
    double value = 0;
  };
  std::vector<Program> programs;
  std::vector<Step> steps;
  int slots = 0;
};

// Never fused: the numbers are bitwise those of the same arithmetic on double, for every instruction set.
class SequenceRecorder {
 public:
  int slot() { return slots_++; }
  int slots(int count) {
    slots_ += count;
    return slots_ - count;
  }
  Traced read(int slot) { return Traced::of(tape_.input(slot, Level::state)); }  // inside program()
  void store(int slot, const Traced& x) { stores_.push_back({x.node, slot}); }   // likewise
  void store(int slot, const TracedMask& m) { store(slot, select(m, Traced(1), Traced(0))); }
  int program(const std::function<void()>& record);  // its number
  void again(int program) { out_.steps.push_back({ProgramSequence::Step::run, program}); }
  std::size_t here() const { return out_.steps.size(); }
  void repeat_if_any(int slot, std::size_t from) {
    out_.steps.push_back({ProgramSequence::Step::repeat_if_any, slot, int(here() - from)});
  }
  void set(int slot, double x) { out_.steps.push_back({ProgramSequence::Step::set, slot, 0, 0, 0, x}); }
  void recall(int line, int slot, int count = 1, int distance = 1) {
    out_.steps.push_back({ProgramSequence::Step::recall, line, slot, count, distance});
  }
  void tell(int slot, int line) { out_.steps.push_back({ProgramSequence::Step::tell, slot, line}); }
  std::size_t skip_if_none(int slot) {
    out_.steps.push_back({ProgramSequence::Step::skip_if_none, slot});
    return here() - 1;
  }
  void land(std::size_t skip) { out_.steps[skip].b = int(here() - skip - 1); }
  ProgramSequence finish();

 private:
  Tape tape_{false};
  int slots_ = 0;
  std::vector<Store> stores_;
  ProgramSequence out_;
};

// One thread's.
class SequenceRun {
 public:
  class Code {
   public:
    Code(ProgramSequence sequence, Isa isa);
    int width() const { return width_; }
    const ProgramSequence& sequence() const { return sequence_; }

   private:
    friend class SequenceRun;
    ProgramSequence sequence_;
    std::vector<std::unique_ptr<Runnable>> programs_;
    int width_, scratch_ = 0;
  };

  explicit SequenceRun(const Code& code);
  double* slot(int s) { return &frame_[std::size_t(s) * std::size_t(code_.width())]; }  // [lanes]
  void set(int s, double x);                                                            // in all lanes
  // `recalled`, `told`: lines [lanes] of what it recalls and tells, if it does.
  void operator()(const double* recalled = nullptr, double* told = nullptr);

 private:
  const Code& code_;
  AlignedVector<double> frame_, scratch_;
};

}  // namespace aleator::core
