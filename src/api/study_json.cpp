#include <algorithm>
#include <cmath>

#include "api/json_members.hpp"
#include "api/output_json.hpp"
#include "api/reliability_text.hpp"
#include "api/study_json.hpp"
#include "api/study_summary.hpp"
#include "results/reliability.hpp"
#include "study/session.hpp"

namespace aleator::core {
namespace {

constexpr std::size_t most_failures = 100;  // told one by one

const char* outcome_word(Outcome o) {
  return o == Outcome::complete ? "complete" : o == Outcome::interrupted ? "interrupted" : "stopped";
}

void write_range(Members& m, const char* key, const results::Range& r) {
  if (std::isnan(r.low)) return (void)m.null(key);
  m.object(key, [&](Members&) { m.number("low", r.low).number("high", r.high); });
}

// At the time to tell about.
void write_output(Members& m, const results::Channel& channel, double time, const results::ChannelStatistics& x, size_t t,
                  bool accuracy) {
  m.text("name", channel.name).text("unit", channel.unit).number("time", time).number("nominal", x.nominal[t]);
  m.estimate("mean", x.mean[t], x.mean_error[t]).estimate("std", x.std[t], x.std_error[t]);
  m.estimate("lower", x.lower[t], x.lower_error[t]).estimate("upper", x.upper[t], x.upper_error[t]);
  m.number("minimum", x.minimum[t]).number("maximum", x.maximum[t]);
  if (!accuracy) return (void)m.null("standard_errors");
  m.object("standard_errors",
           [&](Members&) { m.number("mean", x.accuracy.mean).number("std", x.accuracy.std).number("band", x.accuracy.band); });
}

void write_sobol(Members& m, const results::SobolIndices& s, const std::vector<results::Channel>& channels) {
  if (s.groups.empty()) return (void)m.null("sobol");
  m.object("sobol", [&](Members&) {
    s.realizations > 0 ? m.integer("pairs", s.realizations) : m.null("pairs");
    m.list("outputs", s.of, [&](Members&, const auto& of, size_t c) {
      m.text("name", channels[c].name);
      m.list("groups", of, [&](Members&, const results::SobolIndices::OfGroup& g, size_t k) {
        m.text("name", s.groups[k]).estimate("first", g.integrated_first.value, g.integrated_first.error);
        m.estimate("total", g.integrated_total.value, g.integrated_total.error);
      });
    });
  });
}

void write_design_point(Members& m, const results::Reliability& r, const results::Reliability::DesignPoint& d,
                        const std::vector<results::InputColumn>& columns) {
  m.text("limit", d.limit).number("beta", d.beta).number("form", d.form).number("sorm", d.sorm).flag("converged", d.converged);
  m.list("variables", d.u, [&](Members&, double u, size_t k) {
    m.text("name", variable_name(r, k)).number("u", u).number("importance", d.importance[k]);
  });
  m.list("inputs", d.inputs,
         [&](Members&, double x, size_t k) { m.text("name", columns[k].name).text("unit", columns[k].unit).number("value", x); });
}

void write_reliability(Members& m, const results::StudyResult& result) {
  if (!result.reliability) return (void)m.null("reliability");
  const results::Reliability& r = *result.reliability;
  m.object("reliability", [&](Members&) {
    m.text("method", r.method).integer("simulations", r.simulations).integer("failed", r.failed);
    m.list("probabilities", r.of, [&](Members&, const results::Reliability::Probability& p, size_t) {
      m.text("limit", p.limit).number("value", p.value).text("unit", p.unit).number("probability", p.probability);
      m.number("cov", p.cov).number("lower", p.lower).number("upper", p.upper).number("beta", p.beta());
    });
    m.list("levels", r.levels, [&](Members&, const results::Reliability::Level& l, size_t) {
      m.number("excess", l.excess).number("probability", l.probability).number("cov", l.cov);
      m.integer("realizations", l.realizations).number("accepted", l.accepted).number("correlation", l.correlation);
    });
    m.numbers("sets", r.sets).number("agreement", r.agreement);
    m.list("design_points", r.design_points,
           [&](Members&, const results::Reliability::DesignPoint& d, size_t) { write_design_point(m, r, d, result.columns); });
    m.list("causes", r.causes, [&](Members&, const results::Reliability::Cause& c, size_t) {
      m.text("name", c.column).text("unit", c.unit).number("mean", c.mean).number("std", c.std);
      m.number("mean_failing", c.mean_failing).number("std_failing", c.std_failing).number("shift", c.shift);
      m.number("importance", c.importance);
    });
    m.integer("failure_samples", (long long)r.failures.weights.size()).texts("doubts", r.doubts);
  });
}

void write_statistics(Members& m, const StudyData& data) {
  const results::StudyResult& r = data.result;
  const results::StudyStatistics& s = r.statistics;
  const bool any = s.realizations > 0 && !s.channels.empty();
  const std::vector<results::ChannelStatistics> none;
  m.list("outputs", any ? s.channels : none, [&](Members&, const results::ChannelStatistics& x, size_t c) {
    const size_t t = telling_time(x);
    write_output(m, r.nominal.channels[c], r.nominal.time[t], x, t, data.study.accuracy > 0);
  });
  m.list("scalars", s.scalars, [&](Members&, const results::ScalarStatistics& x, size_t) {
    m.text("name", x.name).text("unit", x.unit).number("nominal", x.nominal);
    m.estimate("mean", x.mean.value, x.mean.error).estimate("std", x.std.value, x.std.error);
    m.estimate("lower", x.lower.value, x.lower.error).estimate("upper", x.upper.value, x.upper.error);
    m.number("minimum", x.minimum).number("maximum", x.maximum).integer("count", x.count);
  });
  m.list("limits", s.limits, [&](Members&, const results::LimitStatistics& l, size_t) {
    const std::string of = limited(l, r.nominal.channels, s);
    m.text("name", limit_name(l, r.nominal.channels, s));
    l.scalar < 0 ? m.text("output", of).null("scalar") : m.null("output").text("scalar", of);
    m.text("side", l.above ? "above" : "below").number("value", l.value);
    m.object("probability", [&](Members&) {
      m.number("value", l.ever.value).number("error", l.ever.error);
      m.number("lower", l.ever.interval.low).number("upper", l.ever.interval.high);
    });
    write_range(m, "with_missing", l.ever_with_missing);
  });
  write_sobol(m, s.shares, r.nominal.channels);
  write_reliability(m, r);
  m.number("rank_error", s.rank_error).texts("evidence", r.evidence);
  const std::span<const results::Failure> all = r.failures;
  m.list("failures", all.first(std::min(all.size(), most_failures)), [&](Members&, const results::Failure& f, size_t) {
    m.integer("realization", f.realization).number("time", f.time).text("reason", f.why);
  });
}

}  // namespace

void write_study(Members& m, const StudyResult& r) {
  m.text("outcome", outcome_word(r.outcome)).text_or_null("reason", r.reason).flag("concluded", r.concluded);
  if (r.data)
    m.text("model", r.data->provenance.model_file).text("title", r.data->provenance.title);
  else
    m.null("model").null("title");
  m.text("method", r.method).integer("seed", (long long)r.seed).number("confidence", r.confidence);
  m.integer("planned", r.planned).integer("realizations", r.done).integer("failed", r.failed);
  m.integer("simulations", r.simulated).number("elapsed", r.seconds);
  static const StudyData nothing;
  write_statistics(m, r.data ? *r.data : nothing);
}

std::string study_json(const StudyResult& r, const StudyPart& part, const CommandOutcome& outcome) {
  return output_object("run", outcome.exit_code, [&](Members& m) {
    if (part.of > 0)
      m.object("part", [&](Members&) { m.integer("number", part.number).integer("of", part.of); });
    else
      m.null("part");
    write_study(m, r);
    m.texts("files", outcome.files).texts("notes", outcome.notes);
  });
}

std::string nominal_json(const NominalRun& n, const CommandOutcome& outcome) {
  return output_object("run", outcome.exit_code, [&](Members& m) {
    m.null("part").text("outcome", n.time < n.duration ? "interrupted" : "complete").text("model", n.file);
    m.text("method", "nominal").integer("realizations", 0).integer("failed", 0).number("elapsed", n.elapsed);
    m.object("nominal", [&](Members&) {
      m.text("integrator", n.integrator).integer("steps", n.steps).number("time", n.time).number("duration", n.duration);
      m.list("outputs", n.run.channels, [&](Members&, const results::Channel& c, size_t k) {
        double low = 0, high = 0, last = std::nan("");
        for (size_t t = 0; t < n.run.time.size(); ++t) {
          last = n.run.values[t * n.run.channels.size() + k];
          low = t == 0 ? last : std::min(low, last), high = t == 0 ? last : std::max(high, last);
        }
        m.text("name", c.name).text("unit", c.unit).number("minimum", low).number("maximum", high).number("last", last);
      });
    });
    m.texts("files", outcome.files).texts("notes", outcome.notes);
  });
}

}  // namespace aleator::core
