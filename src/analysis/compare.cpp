#include "analysis/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "analysis/time_integral.hpp"
#include "base/constants.hpp"

namespace aleator::core::analysis {
namespace {

using results::StudyReader;
using Parameters = std::vector<double>;
constexpr double roundoff = 1e-12;       // of the largest value of the same unit
constexpr double told_from_zero = 3;     // times the noise
constexpr double enough_scatter = 0.01;  // of the largest: where distributions are compared
constexpr std::size_t most_times = 16;

double total_noise(double a, double b) {
  if (std::isnan(a)) return std::sqrt(2 / std::numbers::pi) * std::abs(b);
  return std::sqrt(2 / std::numbers::pi) * (std::isnan(b) ? std::abs(a) : std::hypot(a, b));
}

double integral_of_magnitude(std::span<const double> w, std::span<const double> x) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * std::abs(x[i]);
  return sum;
}

double integral_of_noise(std::span<const double> w, std::span<const double> error) {
  double sum = 0;
  for (std::size_t i = 0; i < w.size(); ++i) sum += w[i] * total_noise(error[i], nan);
  return sum;
}

// Where each time of `to` lies among those of `from`.
struct Place {
  std::size_t before;
  double share;  // of the next one
};
std::vector<Place> places(const Parameters& from, const Parameters& to) {
  std::vector<Place> out;
  for (const double t : to) {
    const auto after = std::lower_bound(from.begin(), from.end(), t);
    const std::size_t i = std::size_t(after - from.begin());
    if (after == from.end())
      out.push_back({from.size() - 1, 0});
    else if (*after == t || i == 0)
      out.push_back({i, 0});
    else
      out.push_back({i - 1, (t - from[i - 1]) / (from[i] - from[i - 1])});
  }
  return out;
}

Parameters at_places(const Parameters& x, const std::vector<Place>& where) {
  Parameters out;
  for (const Place& p : where)
    out.push_back(p.share == 0 ? x.at(p.before) : std::lerp(x.at(p.before), x.at(p.before + 1), p.share));
  return out;
}

// Tests need realizations that are draws, not the points of a quadrature, and more than one that did not fail.
bool has_draws(const StudyReader& r) { return r.samples() > 1 && r.rows_follow_law() && r.realizations() > 1; }

using Statistics = results::ChannelStatistics;
using Column = StudyReader::StatisticsColumn;

// Two studies on the times of the first, the reference A.
class Pair {
 public:
  Pair(const StudyReader& a, const StudyReader& b) : a_(a), b_(b) {
    const Parameters tb = b.time();
    times_ = a.time();
    if (tb.empty() || times_.empty()) throw CannotCompare("there are no times");
    const double slack = 1e-9 * std::max(std::abs(times_.front()), std::abs(times_.back()));
    if (std::abs(tb.front() - times_.front()) > slack || std::abs(tb.back() - times_.back()) > slack)
      throw CannotCompare(fmt::format("one covers {:g} to {:g} s, the other {:g} to {:g} s", times_.front(), times_.back(),
                                      tb.front(), tb.back()));
    interpolated_ = tb != times_;
    times_b_ = tb.size();
    where_ = places(tb, times_);
    weights_ = trapezoidal_weights(times_);
    for (const double w : weights_) duration_ += w;
    same_confidence_ = a.confidence() == b.confidence();
    has_samples_ = has_draws(a) && has_draws(b);
    for (const std::string& name : a.outputs())
      for (const Column end : {&Statistics::minimum, &Statistics::maximum})
        for (const double x : a.statistics(name, end))
          if (std::isfinite(x)) largest_[unit(name)] = std::max(largest_[unit(name)], std::abs(x));
  }

  bool interpolated() const { return interpolated_; }
  bool same_confidence() const { return same_confidence_; }

  ComparedOutput output(const std::string& name) const;

