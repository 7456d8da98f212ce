#include "dynamics/recorder.hpp"

#include <algorithm>
#include <cmath>

#include "base/wide.hpp"

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
  if (std::find(angular_.begin(), angular_.end(), 1) == angular_.end()) angular_.clear();  // every node asks
  values_.resize(times_.size() * channels);
  ring_.resize(size_t(ring) * channels);
  previous_.resize(channels);
  sources_.resize(times_.size());
  pieces_.reserve(64);
}

static int steps_in(double length, double longest) { return std::max(1, int(std::ceil(length / longest * (1 - 1e-12) - 1e-9))); }

void Recorder::lay_out(Piece& p) {
  const int steps = p.steps = steps_in(p.end - p.start, p.longest);
  const double h = (p.end - p.start) / steps;
  for (; p.beyond < int(times_.size()); ++p.beyond) {
    const double t = times_[p.beyond];
    if (p.last ? !(t <= p.end + same_node * h) : !(t < p.end - same_node * h)) break;
    const double x = (t - p.start) / h;
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
  if (p.follow && p.interpolates) lay_out_between_times(p);
}

void Recorder::lay_out_between_times(Piece& p) {
  const double close = same_node * p.longest;
  const int between = p.beyond - p.first - 1;
  const double head = times_[p.first] - p.start, tail = p.end - times_[p.beyond - 1];
  p.before = head > close ? steps_in(head, p.longest) : 0;
  p.between = between > 0 ? steps_in(times_[1] - times_[0], p.longest) : 1;
  p.after = tail > close ? steps_in(tail, p.longest) : 0;
  p.steps = p.before + between * p.between + p.after;
  p.interpolates = false;
  for (int k = p.first; k < p.beyond; ++k) sources_[k].node = p.before + (k - p.first) * p.between, sources_[k].is_node = true;
}

int Recorder::begin_piece(double start, double end, double longest, bool last, bool follow) {
  if (piece_ < pieces_.size()) {
    const Piece& p = pieces_[piece_];
    if (p.start != start || p.end != end || p.longest != longest || p.last != last || p.follow != follow || p.first != next_)
      pieces_.resize(piece_);
  }
  if (piece_ == pieces_.size()) {
    pieces_.push_back(
        {.start = start, .end = end, .longest = longest, .last = last, .follow = follow, .first = next_, .beyond = next_});
    lay_out(pieces_.back());
  }
  return pieces_[piece_++].steps;
}

double Recorder::node_time(int node) const {
  const Piece& p = pieces_[piece_ - 1];
  const auto within = [](double from, double to, int i, int n) { return i == n ? to : from + (to - from) * i / n; };
  if (p.between == 0) return within(p.start, p.end, node, p.steps);
  if (node <= p.before) return p.before == 0 ? p.start : within(p.start, times_[p.first], node, p.before);
  if (node == p.steps) return p.end;
  const int k = p.first + (node - p.before) / p.between, i = (node - p.before) % p.between;
  if (k < p.beyond - 1) return i == 0 ? times_[k] : within(times_[k], times_[k + 1], i, p.between);
  return within(times_[p.beyond - 1], p.end, node - (p.steps - p.after), p.after);
}

double Recorder::step_size(int step) const {
  const Piece& p = pieces_[piece_ - 1];
  if (p.between == 0) return (p.end - p.start) / p.steps;
  if (step <= p.before) return (times_[p.first] - p.start) / p.before;
  if (step > p.steps - p.after) return (p.end - times_[p.beyond - 1]) / p.after;
  return (times_[1] - times_[0]) / p.between;  // the same for all: factors of a matrix belong to it
}

bool Recorder::wants(int node) const {
  const Piece& p = pieces_[piece_ - 1];
  return next_ < p.beyond && (p.interpolates || sources_[next_].node == node);
}

double* Recorder::node(int node) { return ring_.data() + size_t(node % ring) * channels_; }

void Recorder::unwrap(double* v) {
  const double full = 6.283185307179586476925286766559;
  for (int c = 0; c < int(angular_.size()); ++c) {
    if (!angular_[c]) continue;
    if (have_previous_) v[c] += full * round((previous_[c] - v[c]) / full);
    previous_[c] = v[c];
  }
  have_previous_ = true;
}

// Σ weight value, one node after the other.
ALEATOR_WIDE static void interpolate(const double* const (&from)[6], const double (&weight)[6], int channels, double* out) {
  const double *const a = from[0], *const b = from[1], *const c = from[2], *const d = from[3], *const e = from[4],
                      *const f = from[5];
  for (int i = 0; i < channels; ++i)
    out[i] =
        0.0 + weight[0] * a[i] + weight[1] * b[i] + weight[2] * c[i] + weight[3] * d[i] + weight[4] * e[i] + weight[5] * f[i];
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
    if (points == ring) {
      const double* from[ring];
      for (int i = 0; i < ring; ++i) from[i] = node(s.node + i);
      interpolate(from, s.weight, channels_, out);
      continue;
    }
    std::fill_n(out, channels_, 0.0);
    for (int i = 0; i < points; ++i)
      for (int c = 0; c < channels_; ++c) out[c] += s.weight[i] * node(s.node + i)[c];
  }
}

}  // namespace aleator::core
