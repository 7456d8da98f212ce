#include "inference/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numbers>

namespace aleator::inference {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// --- size -----------------------------------------------------------------------------------------------------------------------

struct Sizes {  // rms over time of one output; medians and extremes over specimens and realizations
  double measured = nan, noise = 0;
  double least = nan, typical = nan, most = nan;
};

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  return x.empty() ? nan : (x[(x.size() - 1) / 2] + x[x.size() / 2]) / 2;
}

// The simulated rms is over all times, that of a specimen over those that were measured: a start at rest that was left out matters little
// against the factors we look for.
Sizes sizes(const Responses& r, const results::Measurements& m, std::size_t channel) {
  const std::size_t channels = m.channels.size(), times = r.times.size();
  std::vector<double> simulated, measured;
  for (long i = 0; i < r.count(); ++i) {
    double sum = 0;
    for (std::size_t t = 0; t < times; ++t) {
      const double v = r.values[(std::size_t(i) * times + t) * channels + channel];
      sum += v * v / double(times);
    }
    simulated.push_back(std::sqrt(sum));
  }
  for (const results::Specimen& s : m.specimens) {
    double sum = 0, count = 0;
    for (std::size_t t = 0; t < s.times.size(); ++t) {
      const double v = s.values[t * channels + channel];
      if (std::isfinite(v)) sum += v * v, ++count;
    }
    if (count > 0) measured.push_back(std::sqrt(sum / count));
  }
  if (simulated.empty() || measured.empty()) return {};
  const auto [least, most] = std::minmax_element(simulated.begin(), simulated.end());
  return {median(measured), m.noise[channel], *least, median(simulated), *most};
}

// How many times larger than the largest simulation (above 1), or than the smallest (below 1); 1: in between, or unknown.
// Noise makes measurements larger, never smaller.
double beyond(const Sizes& s) {
  const double without_noise = std::sqrt(std::max(s.measured * s.measured - s.noise * s.noise, 0.0));
  if (!(s.most > 0)) return 1;
  if (without_noise > s.most) return without_noise / s.most;
  if (s.measured < s.least) return s.measured / s.least;
  return 1;
}

struct Confusion {
  double factor;  // measured larger by this
  const char *larger, *smaller;
};
constexpr Confusion confusions[] = {
    {1e3, "1,000: milli-units", "1,000: kilo-units"},
    {1e6, "1,000,000: micro-units", "1,000,000: mega-units"},
    {100, "100: centimetres or per cent", "100"},
    {10, "10", "10"},
    {180 / std::numbers::pi, "57.3: degrees instead of radians", "57.3: radians instead of degrees"},
    {9.80665, "9.81: m/s² instead of g", "9.81: g instead of m/s²"},
    {30 / std::numbers::pi, "9.55: rpm instead of rad/s", "9.55: rad/s instead of rpm"},
    {2 * std::numbers::pi, "6.28: rad/s instead of Hz", "6.28: Hz instead of rad/s"},
};

// "1,000", "57", "9.8".
std::string spoken(double factor) {
  if (factor < 10) return fmt::format("{:.1f}", factor);
  std::string digits =
      fmt::format("{:.0f}", factor < 100 ? factor
                                         : std::round(factor / std::pow(10, std::floor(std::log10(factor)) - 1)) *
                                               std::pow(10, std::floor(std::log10(factor)) - 1));
  for (long i = long(digits.size()) - 3; i > 0; i -= 3) digits.insert(std::size_t(i), ",");
  return digits;
}

