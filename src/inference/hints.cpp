#include "inference/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "base/constants.hpp"
#include "inference/spoken.hpp"

namespace aleator::core::inference {
namespace {

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
    {100, "100: centimetres or per cent", "100: metres instead of centimetres"},
    {180 / std::numbers::pi, "57.3: degrees instead of radians", "57.3: radians instead of degrees"},
    {9.80665, "9.81: m/s² instead of g", "9.81: g instead of m/s²"},
    {30 / std::numbers::pi, "9.55: rpm instead of rad/s", "9.55: rad/s instead of rpm"},
    {2 * std::numbers::pi, "6.28: rad/s instead of Hz", "6.28: Hz instead of rad/s"},
};

std::string size_hint(const std::string& channel, const Sizes& s) {
  if (s.measured == 0) return fmt::format("{} is measured as zero throughout: was its sensor connected?", channel);
  // Most simulations may not move at all.
  const double usual = s.typical > 0 ? s.typical : s.most, ratio = s.measured / usual, size = ratio > 1 ? ratio : 1 / ratio;
  // A factor explains the size if what remains is no more than between simulations.
  const double room = std::log(1.2) + std::max(std::log(s.most / usual), std::log(usual / std::max(s.least, 1e-300)));
  const double most_off = std::min(room, std::log(3));
  double least_off = most_off;
  const auto off = [&](const Confusion& c) { return std::abs(std::log(size / c.factor)); };
  for (const Confusion& c : confusions) least_off = std::min(least_off, off(c));
  std::string likely;  // those that explain it about equally well
  for (const Confusion& c : confusions)
    if (off(c) <= std::min(most_off, least_off + 0.1))
      likely += (likely.empty() ? " (" : " or ") + std::string(ratio > 1 ? c.larger : c.smaller);
  return fmt::format("{} is measured about {} times {} than simulated, whatever the parameters: is its unit right{}?", channel,
                     spoken(size), ratio > 1 ? "larger" : "smaller", likely.empty() ? "" : likely + ")");
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

// Mean square of the difference to the mean simulation, in its standard deviations, of x(step). NaN if less than half is known.
template <class F>
double misfit_of(const F& x, const Curves& c) {
  double sum = 0, count = 0;
  for (std::size_t j = 0; j < c.mean.size(); ++j)
    if (const double d = x(j) - c.mean[j]; std::isfinite(d)) sum += d * d / c.variance[j], ++count;
  return count >= double(c.mean.size()) / 2 ? sum / count : nan;
}

// … of what was measured `lag` steps later, which need not be whole.
double misfit(const Curves& c, double lag, double sign) {
  const double whole = std::floor(lag), part = lag - whole;
  const auto value = [&](long i) { return i >= 0 && i < long(c.measured.size()) ? c.measured[std::size_t(i)] : nan; };
  return misfit_of(
      [&](std::size_t j) {
        const long i = long(j) + long(whole);
        return sign * (part > 0 ? (1 - part) * value(i) + part * value(i + 1) : value(i));
      },
      c);
}

Curves curves(const Responses& r, const results::Measurements& m, std::size_t channel) {
  const std::size_t times = r.times.size(), channels = m.channels.size();
  const double n = double(r.count());
  Curves c{mean_measured(r, m, channel), std::vector<double>(times), std::vector<double>(times)};
  const auto value = [&](long i, std::size_t t) { return r.values[(std::size_t(i) * times + t) * channels + channel]; };
  for (long i = 0; i < r.count(); ++i)
    for (std::size_t t = 0; t < times; ++t) c.mean[t] += value(i, t) / n;
  for (long i = 0; i < r.count(); ++i)
    for (std::size_t t = 0; t < times; ++t) c.variance[t] += (value(i, t) - c.mean[t]) * (value(i, t) - c.mean[t]) / n;
  const double overall = std::accumulate(c.variance.begin(), c.variance.end(), 0.0) / double(times);
  // Where nothing scatters, a small part of what scatters elsewhere: a difference there must not count without bound.
  const double least = 1e-3 * overall + m.noise[channel] * m.noise[channel] / double(m.specimens.size());
  for (double& v : c.variance) v += least;
  if (!(least > 0)) return c;
  std::vector<double> all;
  for (long i = 0; i < r.count(); ++i) all.push_back(misfit_of([&](std::size_t t) { return value(i, t); }, c));
  std::sort(all.begin(), all.end());
  c.usual = all[std::size_t(0.99 * (n - 1))];
  return c;
}

struct Shift {
  double lag = 0;  // in steps; positive: measured later
  double misfit = nan;
};

double total_misfit(const std::vector<Curves>& all, double lag) {
  double sum = 0;
  for (const Curves& c : all) sum += misfit(c, lag, 1);
  return sum;
}

// The lag of least misfit of all outputs together, at most a quarter of the time; to a twentieth of a step.
Shift best_shift(const std::vector<Curves>& all) {
  Shift best{0, total_misfit(all, 0)};
  const auto scan = [&](double from, double to, double step) {
    for (double lag = from; lag <= to; lag += step)
      if (const double f = total_misfit(all, lag); f < best.misfit) best = {lag, f};
  };
  const double range = std::floor(double(all[0].mean.size()) / 4);
  scan(-range, range, 1);
  const double whole = best.lag;
  scan(whole - 1, whole + 1, 0.05);
  return best;
}

std::string spoken_time(double seconds) {
  const double s = std::abs(seconds);
  return s < 1e-3 ? spoken(1e6 * s) + " µs" : s < 1 ? spoken(1e3 * s) + " ms" : spoken(s) + " s";
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
  found.push_back(fmt::format(
      "the measurements look shifted by about {} relative to the model ({} than simulated): is their zero of time right?",
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

}  // namespace aleator::core::inference
