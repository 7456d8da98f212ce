#include "study_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/atomic_file.hpp"
#include "commands.hpp"

namespace aleator::core::app {
namespace {

// Quantiles of times may lie among the realizations in which it never happens.
std::string quantile(double x) { return std::isfinite(x) ? number(x) : "never"; }

std::string share(const results::Estimate& e) {
  if (std::isnan(e.value)) return "no scatter";
  return std::isnan(e.error) ? fmt::format("{:.3f}", e.value) : fmt::format("{:.3f} ± {:.3f}", e.value, e.error);
}

// One significant digit, written out: 0.02, 3, 400.
std::string error_words(double x) {
  if (!(x >= 1e-4 && x < 1e6)) return fmt::format("{:.1g}", x);
  return fmt::format("{:.{}f}", x, std::max(0, int(-std::floor(std::log10(x)))));
}

std::string with_error(const results::Estimate& e) {
  if (std::isnan(e.value)) return "none";
  return std::isnan(e.error) ? number(e.value) : fmt::format("{} ± {}", number(e.value), error_words(e.error));
}

std::string percent(double x) { return std::isnan(x) ? "not known" : fmt::format("{:.2g} %", 100 * x); }

size_t longest(const std::vector<std::string>& words, size_t least) {
  for (const std::string& w : words) least = std::max(least, w.size());
  return least;
}

// The time to tell about: where the response scatters most or, of a single one, where it is farthest from the nominal.
size_t telling_time(const results::ChannelStatistics& x) {
  std::vector<double> size = x.std;
  for (size_t t = 0; t < size.size(); ++t)
    if (std::isnan(size[t])) size[t] = std::abs(x.mean[t] - x.nominal[t]);
  return size_t(std::max_element(size.begin(), size.end()) - size.begin());
}

void print_outputs(const StudySummary& s) {
  const results::StudyStatistics& all = s.result.statistics;
  std::vector<std::string> names;
  for (const results::Channel& c : s.result.nominal.channels) names.push_back(fmt::format("{} [{}]", c.name, c.unit));
  const size_t width = longest(names, 6);
  fmt::print("\n{:{}}  {:>11}  {:>9}  {:>11}  {:>20}  {:>26}\n", "output", width, "largest std", "at t [s]", "nominal", "mean",
             fmt::format("{:g} % band", 100 * all.confidence));
  for (size_t c = 0; c < names.size(); ++c) {
    const results::ChannelStatistics& x = all.channels[c];
    const size_t t = telling_time(x);
    fmt::print("{:{}}  {:>11}  {:>9}  {:>11}  {:>20}  {:>26}\n", names[c], width,
               std::isnan(x.std[t]) ? "none" : number(x.std[t]), number(s.result.nominal.time[t]), number(x.nominal[t]),
               with_error({x.mean[t], x.mean_error[t]}), fmt::format("{} … {}", number(x.lower[t]), number(x.upper[t])));
  }
}

void print_scalars(const StudySummary& s) {
  const auto& scalars = s.result.statistics.scalars;
  if (scalars.empty()) return;
  std::vector<std::string> names;
  for (const auto& x : scalars) names.push_back(fmt::format("{} [{}]", x.name, x.unit));
  const size_t width = longest(names, 6);
  fmt::print("\n{:{}}  {:>11}  {:>20}  {:>20}  {:>26}\n", "scalar", width, "nominal", "mean", "std",
             fmt::format("{:g} % band", 100 * s.result.statistics.confidence));
  for (size_t i = 0; i < scalars.size(); ++i) {
    const auto& x = scalars[i];
    fmt::print("{:{}}  {:>11}  {:>20}  {:>20}  {:>26}\n", names[i], width, quantile(x.nominal), with_error(x.mean),
               with_error(x.std), fmt::format("{} … {}", quantile(x.lower.value), quantile(x.upper.value)));
    if (x.count < s.result.statistics.realizations)
      fmt::print("{:{}}  never in {} of {} realizations\n", "", width, s.result.statistics.realizations - x.count,
                 s.result.statistics.realizations);
  }
}

void print_limits(const StudySummary& s) {
  for (const auto& l : s.result.statistics.limits)
    fmt::print(
        "{}{} {} {}: probability {}{}\n", &l == &s.result.statistics.limits.front() ? "\n" : "",
        s.result.nominal.channels[size_t(l.channel)].name, l.above ? "above" : "below", number(l.value), with_error(l.ever),
        std::isnan(l.ever_with_missing.low) ? ""
                                            : fmt::format("; with those that failed between {} and {}",
                                                          number(l.ever_with_missing.low), number(l.ever_with_missing.high)));
}

void print_shares(const StudySummary& s) {
  const results::SobolIndices& shares = s.result.statistics.shares;
  if (shares.groups.empty()) return;
  const auto& channels = s.result.nominal.channels;
  std::vector<std::string> names;
  for (const auto& c : channels) names.push_back(c.name);
  const size_t width = longest(names, 6), cause = longest(shares.groups, 5);
  fmt::print("\nshares of the variance, integrated over time{}\n",
             shares.realizations > 0 ? fmt::format(" ({} pairs)", shares.realizations) : "");
  fmt::print("{:{}}  {:{}}  {:>16}  {:>16}\n", "output", width, "cause", cause, "alone", "with interactions");
  for (size_t c = 0; c < channels.size(); ++c) {
    const auto& x = s.result.statistics.channels[c];
    if (std::isnan(shares.of[c][0].integrated_first.value) && x.std[telling_time(x)] > 0) {
      fmt::print("{:{}}  not known: it is sampled; --shares computes them\n", names[c], width);
      continue;
    }
    for (size_t g = 0; g < shares.groups.size(); ++g)
      fmt::print("{:{}}  {:{}}  {:>16}  {:>16}\n", g == 0 ? names[c] : "", width, shares.groups[g], cause,
                 share(shares.of[c][g].integrated_first), share(shares.of[c][g].integrated_total));
  }
}

// How well it is known, and how it was done.
void print_evidence(const StudySummary& s) {
  if (s.study.accuracy > 0) {
    std::string words;
    for (size_t c = 0; c < s.result.statistics.channels.size(); ++c) {
      const results::Accuracy& a = s.result.statistics.channels[c].accuracy;
      words += fmt::format("\n  {}: mean {}, std {}{}", s.result.nominal.channels[c].name, percent(a.mean), percent(a.std),
                           s.study.accuracy_of_band ? ", band " + percent(a.band) : "");
    }
    fmt::print("\nstandard errors, integrated over time ({} asked for){}\n", percent(s.study.accuracy), words);
  }
  if (!s.result.evidence.empty()) fmt::print("\n{}\n", fmt::join(s.result.evidence, "\n"));
}

// How far the ends of a band may move, whatever the missing realizations would have been, as a share of its width at the time to tell
// about; infinite: without bound.
double shift_by_missing(const results::ChannelStatistics& x) {
  if (x.with_missing.lower.low.empty()) return 0;
  const size_t t = telling_time(x);
  const auto& with = x.with_missing;
  const double shift = std::max({x.lower[t] - with.lower.low[t], with.lower.high[t] - x.lower[t], x.upper[t] - with.upper.low[t],
                                 with.upper.high[t] - x.upper[t]});
  return shift > 0 ? shift / (x.upper[t] - x.lower[t]) : 0;
}

void print_missing(const StudySummary& s) {
  const auto& channels = s.result.statistics.channels;
  size_t worst = 0;
  for (size_t c = 0; c < channels.size(); ++c)
    if (shift_by_missing(channels[c]) > shift_by_missing(channels[worst])) worst = c;
  const double shift = channels.empty() ? 0 : shift_by_missing(channels[worst]), band = 100 * s.result.statistics.confidence;
  if (std::isinf(shift))
    fmt::print(stderr, "they could be all that lies beyond an end of the {:g} % band: no bound on it holds whatever they are\n",
               band);
  if (!(shift > 0) || std::isinf(shift)) return;
  const auto& x = channels[worst];
  const size_t t = telling_time(x);
  fmt::print(
      stderr,
      "whatever they are, they move no end of a {:g} % band by more than {:.2g} % of its width ({} at t = {} s: {} … {})\n", band,
      100 * shift, s.result.nominal.channels[worst].name, number(s.result.nominal.time[t]), number(x.with_missing.lower.low[t]),
      number(x.with_missing.upper.high[t]));
}

void print_failures(const StudySummary& s) {
  const auto& failures = s.result.failures;
  if (failures.empty()) return;
  fmt::print(stderr, "{} of {} realizations failed and are in no statistic; the first: {}: {}\n", failures.size(), s.result.done,
             failures[0].realization, failures[0].why);
  print_missing(s);
}

}  // namespace

void print_summary(const StudySummary& s) {
  fmt::print("{}: {} realization{}{} in {}\n", s.model.title.empty() ? s.model.description.file : s.model.title, s.realizations,
             s.realizations == 1 ? "" : "s", s.rows == s.realizations ? "" : fmt::format(" ({} simulations now)", s.rows),
             duration_words(s.seconds));
  if (s.result.statistics.realizations > 0) {
    if (!std::isnan(s.result.statistics.channels[0].mean[0])) print_outputs(s);
    print_scalars(s);
    print_limits(s);
    print_shares(s);
    if (s.result.statistics.rank_error > 0)
      fmt::print("\nquantiles are exact to {:.2g} % of the ranks\n", 100 * s.result.statistics.rank_error);
    print_evidence(s);
  }
  print_failures(s);
  fmt::print("\nwrote {}\n", s.file);
}

static std::string correlation_words(const Correlation& c) {
  switch (c.kind) {
    case Correlation::Kind::squared_exponential:
      return fmt::format("squared exponential over {} m", number(c.length));
    case Correlation::Kind::exponential:
      return fmt::format("exponential over {} m", number(c.length));
    case Correlation::Kind::matern32:
      return fmt::format("Matern 3/2 over {} m", number(c.length));
    case Correlation::Kind::matern52:
      return fmt::format("Matern 5/2 over {} m", number(c.length));
    case Correlation::Kind::table:
      break;
  }
  return fmt::format("a table of {} points", c.distances.size());
}

results::FieldSummary summary_of(const BeamField& f) {
  results::FieldSummary s;
  s.name = f.name;
  s.method = f.method == RandomField::Method::eole ? "EOLE" : "Karhunen–Loève";
  s.correlation = correlation_words(f.correlation);
  s.terms = int(f.terms.size());
  if (f.law.kind == FieldLaw::Kind::distribution)
    s.law = f.law.distribution->words();
  else
    s.law = fmt::format(
        "{}, {}", f.law.kind == FieldLaw::Kind::lognormal ? "lognormal" : "Gaussian",
        f.law.relative ? fmt::format("{} % scatter", number(100 * f.law.spread)) : fmt::format("std {}", number(f.law.spread)));
  s.error_curve = f.field->error_curve(std::max(8, s.terms + 2));
  const std::vector<Vec3<double>>& points = f.beams[0].points;
  for (size_t i = 0; i < points.size(); ++i) {
    s.place.push_back(i == 0 ? 0 : s.place.back() + norm(points[i] - points[i - 1]));
    s.error.push_back(f.field->variance_error(points[i]));
  }
  return s;
}

std::string law_words(const Quantity& q) {
  if (!q.same_as.empty()) return "same as " + q.same_as;
  if (q.scalar) return q.scalar->words();
  if (q.center_of_mass) {
    const char* const names[] = {"box", "ball", "ellipsoid", "cylinder", "polyhedron"};
    return fmt::format("maximum entropy on a{} {}", q.center_of_mass->domain().kind == Domain::Kind::ellipsoid ? "n" : "",
                       names[int(q.center_of_mass->domain().kind)]);
  }
  return fmt::format("Kummer-Beta, lambda_l {:g}, lambda_u {:g}", q.inertia->settings().lambda_l, q.inertia->settings().lambda_u);
}

std::string duration_words(double seconds) {
  if (seconds < 100) return fmt::format("{:.2g} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void remove_partial(const std::string& folder) {
  std::error_code ignored;
  if (std::filesystem::remove(folder + "/partial.h5", ignored)) sync_folder_of(folder + "/partial.h5");
}

}  // namespace aleator::core::app