std::string size_hint(const std::string& channel, const Sizes& s) {
  if (s.measured == 0) return fmt::format("{} is measured as zero throughout: was its sensor connected?", channel);
  const double ratio = s.measured / s.typical, size = ratio > 1 ? ratio : 1 / ratio;
  // A factor explains the size if what remains is no more than between simulations.
  const double room = std::log(1.2) + std::max(std::log(s.most / s.typical), std::log(s.typical / std::max(s.least, 1e-300)));
  const Confusion* best = nullptr;
  for (const Confusion& c : confusions) {
    const double off = std::abs(std::log(size / c.factor));
    if (off <= std::min(room, std::log(3)) && (!best || off < std::abs(std::log(size / best->factor)))) best = &c;
  }
  return fmt::format("{} is measured about {} times {} than simulated, whatever the parameters: is its unit right{}?", channel,
                     spoken(size), ratio > 1 ? "larger" : "smaller",
                     best ? fmt::format(" ({})", ratio > 1 ? best->larger : best->smaller) : "");
}

// --- sign and time --------------------------------------------------------------------------------------------------------------

// One output over the times of the model; NaN where nothing was measured.
struct Curves {
  std::vector<double> measured;        // mean of specimens
  std::vector<double> mean, variance;  // of simulations
  double usual = 0;                    // misfit that only one in a hundred simulations exceeds
};

// Mean over specimens of what was measured, interpolated to the times of the model.
std::vector<double> mean_measured(const Responses& r, const results::Measurements& m, std::size_t channel) {
  std::vector<double> sum(r.times.size(), 0.0), count(r.times.size(), 0.0);
  for (const results::Specimen& s : m.specimens) {
    std::vector<double> t, v;
    for (std::size_t i = 0; i < s.times.size(); ++i)
      if (const double x = s.values[i * m.channels.size() + channel]; std::isfinite(x)) t.push_back(s.times[i]), v.push_back(x);
    for (std::size_t j = 0; j < sum.size(); ++j) {
      const std::size_t after = std::size_t(std::lower_bound(t.begin(), t.end(), r.times[j]) - t.begin());
      if (after == t.size() || (after == 0 && t[0] > r.times[j])) continue;
      const double part = after == 0 ? 0 : (r.times[j] - t[after - 1]) / (t[after] - t[after - 1]);
      sum[j] += after == 0 ? v[0] : (1 - part) * v[after - 1] + part * v[after];
      ++count[j];
    }
  }
  for (std::size_t j = 0; j < sum.size(); ++j) sum[j] = count[j] > 0 ? sum[j] / count[j] : nan;
  return sum;
}

// Mean square of the difference to the mean simulation, in its standard deviations; x(t + lag) against the model at t. NaN if
// less than half of the times overlap.
template <class F>
double misfit(const Curves& c, long lag, const F& x) {
  const long n = long(c.mean.size());
  double sum = 0, count = 0;
  for (long j = std::max(0l, -lag); j < std::min(n, n - lag); ++j)
    if (const double d = x(j + lag) - c.mean[std::size_t(j)]; std::isfinite(d))
      sum += d * d / c.variance[std::size_t(j)], ++count;
  return count >= double(n) / 2 ? sum / count : nan;
}

double misfit(const Curves& c, long lag, double sign) {
  return misfit(c, lag, [&](long j) { return sign * c.measured[std::size_t(j)]; });
}

Curves curves(const Responses& r, const results::Measurements& m, std::size_t channel) {
  const std::size_t times = r.times.size(), channels = m.channels.size();
  const double n = double(r.count());
  Curves c{mean_measured(r, m, channel), std::vector<double>(times), std::vector<double>(times)};
  const auto value = [&](long i, std::size_t t) { return r.values[(std::size_t(i) * times + t) * channels + channel]; };
  double overall = 0;
  for (std::size_t t = 0; t < times; ++t) {
    for (long i = 0; i < r.count(); ++i) c.mean[t] += value(i, t) / n;
    for (long i = 0; i < r.count(); ++i) c.variance[t] += (value(i, t) - c.mean[t]) * (value(i, t) - c.mean[t]) / n;
    overall += c.variance[t] / double(times);
  }
  // Where nothing scatters, a small part of what scatters elsewhere: a difference there must not count without bound.
  const double least = 1e-3 * overall + m.noise[channel] * m.noise[channel] / double(m.specimens.size());
  for (double& v : c.variance) v += least;
  if (!(least > 0)) return c;
  std::vector<double> all;
  for (long i = 0; i < r.count(); ++i) all.push_back(misfit(c, 0, [&](long j) { return value(i, std::size_t(j)); }));
  std::sort(all.begin(), all.end());
  c.usual = all[std::size_t(0.99 * (n - 1))];
  return c;
}

