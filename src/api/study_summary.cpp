#include "api/study_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/rounded.hpp"
#include "base/words.hpp"

namespace aleator::core {

std::size_t telling_time(const results::ChannelStatistics& x) {
  std::vector<double> size = x.std;
  for (std::size_t t = 0; t < size.size(); ++t)
    if (std::isnan(size[t])) size[t] = std::abs(x.mean[t] - x.nominal[t]);
  return std::size_t(std::max_element(size.begin(), size.end()) - size.begin());
}

double shift_by_missing(const results::ChannelStatistics& x) {
  if (x.with_missing.lower.low.empty()) return 0;
  const std::size_t t = telling_time(x);
  const auto& with = x.with_missing;
  const double shift = std::max({x.lower[t] - with.lower.low[t], with.lower.high[t] - x.lower[t], x.upper[t] - with.upper.low[t],
                                 with.upper.high[t] - x.upper[t]});
  return shift > 0 ? shift / (x.upper[t] - x.lower[t]) : 0;
}

std::string name_of(const StudyData& data) {
  return data.provenance.title.empty() ? data.provenance.model_file : data.provenance.title;
}

// Quantiles of times may lie among the realizations in which it never happens.
std::string quantile(double x) { return std::isfinite(x) ? number(x) : "never"; }

std::string share(const results::Estimate& e) {
  if (std::isnan(e.value)) return "–";
  return std::isnan(e.error) ? fmt::format("{:.3f}", e.value) : with_error(e.value, e.error);
}

std::string percent(double x) { return std::isnan(x) ? "not known" : fmt::format("{:.2g} %", 100 * x); }

namespace {

// Two digits of how far it is from 0 or 1, whichever is nearer.
std::string near_end(double p) {
  if (p < 0.5) return fmt::format("{:.2g}", p);
  return fmt::format("{:.{}f}", p, p < 1 ? std::max(2, 1 - int(std::floor(std::log10(1 - p)))) : 0);
}

}  // namespace

std::string probability_words(const results::Probability& p) {
  const auto [low, high] = p.interval;
  if (std::isnan(low) || std::isnan(high)) return with_error(p.value, p.error);
  if (p.value == 0) return fmt::format("0, below {} with 95 % confidence", near_end(high));
  if (p.value == 1) return fmt::format("1, above {} with 95 % confidence", near_end(low));
  return fmt::format("{}, between {} and {} with 95 % confidence", rounded(p.value, p.error), near_end(low), near_end(high));
}

}  // namespace aleator::core
