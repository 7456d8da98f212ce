#include "dynamics/controlled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "dynamics/errors.hpp"
#include "dynamics/integrators.hpp"
#include "dynamics/newton_failure.hpp"
#include "dynamics/turn_limit.hpp"

namespace aleator::core {

int StepParts::halvings(double error) {
  if (!std::isfinite(error)) return 2;
  return error <= 32 ? 1 : error <= 1024 ? 2 : error <= 32768 ? 3 : 4;
}

bool StepParts::judge(double error, double turn, const TryLimit& limit) {
  tries_ += std::isfinite(error) && turn >= free_turn * free_turn ? limit.of_a_turn : 1;
  if (error <= 1) {
    at_ += part();
    if (level_ > 0 && error < easy && at_ % (whole >> (level_ - 1)) == 0) --level_;
    return true;
  }
  ++reductions_;
  level_ = std::min(level_ + halvings(error), most_levels);
  deepest_ = std::max(deepest_, level_);
  return false;
}

// A step of the implicit method costs about six of the explicit one (`work`), and may be as long as the grid's.
TryLimit try_limit(const Settings& s) {
  const double steps = std::floor(s.duration / s.step) + 1;
  return integrator(s).is_explicit ? TryLimit{1000 + 16 * steps, 1.0 / 32} : TryLimit{10000 + 100 * steps, 0.5};
}

Controlled::Controlled(std::unique_ptr<Stepper> stepper, const Model& model, double tolerance, const TryLimit& limit)
    : stepper_(std::move(stepper)), model_(model), limit_(limit) {
  stepper_->estimate(tolerance);
}

void Controlled::begin(State<double>& s, double h) {
  h_ = h;
  stepper_->begin(s, h);
}

bool Controlled::step(State<double>& s, double t1) {
  const double t0 = s.t;
  for (parts_.begin(); !parts_.done();) {
    const double end = parts_.end(), h = parts_.size(h_), from = s.t, to = end == 1 ? t1 : t0 + (t1 - t0) * end;
    saved_ = s;
    stepper_->save();
    stepper_->resize(h);
    bool failed = true;
    try {
      failed = stepper_->step(s, to);
    } catch (const SimulationError&) {  // the equations became singular: perhaps they do not in a shorter step
    }
    if (parts_.judge(failed ? std::numeric_limits<double>::infinity() : stepper_->error(), stepper_->turn(), limit_)) {
      smallest_ = smallest_ > 0 ? std::min(smallest_, h) : h;
      continue;
    }
    if (parts_.hopeless(limit_)) why_ = failed && stepper_->violates() ? stepper_->why() : step_failure(model_, from, h);
    s = saved_;
    stepper_->restore();
    if (!parts_.hopeless(limit_)) continue;
    return true;
  }
  return false;
}

StepReport Controlled::report() const { return {parts_.reductions(), smallest_}; }

}  // namespace aleator::core