struct Shift {
  double lag = 0;  // in steps; positive: measured later
  double misfit = nan;
};

double total_misfit(const std::vector<Curves>& all, long lag) {
  double sum = 0;
  for (const Curves& c : all) sum += misfit(c, lag, 1);
  return sum;
}

// The lag of least misfit of all outputs together, at most a quarter of the time; between steps by a parabola.
Shift best_shift(const std::vector<Curves>& all) {
  Shift best{0, total_misfit(all, 0)};
  const long range = long(all[0].mean.size()) / 4;
  long at = 0;
  for (long lag = -range; lag <= range; ++lag)
    if (const double f = total_misfit(all, lag); f < best.misfit) best.misfit = f, at = lag;
  const double before = total_misfit(all, at - 1), after = total_misfit(all, at + 1), bend = before - 2 * best.misfit + after;
  best.lag = double(at) + (bend > 0 ? 0.5 * (before - after) / bend : 0);
  return best;
}

std::string spoken_time(double seconds) {
  const double s = std::abs(seconds);
  return s < 1e-3 ? fmt::format("{:.2g} µs", 1e6 * s) : s < 1 ? fmt::format("{:.1f} ms", 1e3 * s) : fmt::format("{:.2f} s", s);
}

// Better means at most this part of the misfit.
constexpr double much_better = 0.25;

bool opposite_sign(const Curves& c) {
  const double now = misfit(c, 0, 1), turned = misfit(c, 0, -1);
  return now > std::max(4.0, c.usual) && turned < much_better * now && turned < 2 * best_shift({c}).misfit;
}

void add_shift_hint(const Responses& r, const std::vector<Curves>& all, std::vector<std::string>& found) {
  if (all.empty() || r.times.size() < 8) return;
  double usual = 0;
  for (const Curves& c : all) usual += std::max(4.0, c.usual);
  const Shift shift = best_shift(all);
  const double now = total_misfit(all, 0);
  if (!(now > usual && shift.misfit < much_better * now)) return;
  const double seconds = shift.lag * (r.times.back() - r.times.front()) / double(r.times.size() - 1);
  found.push_back(
      fmt::format("the measurements look shifted by {} against the model ({} than simulated): is their zero of time right?",
                  spoken_time(seconds), seconds > 0 ? "later" : "earlier"));
}

}  // namespace

std::vector<std::string> hints(const Responses& reference, const results::Measurements& measured) {
  std::vector<std::string> found;
  std::vector<Curves> plausible;  // outputs of the right size and sign
  if (reference.count() < 2) return found;
  for (std::size_t c = 0; c < measured.channels.size(); ++c) {
    const Sizes s = sizes(reference, measured, c);
    if (std::isnan(s.measured)) continue;
    if (const double factor = beyond(s); factor > 1.5 || factor < 1 / 1.5) {
      found.push_back(size_hint(measured.channels[c], s));
      continue;
    }
    Curves k = curves(reference, measured, c);
    if (!(k.usual > 0)) continue;  // it does not scatter
    if (opposite_sign(k))
      found.push_back(fmt::format("{} looks measured with the opposite sign", measured.channels[c]));
    else
      plausible.push_back(std::move(k));
  }
  add_shift_hint(reference, plausible, found);
  return found;
}

std::string absurd(const Responses& reference, const results::Measurements& measured) {
  constexpr double certain = 30;
  std::string text;
  for (std::size_t c = 0; c < measured.channels.size() && reference.count() > 0; ++c) {
    const Sizes s = sizes(reference, measured, c);
    const double factor = beyond(s);
    if (factor > certain || factor < 1 / certain) text += (text.empty() ? "" : "; ") + size_hint(measured.channels[c], s);
  }
  return text;
}

}  // namespace aleator::inference
