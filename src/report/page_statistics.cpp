// Responses over time: statistics, a sample of the realizations, scalars, and how the statistics settle as realizations are added.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/cancellation.hpp"
#include "base/constants.hpp"
#include "report/page_parts.hpp"

namespace aleator::core::report {
namespace {

using Bounded = results::StudyReader::Bounded;
using Statistics = results::ChannelStatistics;

// Realizations that come along.
struct Selection {
  std::vector<std::uint32_t> ok;      // all that did not fail, and are kept in the file
  std::vector<std::uint32_t> chosen;  // of these, evenly spaced
  bool drawn = false;                 // from an expansion instead
  bool follow_law = true;
};

Selection select(PageContext& c) {
  Selection s;
  if (!c.file.is_study()) return s;
  s.follow_law = c.file.rows_follow_law();
  const long there = c.file.samples();
  const std::vector<double> status = c.file.status();
  for (long k = 0; k < there; ++k)
    if (k >= long(status.size()) || status[std::size_t(k)] == 0) s.ok.push_back(std::uint32_t(k));
  s.drawn = c.source.drawn.rows > 0;
  if (!s.drawn && !s.follow_law) return s;
  const std::size_t bytes = sizeof(float) * c.shown_times() * c.outputs.size() + sizeof(double) * 50;
  const std::size_t fitting = std::max<std::size_t>(20, c.limits.realizations / bytes);
  const std::size_t all = s.drawn ? std::size_t(c.source.drawn.rows) : s.ok.size();
  const std::size_t n = std::min({all, fitting, std::size_t(c.limits.most_realizations)});
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t k = i * all / n;
    s.chosen.push_back(s.drawn ? std::uint32_t(k) : s.ok[k]);
  }
  if (!s.drawn && n < all)
    c.notes.push_back(
        fmt::format("{} of the {} realizations are shown one by one, evenly spaced; statistics are of all. `aleator view` shows "
                    "the distribution of all at any time.",
                    n, all));
  return s;
}

// Running mean and standard deviation of the first n realizations, at some times.
struct Running {
  std::vector<std::uint32_t> counts;
  std::vector<std::size_t> times;  // indices
  std::vector<double> mean, std;   // [counts][times] of one output
};

Running running_for(const PageContext& c, const Selection& s) {
  Running r;
  const std::size_t n = s.ok.size();
  if (!s.follow_law || n < 2) return r;
  constexpr int most_counts = 60, most_times = 48;
  for (int i = 0; i < most_counts; ++i) {
    const auto count = std::uint32_t(std::lround(2 * std::pow(double(n) / 2, double(i) / (most_counts - 1))));
    if (r.counts.empty() || count > r.counts.back()) r.counts.push_back(count);
  }
  const std::size_t times = c.time.size();
  for (std::size_t i = 0; i < std::min<std::size_t>(times, most_times); ++i)
    r.times.push_back(times <= most_times ? i : i * (times - 1) / (most_times - 1));
  return r;
}

// One pass over the realizations of an output, some rows at a time: the chosen ones, and running moments (Welford).
std::vector<double> read_realizations(const PageContext& c, const std::string& output, const Selection& s, Running& running) {
  std::vector<double> chosen, mean(running.times.size()), squares(running.times.size());
  const long rows = c.file.samples();
  const std::size_t times = c.time.size();
  running.mean.clear();
  running.std.clear();
  if (times == 0) return chosen;
  std::size_t next_ok = 0, next_chosen = 0, next_count = 0;
  const long step = std::max(1L, 4'000'000 / long(std::max<std::size_t>(1, times)));
  for (long first = 0; first < rows; first += step) {
    throw_if_cancelled();
    const std::vector<double> values = c.file.responses(output, first, std::min(step, rows - first));
    for (; next_ok < s.ok.size() && s.ok[next_ok] < first + step; ++next_ok) {
      const double* row = &values[std::size_t(s.ok[next_ok] - first) * times];
      if (next_chosen < s.chosen.size() && s.chosen[next_chosen] == s.ok[next_ok]) {
        for (std::size_t t = 0; t < times; t += std::size_t(c.stride)) chosen.push_back(row[t]);
        ++next_chosen;
      }
      const double n = double(next_ok + 1);
      for (std::size_t i = 0; i < running.times.size(); ++i) {
        const double d = row[running.times[i]] - mean[i];
        mean[i] += d / n;
        squares[i] += d * (row[running.times[i]] - mean[i]);
      }
      if (next_count < running.counts.size() && running.counts[next_count] == next_ok + 1) {
        running.mean.insert(running.mean.end(), mean.begin(), mean.end());
        for (const double q : squares) running.std.push_back(std::sqrt(q / (n - 1)));
        ++next_count;
      }
    }
  }
  return chosen;
}

std::vector<double> drawn_realizations(const PageContext& c, std::size_t output, const Selection& s) {
  std::vector<double> out;
  const std::size_t times = c.time.size(), outputs = c.outputs.size();
  for (const std::uint32_t k : s.chosen)
    for (std::size_t t = 0; t < times; t += std::size_t(c.stride))
      out.push_back(c.source.drawn.values[(k * times + t) * outputs + output]);
  return out;
}

// Of an output, or of a scalar.
void put_limits(PageContext& c, const std::string& name, bool scalar) {
  c.json.key("limits").array();
  for (const bool above : {true, false}) {
    const auto limit = scalar ? c.file.scalar_limit(name, above) : c.file.limit(name, above);
    if (!limit) continue;
    c.json.object().key("above").boolean(above);
    c.put_number("value", limit->value);
    c.put_number("ever", limit->ever.value);
    c.put_number("everError", limit->ever.error);
    c.put_number("everFrom", limit->ever.interval.low);
    c.put_number("everTo", limit->ever.interval.high);
    c.put_number("everLow", limit->ever_with_missing.low);
    c.put_number("everHigh", limit->ever_with_missing.high);
    if (!scalar) {
      c.put_exact("probability", true, [&] { return limit->probability; });
      c.put_exact("error", true, [&] { return limit->error; });
    }
    c.json.end();
  }
  c.json.end();
}

void put_output(PageContext& c, std::size_t i, const Selection& s, Running& running) {
  const std::string& name = c.outputs[i];
  c.json.object().key("name").string(name).key("unit").string(c.file.unit(name));
  const std::pair<const char*, std::vector<double> Statistics::*> curves[] = {{"nominal", &Statistics::nominal},
                                                                              {"mean", &Statistics::mean},
                                                                              {"std", &Statistics::std},
                                                                              {"lower", &Statistics::lower},
                                                                              {"upper", &Statistics::upper},
                                                                              {"minimum", &Statistics::minimum},
                                                                              {"maximum", &Statistics::maximum},
                                                                              {"meanError", &Statistics::mean_error},
                                                                              {"stdError", &Statistics::std_error},
                                                                              {"lowerError", &Statistics::lower_error},
                                                                              {"upperError", &Statistics::upper_error}};
  for (const auto& [key, column] : curves)
    c.put_exact(key, c.file.has_statistics(name, column), [&] { return c.file.statistics(name, column); });
  for (const bool lower : {true, false}) {
    const auto ranges = c.file.with_missing(name, lower ? Bounded::lower : Bounded::upper);
    c.put_exact(lower ? "lowerLow" : "upperLow", ranges.has_value(), [&] { return ranges->low; });
    c.put_exact(lower ? "lowerHigh" : "upperHigh", ranges.has_value(), [&] { return ranges->high; });
  }
  const results::Accuracy accuracy = c.file.accuracy(name);
  c.json.key("accuracy").object();
  c.put_number("mean", accuracy.mean);
  c.put_number("std", accuracy.std);
  c.put_number("band", accuracy.band);
  c.json.end();
  put_limits(c, name, false);
  c.json.key("realizations");
  if (s.chosen.empty() && running.counts.empty()) {
    c.json.null();
  } else {
    const std::vector<double> chosen = s.drawn ? drawn_realizations(c, i, s) : read_realizations(c, name, s, running);
    c.block.drawn(c.json, chosen);
  }
  c.json.end();
}

void put_kept(PageContext& c, const Selection& s) {
  c.json.key("kept");
  if (s.chosen.empty()) {
    c.json.null();
    return;
  }
  const std::size_t total = s.drawn ? std::size_t(c.source.drawn.rows) : s.ok.size();
  c.json.object().key("total").number(double(total));
  c.json.key("source").string(s.drawn ? "expansion" : s.chosen.size() < total ? "sample" : "all");
  c.json.key("rows");
  c.block.whole(c.json, s.chosen);
  const std::vector<double> all = s.drawn ? c.source.drawn.inputs : c.file.inputs();
  const std::size_t columns = c.file.column_names().size();
  std::vector<double> inputs;
  if (!all.empty())
    for (const std::uint32_t k : s.chosen)
      inputs.insert(inputs.end(), all.begin() + long(k * columns), all.begin() + long((k + 1) * columns));
  c.json.key("inputs");
  if (all.empty())
    c.json.null();
  else
    c.block.exact(c.json, inputs);
  c.json.end();
}

void put_scalars(PageContext& c, const Selection& s) {
  c.json.key("scalars").array();
  for (const std::string& name : c.file.scalars()) {
    const results::ScalarStatistics x = c.file.scalar(name);
    c.json.object().key("name").string(name).key("unit").string(x.unit);
    c.json.key("kind").string(x.kind).key("output").string(x.channel);
    c.put_number("nominal", x.nominal);
    c.put_number("count", double(x.count));
    c.put_number("minimum", x.minimum);
    c.put_number("maximum", x.maximum);
    const std::pair<const char*, const results::Estimate*> estimates[] = {
        {"mean", &x.mean}, {"std", &x.std}, {"lower", &x.lower}, {"upper", &x.upper}};
    for (const auto& [key, e] : estimates)
      c.json.key(key).object().key("value").number(e->value).key("error").number(e->error).end();
    put_limits(c, name, true);
    c.json.key("values");
    if (s.drawn || !c.file.has_scalar_values(name)) {
      c.json.null();
    } else {
      const std::vector<double> all = c.file.scalar_values(name);
      std::vector<double> chosen;
      for (const std::uint32_t k : s.chosen) chosen.push_back(k < all.size() ? all[k] : nan);
      c.block.exact(c.json, chosen);
    }
    c.json.end();
  }
  c.json.end();
}

void put_convergence(PageContext& c, const Running& grid, const std::vector<Running>& of) {
  const auto known = [&](const std::string& name) { return c.file.has_convergence(name); };
  const bool norms = !c.outputs.empty() && std::all_of(c.outputs.begin(), c.outputs.end(), known);
  c.json.key("convergence");
  if (!norms && grid.counts.empty()) {
    c.json.null();
    return;
  }
  c.json.object().key("counts");
  const std::vector<long> counts = norms ? c.file.convergence_counts() : std::vector<long>();
  c.block.exact(c.json, std::vector<double>(counts.begin(), counts.end()));
  c.json.key("norms").array();
  for (const std::string& name : c.outputs) c.block.exact(c.json, norms ? c.file.convergence(name) : std::vector<double>());
  c.json.end().key("running");
  if (grid.counts.empty()) {
    c.json.null().end();
    return;
  }
  c.json.object().key("counts");
  c.block.whole(c.json, grid.counts);
  std::vector<double> times;
  for (const std::size_t t : grid.times) times.push_back(c.time[t]);
  c.json.key("times");
  c.block.exact(c.json, times);
  c.json.key("mean").array();
  for (const Running& r : of) c.block.drawn(c.json, r.mean);
  c.json.end().key("std").array();
  for (const Running& r : of) c.block.drawn(c.json, r.std);
  c.json.end().end().end();
}

}  // namespace

void put_statistics(PageContext& c) {
  const Selection s = select(c);
  const Running grid = s.drawn ? Running() : running_for(c, s);
  std::vector<Running> of;
  c.json.key("outputs").array();
  for (std::size_t i = 0; i < c.outputs.size(); ++i) {
    of.push_back(grid);
    put_output(c, i, s, of.back());
  }
  c.json.end();
  put_kept(c, s);
  put_scalars(c, s);
  put_convergence(c, grid, of);
}

}  // namespace aleator::core::report
