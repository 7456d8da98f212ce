#include "dynamics/recorder.hpp"

#include <algorithm>
#include <cmath>

namespace aleator {

namespace {
constexpr double same_node = 1e-6;  // of a step: closer than this, a grid time is the node itself
}

std::vector<double> output_times(double duration, double step) {
  const long n = long(std::floor(duration / step * (1 + 1e-12) + 1e-9));
  std::vector<double> times(n + 1);
  for (long k = 0; k <= n; ++k) times[k] = std::min(k * step, duration);
  return times;
}

template <class T>
Recorder<T>::Recorder(std::vector<double> times, int channels, std::vector<char> angular)
    : times_(std::move(times)), channels_(channels), angular_(std::move(angular)) {
  values_.resize(times_.size() * channels);
  ring_.resize(size_t(ring) * channels);
  previous_.resize(channels);
}

template <class T>
void Recorder<T>::begin_piece(double start, double end, int steps, bool last) {
  start_ = start, end_ = end, steps_ = steps;
  const double h = (end - start) / steps;
  end_index_ = next_;
  interpolates_ = false;
  while (end_index_ < int(times_.size()) &&
         (last ? times_[end_index_] <= end + same_node * h : times_[end_index_] < end - same_node * h)) {
    const double x = (times_[end_index_] - start) / h;
    if (std::abs(x - std::round(x)) > same_node) interpolates_ = true;
    ++end_index_;
  }
}

template <class T>
bool Recorder<T>::wants(int node) const {
  if (next_ >= end_index_) return false;
  if (interpolates_) return true;
  return std::lround((times_[next_] - start_) / (end_ - start_) * steps_) == node;
}

template <class T>
T* Recorder<T>::node(int node) {
  return &ring_[size_t(node % ring) * channels_];
}

template <class T>
void Recorder<T>::unwrap(T* v) {
  const T full(6.283185307179586476925286766559);
  for (int c = 0; c < channels_; ++c) {
    if (!angular_[c]) continue;
    if (have_previous_) v[c] += full * round((previous_[c] - v[c]) / full);
    previous_[c] = v[c];
  }
  have_previous_ = true;
}

template <class T>
void Recorder<T>::commit(int n) {
  unwrap(node(n));
  while (next_ < end_index_) {
    const double x = (times_[next_] - start_) / (end_ - start_) * steps_;
    const int near = int(std::lround(x));
    T* out = &values_[size_t(next_) * channels_];
    if (std::abs(x - near) <= same_node) {
      if (near != n) {
        // an interpolated time before it may still wait for later nodes; the node's own time cannot
        if (near > n) return;
      }
      const T* from = node(near);
      std::copy(from, from + channels_, out);
      ++next_;
      continue;
    }
    const int points = std::min(ring, steps_ + 1);
    const int first = std::clamp(int(std::floor(x)) - points / 2 + 1, 0, steps_ + 1 - points);
    if (first + points - 1 > n) return;
    std::fill(out, out + channels_, T(0));
    for (int i = 0; i < points; ++i) {
      double weight = 1;
      for (int j = 0; j < points; ++j)
        if (j != i) weight *= (x - (first + j)) / double(i - j);
      const T* from = node(first + i);
      for (int c = 0; c < channels_; ++c) out[c] += T(weight) * from[c];
    }
    ++next_;
  }
}

template class Recorder<double>;

}  // namespace aleator
