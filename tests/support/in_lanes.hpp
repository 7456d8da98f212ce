// For tests: a function on traced numbers, recorded and run in the lanes of an instruction set. Operations are not fused, so that double,
// compiled for the baseline, does the same.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/aligned.hpp"
#include "numerics/program.hpp"
#include "numerics/traced.hpp"

namespace aleator::core::test {

// Those this processor has.
std::vector<Isa> available_isas();

class InLanes {
 public:
  // f(const Traced* in, std::vector<Traced>& out), recorded once
  template <class F>
  InLanes(Isa isa, int inputs, F&& f) : width_(lanes(isa)), inputs_(inputs) {
    Tape tape(false);
    std::vector<Store> stores;
    int slots = inputs;
    {
      const Tape::Recording recording(tape);
      std::vector<Traced> in, out;
      for (int i = 0; i < inputs; ++i) in.push_back(Traced::of(tape.input(i, Level::state)));
      f(static_cast<const Traced*>(in.data()), out);
      for (const Traced& x : out) stores.push_back({x.node, slots++});
      outputs_ = int(out.size());
    }
    ProgramMaker maker(tape, slots);
    run_ = translate(maker.make(stores), isa);
    frame_.resize(size_t(slots) * width_);
    scratch_.resize(size_t(run_->scratch_slots()) * width_);
  }
  int width() const { return width_; }
  double& in(int i, int lane) { return frame_[size_t(i) * width_ + lane]; }
  double out(int i, int lane) const { return frame_[size_t(inputs_ + i) * width_ + lane]; }
  int outputs() const { return outputs_; }
  void operator()() { (*run_)(frame_.data(), scratch_.data()); }

 private:
  int width_, inputs_, outputs_ = 0;
  std::unique_ptr<Runnable> run_;
  AlignedVector<double> frame_, scratch_;
};

}  // namespace aleator::core::test
