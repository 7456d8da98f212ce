#include "numerics/recorded_series.hpp"

#include <array>

#include "numerics/sampled.hpp"

namespace aleator::core {
namespace {

constexpr int intervals_at_once = 8;  // intervals: as many as there are sums of squares (integral_of_square)

class SeriesRecording {
 public:
  SeriesRecording(std::span<const double> times, int channels, double usable) : t_(times), channels_(channels), usable_(usable) {
    values_ = to_.slots(intervals_at_once + 1), halves_ = to_.slots(intervals_at_once), squares_ = to_.slots(intervals_at_once);
    bad_ = to_.slot(), integral_ = to_.slot(), high_ = to_.slot(), low_ = to_.slot();
    window_ = to_.slots(6), sign_ = to_.slot(), best_ = to_.slot(), curve_ = to_.slots(5), search_ = to_.slots(3);
    turns_ = to_.slot(), open_ = to_.slot();
  }

  RecordedSeries operator()(std::span<const RecordedSeries::Wanted> wanted) {
    RecordedSeries out;
    int line = 1;
    to_.set(bad_, 0);
    for (int c = 0; c < channels_; ++c) {
      RecordedSeries::Channel& own = out.channels.emplace_back();
      own.first = line, line += RecordedSeries::always;
      values(c, own.first);
      const RecordedSeries::Wanted& w = wanted[std::size_t(c)];
      if (w.largest) own.largest = line++, peaks(c, 1), to_.tell(best_, own.largest);
      if (w.least) own.least = line++, peaks(c, -1), to_.tell(best_, own.least);
    }
    to_.tell(bad_, 0);
    out.lines = line;
    out.sequence = to_.finish();
    return out;
  }

 private:
  int line_of(std::size_t time, int channel) const { return int(time) * channels_ + channel; }
  // Recorded once, then run again.
  template <class Record>
  void program(int& number, Record&& record) {
    if (number < 0)
      number = to_.program(record);
    else
      to_.again(number);
  }
  Traced bad_if_not(const Traced& bad, const Traced& x) const { return select(abs(x) <= Traced(usable_), bad, Traced(1)); }

  // --- all values ---

