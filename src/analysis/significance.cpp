#include "analysis/significance.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>

namespace aleator::core::analysis {

constexpr double significant = 0.01;  // of p, divided by the number of outputs

std::string significance(const Comparison& c) {
  std::vector<std::string> differ;
  std::size_t tested = 0;
  for (const auto& x : c.outputs) tested += x.samples.has_value();
  for (const auto& x : c.scalars) tested += !std::isnan(x.p);
  if (tested == 0) return "no tests: they need realizations of both, and scatter";
  const double bound = significant / double(tested);
  for (const auto& x : c.outputs)
    if (x.samples && x.samples->smallest < bound) differ.push_back(x.name);
  for (const auto& x : c.scalars)
    if (x.p < bound) differ.push_back(x.name);
  if (differ.empty()) return "no distribution differs by more than noise (at 1 %)";
  return fmt::format("distributions differ by more than noise (at 1 %): {}", fmt::join(differ, ", "));
}

std::string percent(double x) {
  if (std::isnan(x)) return "–";
  if (std::isinf(x)) return "∞";
  return x == 0 ? "0" : x >= 0.1 ? fmt::format("{:.0f} %", 100 * x) : fmt::format("{:.2g} %", 100 * x);
}

namespace {

std::string all_of(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

// The largest of one measure, and those above what is allowed.
struct Largest {
  std::string measure, name;
  double value = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::string> above;

  void see(const std::string& of, const Difference& d, std::optional<double> allowed) {
    if (std::isnan(d.value)) return;
    if (allowed && d.value > *allowed) above.push_back(fmt::format("{} of {} is {}", measure, of, percent(d.value)));
    if (d.value <= value) return;
    name = of;
    value = d.value;
  }
  std::string words() const {
    return std::isnan(value) ? "no " + measure : fmt::format("{} up to {} ({})", measure, percent(value), name);
  }
};

}  // namespace

Verdict verdict(const Comparison& c, std::optional<double> allowed, std::optional<double> allowed_band) {
  Largest mean{"e_mu"}, std{"e_sigma"}, lower{"e_lower"}, upper{"e_upper"};
  for (const auto& x : c.outputs) {
    mean.see(x.name, x.mean, allowed);
    std.see(x.name, x.std, allowed);
    lower.see(x.name, x.lower, allowed_band);
    upper.see(x.name, x.upper, allowed_band);
  }
  for (const auto& x : c.scalars) {
    mean.see(x.name, x.mean, allowed);
    std.see(x.name, x.std, allowed);
  }
  std::vector<std::string> above, allowances, sizes = {mean.words(), std.words()};
  for (const Largest* l : {&mean, &std, &lower, &upper}) above.insert(above.end(), l->above.begin(), l->above.end());
  if (allowed) allowances.push_back(percent(*allowed));
  if (allowed_band) {
    allowances.push_back(fmt::format("{} of the bands", percent(*allowed_band)));
    sizes.insert(sizes.end(), {lower.words(), upper.words()});
  }
  const std::string differs = fmt::format("B differs from the reference A: {}", all_of(sizes));
  if (allowances.empty()) return {false, differs};
  if (above.empty()) return {false, fmt::format("within {}: {}", all_of(allowances), differs)};
  return {true, fmt::format("exceeds {}: {}", all_of(allowances), all_of(above))};
}

std::string comparison_csv(const Comparison& c) {
  std::string text =
      "name,kind,units,e_mu,e_mu_noise,e_mu_relative_to,e_sigma,e_sigma_noise,e_lower,e_lower_noise,e_upper,e_upper_noise,"
      "time,ks,ks_p,mean_p,spread_p,ks_p_any_time\n";
  const auto put = [&](std::initializer_list<double> numbers) {
    for (const double x : numbers) text += std::isnan(x) ? "," : fmt::format(",{:.17g}", x);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& x : c.outputs) {
    text += fmt::format("{},output,{}", x.name, x.unit);
    put({x.mean.value, x.mean.noise});
    text += x.by_scatter ? ",scatter" : ",mean";
    put({x.std.value, x.std.noise, x.lower.value, x.lower.noise, x.upper.value, x.upper.noise});
    if (const auto& s = x.samples)
      put({s->time, s->distribution.statistic, s->distribution.p, s->mean.p, s->spread.p, std::min(1.0, s->smallest)});
    else
      put({nan, nan, nan, nan, nan, nan});
    text += "\n";
  }
  for (const auto& x : c.scalars) {
    text += fmt::format("{},scalar,{}", x.name, x.unit);
    put({x.mean.value, x.mean.noise});
    text += x.by_scatter ? ",scatter" : ",mean";
    put({x.std.value, x.std.noise, nan, nan, nan, nan, nan, nan, x.p, nan, nan, nan});
    text += "\n";
  }
  return text;
}

}  // namespace aleator::core::analysis
