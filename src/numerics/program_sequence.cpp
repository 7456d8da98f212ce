#include "numerics/program_sequence.hpp"

#include <algorithm>

namespace aleator::core {

int SequenceRecorder::program(const std::function<void()>& record) {
  stores_.clear();
  {
    const Tape::Recording recording(tape_);
    record();
  }
  ProgramMaker maker(tape_, slots_);
  out_.programs.push_back(maker.make(stores_));
  const int number = int(out_.programs.size()) - 1;
  again(number);
  return number;
}

ProgramSequence SequenceRecorder::finish() {
  out_.slots = slots_;
  return std::move(out_);
}

SequenceRun::Code::Code(ProgramSequence sequence, Isa isa) : sequence_(std::move(sequence)), width_(lanes(isa)) {
  for (const Program& p : sequence_.programs) {
    programs_.push_back(translate(p, isa));
    scratch_ = std::max(scratch_, programs_.back()->scratch_slots());
  }
}

SequenceRun::SequenceRun(const Code& code)
    : code_(code),
      frame_(std::size_t(code.sequence_.slots) * std::size_t(code.width_)),
      scratch_(std::size_t(code.scratch_) * std::size_t(code.width_)) {}

void SequenceRun::set(int s, double x) { std::fill_n(slot(s), code_.width_, x); }

void SequenceRun::operator()() {
  const std::vector<ProgramSequence::Step>& steps = code_.sequence_.steps;
  for (std::size_t i = 0; i < steps.size();) {
    const ProgramSequence::Step& s = steps[i];
    if (s.kind == ProgramSequence::Step::run) {
      (*code_.programs_[std::size_t(s.a)])(frame_.data(), scratch_.data());
      ++i;
    } else {
      const double* const x = slot(s.a);
      const bool again = std::any_of(x, x + code_.width_, [](double k) { return k != 0; });
      i = again ? i - std::size_t(s.b) : i + 1;
    }
  }
}

}  // namespace aleator::core
