#include "dynamics/divided.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "dynamics/errors.hpp"

namespace aleator::core {

void Divided::begin(State<double>& s, double h) {
  h_ = h;
  in_parts_ = false;
  stepper_->begin(s, h);
}

bool Divided::step(State<double>& s, double t1) {
  if (in_parts_) stepper_->begin_again(s, h_);
  in_parts_ = false;
  return fails(s, t1) && step_in_parts(s, t1);
}

// A step or a part. Equations that become singular perhaps do not in a shorter one.
bool Divided::fails(State<double>& s, double t1) {
  try {
    const bool failed = stepper_->step(s, t1);
    if (failed) why_ = stepper_->why();
    return failed;
  } catch (const SimulationError& e) {
    why_ = e.what();
    return true;
  }
}

bool Divided::step_in_parts(State<double>& s, double t1) {
  constexpr int whole = 1 << most_halvings;
  const double t0 = s.t;
  int at = 0, halvings = 0;
  while (at < whole) {  // here after a step or part that failed
    if (stepper_->violates()) return true;
    if (++halvings > most_halvings) {
      why_ += fmt::format(". (The step of {:.3g} s was divided into parts, in vain)", h_);
      return true;
    }
    const int part = whole >> halvings;
    const double h = std::ldexp(h_, -halvings);
    ++divisions_;
    stepper_->begin_again(s, h);
    for (; at < whole; at += part) {
      if (fails(s, at + part == whole ? t1 : t0 + (t1 - t0) * (at + part) / whole)) break;
      smallest_ = smallest_ > 0 ? std::min(smallest_, h) : h;
    }
  }
  in_parts_ = true;
  return false;
}

}  // namespace aleator::core
