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

void SequenceRun::operator()(const double* recalled, double* told) {
  using Step = ProgramSequence::Step;
  const std::vector<Step>& steps = code_.sequence_.steps;
  const std::size_t width = std::size_t(code_.width_);
  const auto any = [&](int s) {
    const double* const x = slot(s);
    return std::any_of(x, x + code_.width_, [](double k) { return k != 0; });
  };
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& s = steps[i];
    switch (s.kind) {
      case Step::run:
        (*code_.programs_[std::size_t(s.a)])(frame_.data(), scratch_.data());
        break;
      case Step::repeat_if_any:
        if (any(s.a)) i -= std::size_t(s.b) + 1;
        break;
      case Step::skip_if_none:
        if (!any(s.a)) i += std::size_t(s.b);
        break;
      case Step::set:
        set(s.a, s.value);
        break;
      case Step::recall:
        for (int k = 0; k < s.c; ++k) std::copy_n(recalled + std::size_t(s.a + k * s.d) * width, width, slot(s.b + k));
        break;
      case Step::tell:
        std::copy_n(slot(s.a), width, told + std::size_t(s.b) * width);
        break;
    }
  }
}

}  // namespace aleator::core
