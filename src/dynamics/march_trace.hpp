// Steps of controlled size as a device does them: what lane_march.cpp and StepParts (controlled.hpp) decide lane by lane is a few programs here, and a
// loop that ends when no lane is under way any more. Nothing is fused in them: the processor does the same with plain numbers.
#pragma once

#include <vector>

#include "dynamics/controlled.hpp"
#include "dynamics/lane_compiler.hpp"
#include "dynamics/lane_method.hpp"
#include "dynamics/signal_trace.hpp"

namespace aleator::core {

class MarchTrace {
 public:
  // `limit`: of the tries of a lane.
  MarchTrace(LaneTrace& trace, SignalTrace& signals, const LaneMethod& method, const LaneCompiler& compiler,
             const TryLimit& limit);

  void begin();  // of the simulation
  // A step of the grid: what is told between these two is done by lanes under way, until there are none.
  void begin_step(double t0, double t1, double step);
  void end_step(double step);
  // Functions of time at a part c of the step, for each lane at its own time.
  void signals(const Slots& field, double c) { signals_.within(field, c, from_, to_); }

 private:
  Program save() const, part() const, judgement(const TryLimit&limit) const;

  LaneTrace& trace_;
  SignalTrace& signals_;
  const LaneMethod& method_;
  const LaneCompiler& compiler_;
  std::vector<Slots> kept_;
  int saved_;  // slots, as many as are kept
  int at_ = 0, part_ = 0, tries_ = 0, size_ = 0, from_ = 0,
      to_ = 0;                      // slots of lanes: StepParts, the size of the last step, times
  int t0_ = 0, t1_ = 0, step_ = 0;  // slots that are the same in all lanes
  int active_ = 0, going_ = 0;      // slots
  int save_program_, part_program_, judge_program_;
  size_t loop_ = 0;
};

}  // namespace aleator::core
