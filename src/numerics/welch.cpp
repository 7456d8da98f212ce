#include "numerics/welch.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include "numerics/fourier.hpp"

namespace aleator::core {

namespace {

// The largest even length 2^a 3^b 5^c ≤ n; 0 where there is none.
std::size_t fast_length(std::size_t n) {
  for (std::size_t length = n - n % 2; length >= 2; length -= 2)
    if (fourier_length(length) == length) return length;
  return 0;
}

}  // namespace

Welch::Welch(std::span<const double> times, double from, double segment) {
  if (times.size() < 2) return;
  step_ = times[1] - times[0];
  first_ = std::size_t(std::lower_bound(times.begin(), times.end(), from - 1e-6 * step_) - times.begin());
  const std::size_t there = times.size() - first_;
  const double asked = segment > 0 ? segment / step_ * (1 + 1e-9) : double(there) / 4;
  length_ = fast_length(std::min(there, std::size_t(asked)));
  if (!possible()) return;
  segments_ = 1 + (there - length_) / (length_ / 2);
  double squares = 0;
  for (std::size_t i = 0; i < length_; ++i) {
    window_.push_back(0.5 - 0.5 * std::cos(2 * std::numbers::pi * double(i) / double(length_)));
    squares += window_[i] * window_[i];
  }
  scale_ = 2 * step_ / squares / double(segments_);
}

std::vector<double> Welch::frequencies() const {
  std::vector<double> out;
  for (std::size_t k = 1; k <= length_ / 2; ++k) out.push_back(double(k) / segment());
  return out;
}

std::vector<double> Welch::density(const double* x, int stride) const {
  std::vector<double> out(length_ / 2);
  std::vector<std::complex<double>> signal(length_), spectrum(length_);
  for (std::size_t s = 0; s < segments_; ++s) {
    const double* const own = x + (first_ + s * (length_ / 2)) * std::size_t(stride);
    double mean = 0;
    for (std::size_t i = 0; i < length_; ++i) mean += own[i * std::size_t(stride)];
    mean /= double(length_);
    for (std::size_t i = 0; i < length_; ++i) signal[i] = window_[i] * (own[i * std::size_t(stride)] - mean);
    fourier(signal, spectrum);
    for (std::size_t k = 1; k <= length_ / 2; ++k) out[k - 1] += std::norm(spectrum[k]);
  }
  for (double& v : out) v *= scale_;
  out.back() /= 2;  // the frequency that is its own mirror image
  return out;
}

}  // namespace aleator::core
