// Steps of controlled size in lanes (controlled.hpp has the rules). A step of the grid is first tried whole, by all lanes together. Lanes
// whose error is too large get back what they were, and go on in parts, each at times and with sizes of its own, while the others stand
// still: programs know no time, and the size of the step is a number of the lane. So a lane does what it would do alone.
#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/lane_engine.hpp"
#include "dynamics/march_trace.hpp"

namespace aleator::core {

void LaneRun::begin_march() {
  const LaneMethod& method = *engine_.method_;
  apart_ = false;
  if (method.error() < 0) return;
  if (kept_.empty()) {
    kept_ = method.kept();
    kept_.push_back(engine_.compiler_->work);
    size_t slots = 0;
    for (const Slots& f : kept_) slots += size_t(f.count);
    saved_.resize(slots * width_);
    active_.resize(width_), from_.resize(width_), to_.resize(width_), size_.resize(width_);
    limit_ = try_limit(engine_.settings_);
  }
  if (march_trace_) march_trace_->begin();
  march_.assign(width_, {});
  std::fill(size_.begin(), size_.end(), 0.0);
}

void LaneRun::save(int lane) {
  double* to = saved_.data() + lane;
  for (const Slots& f : kept_) {
    const double* from = slot(f.first) + lane;
    for (int i = 0; i < f.count; ++i, to += width_, from += width_) *to = *from;
  }
}

void LaneRun::restore(int lane) {
  const double* from = saved_.data() + lane;
  for (const Slots& f : kept_) {
    double* to = slot(f.first) + lane;
    for (int i = 0; i < f.count; ++i, to += width_, from += width_) *to = *from;
  }
}

// After a part was tried.
void LaneRun::judge(int lane) {
  double& failed = slot(engine_.compiler_->failed)[lane];
  StepParts& parts = march_[lane];
  const double size = value(engine_.compiler_->step, lane);
  const LaneMethod& method = *engine_.method_;
  const double error = failed != 0 ? std::numeric_limits<double>::infinity() : value(method.error(), lane);
  if (parts.judge(error, value(method.turn(), lane), limit_)) {
    save(lane);
    profile.smallest = profile.smallest > 0 ? std::min(profile.smallest, size) : size;
    return;
  }
  ++profile.reduced;
  restore(lane);
  if (!parts.hopeless(limit_)) return;
  failed = 1;
  save(lane);
}

// One part each of the lanes that have not arrived.
void LaneRun::step_apart(double t0, double t1, double step) {
  const LaneCompiler& c = *engine_.compiler_;
  for (int lane = 0; lane < width_; ++lane) {
    const StepParts& parts = march_[lane];
    active_[lane] = !parts.done() && value(c.failed, lane) == 0;
    if (!active_[lane]) continue;
    const double start = parts.start(), end = parts.end(), size = parts.size(step);
    from_[lane] = start == 0 ? t0 : t0 + (t1 - t0) * start;
    to_[lane] = end == 1 ? t1 : t0 + (t1 - t0) * end;
    slot(c.step)[lane] = size;
    if (size != size_[lane]) engine_.method_->resized(*this, lane);
    size_[lane] = size;
  }
  engine_.method_->step(*this, t0, t1);
  for (int lane = 0; lane < width_; ++lane) active_[lane] ? judge(lane) : restore(lane);
}

void LaneRun::march(double t0, double t1, double step) {
  if (march_trace_) {
    march_trace_->begin_step(t0, t1, step);
    engine_.method_->step(*this, t0, t1);
    return march_trace_->end_step(step);
  }
  const LaneCompiler& c = *engine_.compiler_;
  double* to = saved_.data();
  for (const Slots& f : kept_) to = std::copy_n(slot(f.first), size_t(f.count) * width_, to);
  bool together = true;
  if (value(c.step, 0) != step) set(c.step, step);
  for (int lane = 0; lane < width_; ++lane) {
    march_[lane].begin();
    from_[lane] = t0, to_[lane] = t1;
    active_[lane] = value(c.failed, lane) == 0;
    together = together && (march_[lane].is_whole() || !active_[lane]);
  }
  if (together) {
    for (int lane = 0; lane < width_; ++lane) {
      if (size_[lane] != step && active_[lane]) engine_.method_->resized(*this, lane);
      size_[lane] = step;
    }
    engine_.method_->step(*this, t0, t1);
    for (int lane = 0; lane < width_; ++lane)
      if (active_[lane]) judge(lane);
  } else {
    engine_.method_->pass_signals(*this, t0, t1);
  }
  const auto any_under_way = [&] {
    for (int lane = 0; lane < width_; ++lane)
      if (!march_[lane].done() && value(c.failed, lane) == 0) return true;
    return false;
  };
  if (!any_under_way()) return;
  apart_ = true;
  while (any_under_way()) step_apart(t0, t1, step);
  apart_ = false;
  set(c.step, step);
}

void LaneRun::signals_within(const Slots& field, double t0, double t1, double c) {
  const auto at = [c](double from, double to) { return c == 1 ? to : from + c * (to - from); };
  if (march_trace_) return march_trace_->signals(field, c);
  if (!apart_) return signals(field, at(t0, t1), Side::left);
  for (int s = 0; s < field.count / 3; ++s)
    for (int lane = 0; lane < width_; lane += 2) {
      const int other = std::min(lane + 1, width_ - 1);
      if (!active_[lane] && !active_[other]) continue;  // they get back what they were
      put_two(field, s, lane, placed(s, lane, at(from_[lane], to_[lane]), Side::left),
              placed(s, other, at(from_[other], to_[other]), Side::left));
    }
}

}  // namespace aleator::core