 private:
  struct Curve {
    Parameters value, error;
    operator Estimates() const { return {value, error}; }
  };
  Curve curve(const StudyReader& r, const std::string& name, Column what, Column its_error) const {
    Curve c{r.statistics(name, what), r.statistics(name, its_error)};
    const bool second = &r == &b_;
    const std::size_t times = second ? times_b_ : times_.size();
    if (c.value.size() != times || c.error.size() != times)
      throw results::ReadError(r.path(), "the statistics of " + name + " are damaged");
    return second ? Curve{at_places(c.value, where_), at_places(c.error, where_)} : c;
  }
  std::string unit(const std::string& name) const { return a_.unit(name); }
  ComparedSamples samples(const std::string& name, const Parameters& scatter) const;
  Parameters sample(const StudyReader& r, const std::string& name, std::size_t time) const;

  const StudyReader &a_, &b_;
  Parameters times_, weights_;
  double duration_ = 0;
  std::size_t times_b_;
  std::vector<Place> where_;  // of the times, among those of B
  bool interpolated_, same_confidence_, has_samples_;
  std::map<std::string, double> largest_;  // by unit
};

ComparedOutput Pair::output(const std::string& name) const {
  ComparedOutput out{.name = name, .unit = unit(name)};
  const auto largest = largest_.find(out.unit);
  const double zero = largest == largest_.end() ? 0 : roundoff * largest->second * duration_;
  const Curve mean_a = curve(a_, name, &Statistics::mean, &Statistics::mean_error),
              std_a = curve(a_, name, &Statistics::std, &Statistics::std_error);
  const double size = integral_of_magnitude(weights_, mean_a.value), scatter = integral_of_magnitude(weights_, std_a.value);
  out.by_scatter = scatter > zero && size <= std::max(zero, told_from_zero * integral_of_noise(weights_, mean_a.error));
  out.mean = relative_difference(weights_, curve(b_, name, &Statistics::mean, &Statistics::mean_error), mean_a,
                                 out.by_scatter ? scatter : size, zero);
  out.std = relative_difference(weights_, curve(b_, name, &Statistics::std, &Statistics::std_error), std_a, scatter, zero);
  const Curve lower = curve(a_, name, &Statistics::lower, &Statistics::lower_error),
              upper = curve(a_, name, &Statistics::upper, &Statistics::upper_error);
  double width = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) width += weights_[i] * (upper.value[i] - lower.value[i]);
  out.lower = out.upper = {nan, nan};
  if (same_confidence_) {
    out.lower = relative_difference(weights_, curve(b_, name, &Statistics::lower, &Statistics::lower_error), lower, width, zero);
    out.upper = relative_difference(weights_, curve(b_, name, &Statistics::upper, &Statistics::upper_error), upper, width, zero);
  }
  if (has_samples_ && scatter > zero) out.samples = samples(name, std_a.value);
  return out;
}

Parameters Pair::sample(const StudyReader& r, const std::string& name, std::size_t time) const {
  const Place p = &r == &b_ ? where_[time] : Place{time, 0};
  Parameters x = r.responses_at(name, long(p.before));
  if (p.share != 0) {
    const Parameters next = r.responses_at(name, long(p.before) + 1);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = std::lerp(x[k], next[k], p.share);
  }
  std::erase_if(x, [](double v) { return !std::isfinite(v); });  // those that failed
  return x;
}

ComparedSamples Pair::samples(const std::string& name, const Parameters& scatter) const {
  const std::size_t most = std::size_t(std::max_element(scatter.begin(), scatter.end()) - scatter.begin());
  const Parameters a = sample(a_, name, most), b = sample(b_, name, most);
  ComparedSamples out{times_[most], kolmogorov_smirnov(a, b), welch(a, b), brown_forsythe(a, b), 1, 0};
  std::vector<std::size_t> candidates;
  for (std::size_t i = 0; i < scatter.size(); ++i)
    if (scatter[i] >= enough_scatter * scatter[most]) candidates.push_back(i);
  out.times = int(std::min(candidates.size(), most_times));
  for (int i = 0; i < out.times; ++i) {
    const std::size_t last = candidates.size() - 1;
    const std::size_t at = candidates[out.times == 1 ? 0 : last * std::size_t(i) / std::size_t(out.times - 1)];
    out.smallest = std::min(out.smallest, out.times * kolmogorov_smirnov(sample(a_, name, at), sample(b_, name, at)).p);
  }
  return out;
}

