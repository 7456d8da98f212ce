#include "api/study_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/accuracy.hpp"
#include "api/reliability_text.hpp"
#include "api/study_summary.hpp"
#include "base/rounded.hpp"
#include "base/text_table.hpp"
#include "base/words.hpp"
#include "results/evidence.hpp"

namespace aleator::core {
namespace {

using results::StudyResult;

std::string labelled(const auto& x) { return x.unit.empty() ? x.name : fmt::format("{} [{}]", x.name, x.unit); }

std::string band_heading(const StudyResult& r) { return fmt::format("{:g} % band", 100 * r.statistics.confidence); }

// Each output at the time at which it scatters most.
std::string outputs_table(const StudyResult& r) {
  TextTable table;
  // A study of modes has one instant.
  const bool times = r.nominal.time.size() > 1;
  const auto row = [&](std::vector<std::string> cells) {
    if (!times) cells.erase(cells.begin() + 1);
    table.row(std::move(cells));
  };
  row({"output", "at t [s]", "nominal", "mean", times ? "max. std" : "std", band_heading(r)});
  for (size_t c = 0; c < r.nominal.channels.size(); ++c) {
    const results::ChannelStatistics& x = r.statistics.channels[c];
    const size_t t = telling_time(x);
    const std::string name = labelled(r.nominal.channels[c]), time = number(r.nominal.time[t]);
    if (!x.varies) {
      row({name, time, number(x.nominal[t]), "does not vary"});
      continue;
    }
    const double end_error = std::fmax(x.lower_error[t], x.upper_error[t]);  // both ends in the same digits
    row({name, time, number(x.nominal[t]), with_error(x.mean[t], x.mean_error[t]), rounded(x.std[t], x.std_error[t]),
         fmt::format("{} … {}", rounded(x.lower[t], end_error), rounded(x.upper[t], end_error))});
  }
  return table.text();
}

// Quantiles of times may lie among the realizations in which it never happens.
std::string quantile_words(const results::Estimate& e) { return std::isfinite(e.value) ? rounded(e.value, e.error) : "never"; }

// As of outputs: compared with the largest value of the unit, of which it is a value, too.
bool varies(const results::ScalarStatistics& x, const StudyResult& r) {
  double size = std::fmax(std::abs(x.nominal), std::abs(x.mean.value));
  for (size_t c = 0; c < r.nominal.channels.size(); ++c)
    if (r.nominal.channels[c].unit == x.unit)
      for (const double mean : r.statistics.channels[c].mean) size = std::fmax(size, std::abs(mean));
  return !(x.std.value <= analysis::round_off * size);
}

std::string scalars_table(const StudyResult& r) {
  if (r.statistics.scalars.empty()) return "";
  TextTable table;
  std::string never;
  table.row({"scalar", "nominal", "mean", "std", band_heading(r)});
  for (const results::ScalarStatistics& x : r.statistics.scalars) {
    if (x.count == r.statistics.realizations && !varies(x, r)) {
      table.row({labelled(x), quantile(x.nominal), "does not vary"});
      continue;
    }
    table.row({labelled(x), quantile(x.nominal), with_error(x.mean.value, x.mean.error), with_error(x.std.value, x.std.error),
               fmt::format("{} … {}", quantile_words(x.lower), quantile_words(x.upper))});
    if (x.count < r.statistics.realizations)
      never +=
          fmt::format("{} {} in {} of {} realizations\n", x.name, x.kind == "first_crossing" ? "never happens" : "has no value",
                      r.statistics.realizations - x.count, r.statistics.realizations);
  }
  return "\n" + table.text() + never;
}

std::string limits_lines(const StudyResult& r) {
  std::string text;
  for (const auto& l : r.statistics.limits) {
    const std::string& unit =
        l.scalar >= 0 ? r.statistics.scalars[size_t(l.scalar)].unit : r.nominal.channels[size_t(l.channel)].unit;
    text += wrapped(fmt::format(
        "{} {} {}{}: probability {}{}", limited(l, r.nominal.channels, r.statistics), l.above ? "above" : "below",
        number(l.value), unit.empty() ? "" : " " + unit, probability_words(l.ever),
        std::isnan(l.ever_with_missing.low) ? ""
                                            : fmt::format("\n  including the failed realizations: between {} and {}",
                                                          number(l.ever_with_missing.low), number(l.ever_with_missing.high))));
  }
  return text.empty() ? "" : "\n" + text;
}

// Frequencies are numbers, not functions of time.
const char* over_time(const StudyResult& r) { return r.nominal.time.size() == 1 ? "" : ", integrated over time"; }

std::string sobol_table(const StudyResult& r) {
  const results::SobolIndices& shares = r.statistics.shares;
  if (shares.groups.empty()) return "";
  TextTable table(2);
  table.row({"output", "group", "first-order", "total"});
  for (size_t c = 0; c < r.nominal.channels.size(); ++c) {
    const results::ChannelStatistics& x = r.statistics.channels[c];
    const std::string& name = r.nominal.channels[c].name;
    if (!x.varies) {
      table.row({name, "does not vary"});
      continue;
    }
    if (std::isnan(shares.of[c][0].integrated_first.value) && x.std[telling_time(x)] > 0) {
      table.row({name, "not known (sampled): see --sensitivity"});
      continue;
    }
    for (size_t g = 0; g < shares.groups.size(); ++g)
      table.row({g == 0 ? name : "", shares.groups[g], share(shares.of[c][g].integrated_first),
                 share(shares.of[c][g].integrated_total)});
  }
  return fmt::format("\nSobol indices{}{}\n{}", over_time(r),
                     shares.realizations > 0 ? fmt::format(" ({} pairs)", shares.realizations) : "", table.text());
}

std::string accuracy_lines(const Study& study, const StudyResult& r) {
  if (!(study.accuracy > 0)) return "";
  std::string text = fmt::format("\nstandard errors{} ({} requested)\n", over_time(r), core::percent(study.accuracy));
  for (size_t c = 0; c < r.statistics.channels.size(); ++c) {
    const results::ChannelStatistics& x = r.statistics.channels[c];
    const std::string& name = r.nominal.channels[c].name;
    text += !x.varies
                ? fmt::format("  {}: does not vary\n", name)
                : fmt::format("  {}: mean {}, std {}{}\n", name, core::percent(x.accuracy.mean), core::percent(x.accuracy.std),
                              study.accuracy_of_band ? ", band " + core::percent(x.accuracy.band) : "");
  }
  return text;
}

std::string evidence_lines(const StudyResult& r, bool details) {
  std::string text;
  for (const std::string& line : r.evidence)
    if (details || !line.starts_with(results::detail_mark)) text += wrapped(line);
  return text.empty() ? "" : "\n" + text;
}

}  // namespace

std::string study_text(const Study& study, const StudyResult& r, bool details) {
  std::string text = r.reliability ? reliability_text(*r.reliability, r.columns, details) : "";
  if (r.statistics.realizations <= 0) return text;
  if (!std::isnan(r.statistics.channels[0].mean[0])) text += "\n" + outputs_table(r);
  text += scalars_table(r) + (r.reliability ? "" : limits_lines(r)) + sobol_table(r);
  if (r.statistics.rank_error > 0)
    text += fmt::format("\nquantiles are exact to {:.2g} % of the ranks\n", 100 * r.statistics.rank_error);
  return text + accuracy_lines(study, r) + evidence_lines(r, details);
}

std::string failures_text(const StudyResult& r) {
  if (r.failures.empty()) return "";
  std::string text = fmt::format("{} of {} realizations failed and are excluded from the statistics; the first: {}: {}\n",
                                 r.failures.size(), r.done, r.failures[0].realization, r.failures[0].why);
  const auto& channels = r.statistics.channels;
  const auto worst = std::max_element(channels.begin(), channels.end(),
                                      [](const auto& a, const auto& b) { return shift_by_missing(a) < shift_by_missing(b); });
  const double shift = worst == channels.end() ? 0 : shift_by_missing(*worst), band = 100 * r.statistics.confidence;
  if (std::isinf(shift)) text += fmt::format("there are so many that the {:g} % band has no bound\n", band);
  if (!(shift > 0) || std::isinf(shift)) return text;
  const size_t t = telling_time(*worst);
  return text + wrapped(fmt::format("whatever their values, they move no limit of a {:g} % band by more than {:.2g} % of its "
                                    "width ({} at t = {} s: {} … {})",
                                    band, 100 * shift, r.nominal.channels[size_t(worst - channels.begin())].name,
                                    number(r.nominal.time[t]), number(worst->with_missing.lower.low[t]),
                                    number(worst->with_missing.upper.high[t])));
}

}  // namespace aleator::core
