#include "text/study_summary.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "api/output_json.hpp"
#include "api/report_input.hpp"
#include "api/study_summary.hpp"
#include "base/words.hpp"
#include "cli/colour.hpp"
#include "cli/command.hpp"
#include "study/session.hpp"
#include "text/profile.hpp"

namespace aleator::app {
namespace {

using namespace core;

// What is told about, of a study with results.
struct StudySummary {
  const Study& study;
  const results::StudyResult& result;
};

void print_outputs(const StudySummary& s) {
  const results::StudyStatistics& all = s.result.statistics;
  std::vector<std::string> names;
  for (const results::Channel& c : s.result.nominal.channels) names.push_back(fmt::format("{} [{}]", c.name, c.unit));
  const size_t width = longest(names, 6);
  say("\n{:{}}  {:>11}  {:>9}  {:>11}  {:>20}  {:>26}\n", "output", width, "largest std", "at t [s]", "nominal", "mean",
      fmt::format("{:g} % band", 100 * all.confidence));
  for (size_t c = 0; c < names.size(); ++c) {
    const results::ChannelStatistics& x = all.channels[c];
    const size_t t = telling_time(x);
    if (!x.varies) {
      say("{:{}}  {:>11}  {:>9}  {:>11}  {:>20}\n", names[c], width, "none", number(s.result.nominal.time[t]),
          number(x.nominal[t]), "does not vary");
      continue;
    }
    say("{:{}}  {:>11}  {:>9}  {:>11}  {:>20}  {:>26}\n", names[c], width, std::isnan(x.std[t]) ? "none" : number(x.std[t]),
        number(s.result.nominal.time[t]), number(x.nominal[t]), with_error({x.mean[t], x.mean_error[t]}),
        fmt::format("{} … {}", number(x.lower[t]), number(x.upper[t])));
  }
}

void print_scalars(const StudySummary& s) {
  const auto& scalars = s.result.statistics.scalars;
  if (scalars.empty()) return;
  std::vector<std::string> names;
  for (const auto& x : scalars) names.push_back(fmt::format("{} [{}]", x.name, x.unit));
  const size_t width = longest(names, 6);
  say("\n{:{}}  {:>11}  {:>20}  {:>20}  {:>26}\n", "scalar", width, "nominal", "mean", "std",
      fmt::format("{:g} % band", 100 * s.result.statistics.confidence));
  for (size_t i = 0; i < scalars.size(); ++i) {
    const auto& x = scalars[i];
    say("{:{}}  {:>11}  {:>20}  {:>20}  {:>26}\n", names[i], width, quantile(x.nominal), with_error(x.mean), with_error(x.std),
        fmt::format("{} … {}", quantile(x.lower.value), quantile(x.upper.value)));
    if (x.count < s.result.statistics.realizations)
      say("{:{}}  never in {} of {} realizations\n", "", width, s.result.statistics.realizations - x.count,
          s.result.statistics.realizations);
  }
}

void print_limits(const StudySummary& s) {
  for (const auto& l : s.result.statistics.limits)
    say("{}{} {} {}: probability {}{}\n", &l == &s.result.statistics.limits.front() ? "\n" : "",
        s.result.nominal.channels[size_t(l.channel)].name, l.above ? "above" : "below", number(l.value), with_error(l.ever),
        std::isnan(l.ever_with_missing.low) ? ""
                                            : fmt::format("; including the failed realizations between {} and {}",
                                                          number(l.ever_with_missing.low), number(l.ever_with_missing.high)));
}

void print_sobol(const StudySummary& s) {
  const results::SobolIndices& shares = s.result.statistics.shares;
  if (shares.groups.empty()) return;
  const auto& channels = s.result.nominal.channels;
  std::vector<std::string> names;
  for (const auto& c : channels) names.push_back(c.name);
  const size_t width = longest(names, 6), cause = longest(shares.groups, 5);
  say("\nSobol indices, integrated over time{}\n",
      shares.realizations > 0 ? fmt::format(" ({} pairs)", shares.realizations) : "");
  say("{:{}}  {:{}}  {:>16}  {:>16}\n", "output", width, "group", cause, "first-order", "total");
  for (size_t c = 0; c < channels.size(); ++c) {
    const auto& x = s.result.statistics.channels[c];
    if (!x.varies) {
      say("{:{}}  does not vary\n", names[c], width);
      continue;
    }
    if (std::isnan(shares.of[c][0].integrated_first.value) && x.std[telling_time(x)] > 0) {
      say("{:{}}  not known: it is sampled; --sensitivity computes them\n", names[c], width);
      continue;
    }
    for (size_t g = 0; g < shares.groups.size(); ++g)
      say("{:{}}  {:{}}  {:>16}  {:>16}\n", g == 0 ? names[c] : "", width, shares.groups[g], cause,
          share(shares.of[c][g].integrated_first), share(shares.of[c][g].integrated_total));
  }
}

// How well it is known, and how it was done.
void print_evidence(const StudySummary& s) {
  if (s.study.accuracy > 0) {
    std::string words;
    for (size_t c = 0; c < s.result.statistics.channels.size(); ++c) {
      const results::Accuracy& a = s.result.statistics.channels[c].accuracy;
      if (!s.result.statistics.channels[c].varies) {
        words += fmt::format("\n  {}: does not vary", s.result.nominal.channels[c].name);
        continue;
      }
      words += fmt::format("\n  {}: mean {}, std {}{}", s.result.nominal.channels[c].name, percent(a.mean), percent(a.std),
                           s.study.accuracy_of_band ? ", band " + percent(a.band) : "");
    }
    say("\nstandard errors, integrated over time ({} requested){}\n", percent(s.study.accuracy), words);
  }
  if (!s.result.evidence.empty()) say("\n{}\n", fmt::join(s.result.evidence, "\n"));
}

void print_missing(const StudySummary& s) {
  const auto& channels = s.result.statistics.channels;
  size_t worst = 0;
  for (size_t c = 0; c < channels.size(); ++c)
    if (shift_by_missing(channels[c]) > shift_by_missing(channels[worst])) worst = c;
  const double shift = channels.empty() ? 0 : shift_by_missing(channels[worst]), band = 100 * s.result.statistics.confidence;
  if (std::isinf(shift)) say(stderr, "there are so many that the {:g} % band has no bound\n", band);
  if (!(shift > 0) || std::isinf(shift)) return;
  const auto& x = channels[worst];
  const size_t t = telling_time(x);
  say(stderr,
      "whatever their values, they move no limit of a {:g} % band by more than {:.2g} % of its width ({} at t = {} s: {} … {})\n",
      band, 100 * shift, s.result.nominal.channels[worst].name, number(s.result.nominal.time[t]),
      number(x.with_missing.lower.low[t]), number(x.with_missing.upper.high[t]));
}

void print_failures(const StudySummary& s) {
  const auto& failures = s.result.failures;
  if (failures.empty()) return;
  say(stderr, "{} of {} realizations failed and are excluded from the statistics; the first: {}: {}\n", failures.size(),
      s.result.done, failures[0].realization, failures[0].why);
  print_missing(s);
}

// What the run wrote. A page that is there and was not written anew shows other results.
std::vector<std::string> written_files(const StudyResult& r, const RunOptions& options, bool no_report) {
  if (r.file.empty() || (!options.part.of && !(r.data && r.data->statistics))) return {};
  std::vector<std::string> files = {r.file};
  if (options.part.of > 0 || r.outcome != Outcome::complete) return files;
  const std::string page = report_beside(r.file, options.report.empty() ? "report.html" : options.report);
  std::error_code ignored;
  if (no_report)
    std::filesystem::remove(page, ignored);
  else if (!options.report.empty() && std::filesystem::exists(page, ignored))
    files.push_back(page);
  return files;
}

int code_of(const StudyResult& r, const StudyPart& part) {
  if (r.outcome == Outcome::interrupted) return exit_code::interrupted;
  if (!r.data || (part.of == 0 && !r.data->statistics)) return exit_code::done;  // it was finished before
  if (r.outcome == Outcome::stopped || !r.concluded) return exit_code::simulation_failed;
  return (part.of > 0 ? r.failures.empty() : r.failed == 0) ? exit_code::done : exit_code::some_failed;
}

}  // namespace

// Only where something was computed.
static void print_summary(const StudyResult& r) {
  const StudyData& data = *r.data;
  const StudySummary s{data.study, data.result};
  say("{}: {} realization{}{} in {}\n", name_of(data), s.result.done, s.result.done == 1 ? "" : "s",
      r.simulated == s.result.done ? "" : fmt::format(" ({} simulations now)", r.simulated), duration_words(r.seconds));
  if (s.result.statistics.realizations > 0) {
    if (!std::isnan(s.result.statistics.channels[0].mean[0])) print_outputs(s);
    print_scalars(s);
    print_limits(s);
    print_sobol(s);
    if (s.result.statistics.rank_error > 0)
      say("\nquantiles are exact to {:.2g} % of the ranks\n", 100 * s.result.statistics.rank_error);
    print_evidence(s);
  }
}

// What else to do about failures than to read the reason.
static std::string after_failures(const StudyResult& r, const std::string& folder) {
  const char* const on = r.data->study.on_failure == "stop" ? "--on-failure retry" : "--failed-at-most 100%";
  if (r.failures.empty()) return fmt::format("`aleator resume {} {}` continues without it", folder, on);
  return fmt::format("`aleator rerun {} {}` repeats it with a full log; `aleator resume {} {}` continues without it", folder,
                     r.failures.front().realization, folder, on);
}

// What went wrong, on stderr whatever is printed on stdout.
static void tell_trouble(const StudyResult& r, const RunOptions& options) {
  const std::string& file = r.data->provenance.model_file;
  const bool part = options.part.of > 0;
  const std::string words =
      part ? fmt::format("part {} of {} ({} realizations): ", options.part.number, options.part.of, r.planned) : "";
  if (!part) print_failures({r.data->study, r.data->result});
  if (part && r.outcome == Outcome::complete && !r.failures.empty()) say(stderr, "{} of them failed\n", r.failures.size());
  if (r.outcome == Outcome::stopped) say(stderr, "{}: {}stopped: {}\n", file, words, r.reason);
  if (r.outcome == Outcome::stopped && !part) say(stderr, "{}\n", after_failures(r, options.folder));
  if (r.outcome != Outcome::interrupted) return;
  if (part)
    say(stderr, "{}: {}interrupted after {} of them; --resume continues\n", file, words, r.done);
  else
    say(stderr, "interrupted after {} of {} realizations;{} --resume continues\n", r.done, r.planned,
        r.file.empty() ? "" : fmt::format(" what was finished is in {}, and", r.file));
}

static void print_result(const StudyResult& r, const RunOptions& options, const std::vector<std::string>& files) {
  const bool part = options.part.of > 0;
  if (!part)
    print_summary(r);
  else if (r.outcome == Outcome::complete)
    say("{}: part {} of {} ({} realizations) in {}\n", name_of(*r.data), options.part.number, options.part.of, r.planned,
        duration_words(r.seconds));
  for (const std::string& file : files) say("{}wrote {}\n", &file == &files.front() && !part ? "\n" : "", file);
  if (options.profile && !part) print_profile(r.data->profile);
}

core::CommandOutcome tell_result(const StudyResult& r, const RunOptions& options, bool no_report, bool quiet) {
  core::CommandOutcome outcome{code_of(r, options.part), written_files(r, options, no_report)};
  if (!r.data || (options.part.of == 0 && !r.data->statistics)) return outcome;  // read, not computed
  if (!quiet) print_result(r, options, outcome.files);
  tell_trouble(r, options);
  return outcome;
}

}  // namespace aleator::app
