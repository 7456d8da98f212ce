#include "reliability/line_root.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core::reliability {
namespace {

constexpr double close = 0.05;  // of the last evaluation: the secant from there is off by its square
constexpr double lowest = -6;   // everything fails
constexpr std::size_t most_evaluations = 8;

}  // namespace

LineRoot::LineRoot(double guess, double slope, double farthest) : slope_(slope), farthest_(farthest), next_(guess) {}

void LineRoot::finish(std::optional<double> root) {
  done_ = true;
  root_ = root;
}

void LineRoot::take(std::optional<double> e) {
  if (!e) {
    lost_ = true;
    return finish(std::nullopt);
  }
  const At at{next_, *e};
  seen_.push_back(at);
  if (at.e > 0) {
    if (!failing_ || at.c < failing_->c) failing_ = at;
  } else if (!safe_ || at.c > safe_->c) {
    safe_ = at;
  }
  if (failing_ && safe_ && safe_->c > failing_->c) {  // it is safe again farther out: the nearest failing one counts
    safe_.reset();
    for (const At& s : seen_) {
      if (s.e <= 0 && s.c < failing_->c && (!safe_ || s.c > safe_->c)) safe_ = s;
    }
  }
  choose();
}

void LineRoot::choose() {
  const At last = seen_.back();
  if (failing_ && safe_) {
    const double width = failing_->c - safe_->c, share = safe_->e / (safe_->e - failing_->e), root = safe_->c + share * width,
                 guess = safe_->c + std::clamp(share, 0.02, 0.98) * width;
    if (width < 2 * close || std::min(root - safe_->c, failing_->c - root) < close || seen_.size() >= most_evaluations)
      return finish(root);
    next_ = seen_.size() < 5 ? guess : safe_->c + 0.5 * width;  // where the secant is slow: by halves
    return;
  }
  // On one side only: by the slope.
  double slope = slope_;
  if (seen_.size() > 1) {
    const At before = seen_[seen_.size() - 2];
    slope = (last.e - before.e) / (last.c - before.c);
  }
  const double side = last.e > 0 ? -1 : 1;
  double step = slope > 0 ? -last.e / slope : side;
  if (step * side < 0) step = side;
  if (slope > 0 && std::abs(step) < close) return finish(last.c + step);
  step = side * std::clamp(1.1 * std::abs(step), 0.1, 2.0);  // a little too far, for a bracket
  if (side > 0 && (last.c >= farthest_ || seen_.size() >= most_evaluations)) return finish(std::nullopt);
  if (side < 0 && (last.c <= lowest || seen_.size() >= most_evaluations)) return finish(last.c);
  next_ = std::clamp(last.c + step, lowest, farthest_);
}

}  // namespace aleator::core::reliability