  void values(int channel, int first_line) {
    const std::size_t n = t_.size();
    to_.recall(line_of(0, channel), values_);
    program(begin_, [&] {
      const Traced x = to_.read(values_);
      for (int k = 0; k < intervals_at_once; ++k) to_.store(squares_ + k, Traced(0));
      to_.store(integral_, Traced(0)), to_.store(high_, x), to_.store(low_, x);
      to_.store(bad_, bad_if_not(to_.read(bad_), x));
    });
    std::size_t i = 1;
    for (; i + intervals_at_once <= n; i += intervals_at_once) intervals(channel, i, intervals_at_once, whole_);
    if (i < n) intervals(channel, i, int(n - i), rest_);
    program(end_, [&] {
      std::array<Traced, intervals_at_once> s;
      for (int k = 0; k < intervals_at_once; ++k) s[std::size_t(k)] = to_.read(squares_ + k);
      to_.store(squares_, ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7])));
    });
    to_.tell(squares_, first_line + RecordedSeries::square);
    to_.tell(integral_, first_line + RecordedSeries::integral);
    to_.recall(line_of(n - 1, channel), values_);
    to_.tell(values_, first_line + RecordedSeries::last);
  }

  // Those that end at times i, i + 1 …
  void intervals(int channel, std::size_t i, int count, int& number) {
    to_.recall(line_of(i - 1, channel), values_, count + 1, channels_);
    for (int k = 0; k < count; ++k) to_.set(halves_ + k, 0.5 * (t_[i + std::size_t(k)] - t_[i + std::size_t(k) - 1]));
    program(number, [&] {
      Traced bad = to_.read(bad_), sum = to_.read(integral_), high = to_.read(high_), low = to_.read(low_);
      for (int k = 0; k < count; ++k) {
        const Traced a = to_.read(values_ + k), b = to_.read(values_ + k + 1), half = to_.read(halves_ + k);
        to_.store(squares_ + k, to_.read(squares_ + k) + half * (a * a + b * b));
        sum += half * (a + b);
        high = max(high, b), low = min(low, b);
        bad = bad_if_not(bad, b);
      }
      to_.store(bad_, bad), to_.store(integral_, sum), to_.store(high_, high), to_.store(low_, low);
    });
  }

  // --- between the times ---

  void peaks(int channel, double sign) {
    const std::size_t n = t_.size();
    program(sign > 0 ? highest_ : lowest_, [&] { to_.store(best_, sign > 0 ? to_.read(high_) : -to_.read(low_)); });
    if (n < 5) return;
    const Sampled f{t_, nullptr, 1};
    to_.set(sign_, sign);
    to_.recall(line_of(0, channel), window_ + 1, 4, channels_);
    for (std::size_t c = 2; c + 2 < n; ++c) {
      to_.recall(line_of(c + 2, channel), window_ + 5);
      program(move_, [&] {
        for (int k = 0; k < 5; ++k) to_.store(window_ + k, to_.read(window_ + k + 1));
      });
      if (!f.is_even(c)) continue;
      for (int own = c == 2 ? -2 : 0; own <= (c + 3 == n ? 2 : 0); ++own) peak(own);
    }
  }

  // Beside the time that is so many steps from the center: the first and the last are two steps away.
  void peak(int own) {
    program(begin_peak_[std::size_t(own + 2)], [&] {
      const Traced sign = to_.read(sign_);
      std::array<Traced, 5> x;
      for (int k = 0; k < 5; ++k) x[std::size_t(k)] = to_.read(window_ + k);
      const auto& [a, b, m, d, e] = x;
      const std::size_t at = std::size_t(own + 2);
      const Traced here = sign * x[at], low(own > -2 ? own - 1 : own), high(own < 2 ? own + 1 : own);
      const QuarticOf<Traced> p = QuarticOf<Traced>::through(a, b, m, d, e);
      TracedMask is_peak = resolved(a, b, m, d, e) & (Traced(0) < sign * p.slope(low)) & (sign * p.slope(high) < Traced(0));
      if (own > -2) is_peak = is_peak & (sign * x[at - 1] <= here);
      if (own < 2) is_peak = is_peak & (sign * x[at + 1] <= here);
      const TopSearch<Traced> top{low, high};
      const Traced curve[] = {p.x, p.d1, p.d2, p.d3, p.d4}, search[] = {top.low, top.high, top.s};
      for (int k = 0; k < 5; ++k) to_.store(curve_ + k, curve[k]);
      for (int k = 0; k < 3; ++k) to_.store(search_ + k, search[k]);
      to_.store(turns_, Traced(0)), to_.store(open_, is_peak);
    });
    const std::size_t skip = to_.skip_if_none(open_);
    const std::size_t again = to_.here();
    program(turn_, [&] {
      const Traced sign = to_.read(sign_), turns = to_.read(turns_) + Traced(1), best = to_.read(best_);
      const QuarticOf<Traced> p{to_.read(curve_), to_.read(curve_ + 1), to_.read(curve_ + 2), to_.read(curve_ + 3),
                                to_.read(curve_ + 4)};
      TopSearch<Traced> top{to_.read(search_), to_.read(search_ + 1), to_.read(search_ + 2)};
      const TracedMask is_open = Traced(0) < to_.read(open_);
      const TracedMask ends = top.turn(p, sign) | (Traced(TopSearch<Traced>::most_turns) <= turns);
      to_.store(search_, top.low), to_.store(search_ + 1, top.high), to_.store(search_ + 2, top.s);
      to_.store(turns_, turns), to_.store(open_, is_open & !ends);
      to_.store(best_, select(is_open & ends, max(best, sign * p.at(top.s)), best));
    });
    to_.repeat_if_any(open_, again);
    to_.land(skip);
  }

  std::span<const double> t_;
  int channels_;
  double usable_;
  SequenceRecorder to_;
  // Slots.
  int values_, halves_, squares_, bad_, integral_, high_, low_;
  int window_, sign_, best_, curve_, search_, turns_, open_;  // of the polynomial; low, high and s of its top
  // Programs.
  int begin_ = -1, whole_ = -1, rest_ = -1, end_ = -1, highest_ = -1, lowest_ = -1, move_ = -1, turn_ = -1;
  std::array<int, 5> begin_peak_ = {-1, -1, -1, -1, -1};
};

}  // namespace

RecordedSeries record_series(std::span<const double> times, std::span<const RecordedSeries::Wanted> channels, double usable) {
  return SeriesRecording(times, int(channels.size()), usable)(channels);
}

}  // namespace aleator::core
