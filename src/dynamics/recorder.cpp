#include "dynamics/recorder.hpp"

#include <algorithm>
#include <cmath>

namespace aleator::core {

namespace {
constexpr double same_node = 1e-6;  // of a step: closer than this, a grid time is the node itself
}

std::vector<double> output_times(double duration, double step) {
  const long n = long(std::floor(duration / step * (1 + 1e-12) + 1e-9));
  std::vector<double> times(n + 1);
  for (long k = 0; k <= n; ++k) times[k] = std::min(k * step, duration);
  return times;
}

Recorder::Recorder(std::vector<double> times, int channels, std::vector<char> angular)
    : times_(std::move(times)), channels_(channels), angular_(std::move(angular)) {
  values_.resize(times_.size() * channels);
  ring_.resize(size_t(ring) * channels);
  previous_.resize(channels);
  sources_.resize(times_.size());
  pieces_.reserve(64);
}

Recorder::Piece Recorder::make_piece(double start, double end, int steps, bool last) {
  Piece p{start, end, steps, last, next_, next_, false};
  const double h = (end - start) / steps;
  for (; p.beyond < int(times_.size()); ++p.beyond) {
    const double t = times_[p.beyond];
    if (last ? !(t <= end + same_node * h) : !(t < end - same_node * h)) break;
    const double x = (t - start) / h;
    Source& s = sources_[p.beyond];
    s.node = int(std::lround(x));
    s.is_node = std::abs(x - s.node) <= same_node;
    if (s.is_node) continue;
    p.interpolates = true;
    const int points = std::min(ring, steps + 1);
    s.node = std::clamp(int(std::floor(x)) - points / 2 + 1, 0, steps + 1 - points);
    for (int i = 0; i < points; ++i) {
      s.weight[i] = 1;
      for (int j = 0; j < points; ++j)
        if (j != i) s.weight[i] *= (x - (s.node + j)) / double(i - j);
    }
  }
  return p;
}

void Recorder::begin_piece(double start, double end, int steps, bool last) {
  if (piece_ < pieces_.size()) {
    const Piece& p = pieces_[piece_];
    if (p.start != start || p.end != end || p.steps != steps || p.last != last || p.first != next_) pieces_.resize(piece_);
  }
  if (piece_ == pieces_.size()) pieces_.push_back(make_piece(start, end, steps, last));
  ++piece_;
}

bool Recorder::wants(int node) const {
  const Piece& p = pieces_[piece_ - 1];
  return next_ < p.beyond && (p.interpolates || sources_[next_].node == node);
}

double* Recorder::node(int node) { return ring_.data() + size_t(node % ring) * channels_; }

void Recorder::unwrap(double* v) {
  const double full = 6.283185307179586476925286766559;
  for (int c = 0; c < channels_; ++c) {
    if (!angular_[c]) continue;
    if (have_previous_) v[c] += full * round((previous_[c] - v[c]) / full);
    previous_[c] = v[c];
  }
  have_previous_ = true;
}

void Recorder::commit(int n) {
  unwrap(node(n));
  const Piece& p = pieces_[piece_ - 1];
  const int points = std::min(ring, p.steps + 1);
  for (; next_ < p.beyond; ++next_) {
    const Source& s = sources_[next_];
    // an interpolated time may wait for later nodes
    if (s.is_node ? s.node > n : s.node + points - 1 > n) return;
    double* out = values_.data() + size_t(next_) * channels_;
    if (s.is_node) {
      std::copy_n(node(s.node), channels_, out);
      continue;
    }
    std::fill_n(out, channels_, 0.0);
    for (int i = 0; i < points; ++i) {
      const double* from = node(s.node + i);
      const double weight = s.weight[i];
      for (int c = 0; c < channels_; ++c) out[c] += weight * from[c];
    }
  }
}

}  // namespace aleator::core
