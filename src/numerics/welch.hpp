// Power spectral density of a sampled signal by Welch's method: the signal is cut into segments that overlap by half; each, less its mean
// and under a Hann window, is transformed; squares are averaged. One-sided, per Hz: Σ density/segment is the variance.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace aleator::core {

class Welch {
 public:
  // Of equidistant times; those before `from` are left out. Segments have the length asked for, or slightly less (a number of values that
  // is fast to transform); 0: a quarter of the time there is. Longer than that: as long.
  Welch(std::span<const double> times, double from, double segment);

  bool possible() const { return length_ >= 4; }  // otherwise there are too few times for anything
  double segment() const { return double(length_) * step_; }
  std::size_t segments() const { return segments_; }
  std::vector<double> frequencies() const;  // 1/segment, 2/segment, … half the sampling frequency

  // Of the values x[0], x[stride], … at all the times, at frequencies().
  std::vector<double> density(const double* x, int stride) const;

 private:
  std::size_t first_ = 0, length_ = 0, segments_ = 0;
  double step_ = 0, scale_ = 0;
  std::vector<double> window_;
};

}  // namespace aleator::core