// Values of a scalar; those of realizations in which it never happens are infinite.
Parameters scalar_values(const StudyReader& r, const std::string& name) {
  if (!r.has_scalar_values(name)) return {};
  Parameters values = r.scalar_values(name), out;
  const Parameters status = r.status();
  for (std::size_t k = 0; k < values.size() && k < status.size(); ++k)
    if (status[k] == 0) out.push_back(std::isnan(values[k]) ? infinity : values[k]);
  return out;
}

ComparedScalar compare_scalar(const StudyReader& a, const StudyReader& b, const std::string& name) {
  const results::ScalarStatistics of_a = a.scalar(name), of_b = b.scalar(name);
  ComparedScalar out{.name = name, .mean_a = of_a.mean, .mean_b = of_b.mean, .std_a = of_a.std, .std_b = of_b.std};
  out.unit = of_a.unit;
  const double zero = roundoff * std::max(std::abs(of_a.minimum), std::abs(of_a.maximum));
  const auto difference = [&](const results::Estimate& x, const results::Estimate& y, double scale) -> Difference {
    const double one = 1;
    return relative_difference({&one, 1}, {{&x.value, 1}, {&x.error, 1}}, {{&y.value, 1}, {&y.error, 1}}, scale, zero);
  };
  const double size = std::abs(out.mean_a.value), scatter = out.std_a.value;
  out.by_scatter = scatter > zero && size <= std::max(zero, told_from_zero * total_noise(out.mean_a.error, nan));
  out.mean = difference(out.mean_b, out.mean_a, out.by_scatter ? scatter : size);
  out.std = difference(out.std_b, out.std_a, scatter);
  const bool tested = scatter > zero && has_draws(a) && has_draws(b);
  out.p = tested ? kolmogorov_smirnov(scalar_values(a, name), scalar_values(b, name)).p : nan;
  return out;
}

bool is_wanted(const std::string& name, const std::vector<std::string>& names) {
  return names.empty() ||
         std::any_of(names.begin(), names.end(), [&](const std::string& n) { return name == n || name.starts_with(n + "."); });
}

bool holds(const std::vector<std::string>& list, const std::string& x) {
  return std::find(list.begin(), list.end(), x) != list.end();
}

}  // namespace

Difference relative_difference(std::span<const double> weights, Estimates a, Estimates b, double scale, double zero) {
  double value = 0, noise = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (std::isnan(a.value[i]) != std::isnan(b.value[i])) return {infinity, nan};  // known in one of them only
    value += weights[i] * std::abs(a.value[i] - b.value[i]);
    noise += weights[i] * total_noise(a.error[i], b.error[i]);
  }
  if (scale > zero) return {value / scale, noise / scale};
  return {value > zero ? infinity : nan, nan};
}

Comparison compare(const StudyReader& a, const StudyReader& b, const std::vector<std::string>& names) {
  const Pair pair(a, b);
  Comparison out{.interpolated = pair.interpolated(), .bands = pair.same_confidence()};
  const auto each_common = [&](const std::vector<std::string>& in_a, const std::vector<std::string>& in_b, const auto& f) {
    for (const std::string& n : in_b)
      if (is_wanted(n, names) && !holds(in_a, n)) out.only_b.push_back(n);
    for (const std::string& n : in_a) {
      if (!is_wanted(n, names)) continue;
      if (holds(in_b, n))
        f(n);
      else
        out.only_a.push_back(n);
    }
  };
  each_common(a.outputs(), b.outputs(), [&](const std::string& n) { out.outputs.push_back(pair.output(n)); });
  each_common(a.scalars(), b.scalars(), [&](const std::string& n) { out.scalars.push_back(compare_scalar(a, b, n)); });
  if (out.outputs.empty() && out.scalars.empty()) throw CannotCompare("they have no output in common");
  return out;
}

}  // namespace aleator::core::analysis
