#include "dynamics/lane_trace.hpp"

#include "dynamics/integrators.hpp"
#include "dynamics/lane_engine.hpp"
#include "dynamics/march_trace.hpp"

namespace aleator::core {

LaneTrace LaneEngine::trace(const Realization<double>& with, bool from_state) const {
  LaneTrace trace;
  if (!method_->can_be_traced()) return trace;
  trace.step = settings_.step;
  trace.follows = follows_output_times(settings_);
  State<double> state;
  state.positions = with.positions, state.velocities = with.velocities;
  state.turns.resize(size_t(compiler_->turns.count));
  LaneRun run(*this);
  run.trace_ = &trace;
  trace.first_own = int(compiled_.sources.size()), trace.slots = compiled_.slots;
  SignalTrace signals(trace, with, varying_signals_);
  std::unique_ptr<MarchTrace> march;
  if (method_->error() >= 0) march = std::make_unique<MarchTrace>(trace, signals, *method_, *compiler_, try_limit(settings_));
  run.signal_trace_ = &signals, run.march_trace_ = march.get();
  const LaneRun::Start start{&with, from_state ? &state : nullptr};
  run(std::span(&start, 1), false);
  trace.why_not = signals.finish();
  return trace;
}

int LaneRun::skip_if_none(int slot) { return trace_ ? trace_->skip(LaneTrace::Event::skip_if_none, slot) : -1; }
int LaneRun::skip_if_all(int slot) { return trace_ ? trace_->skip(LaneTrace::Event::skip_if_all, slot) : -1; }
void LaneRun::land(int skip) {
  if (trace_) trace_->land(skip);
}

}  // namespace aleator::core
