#include "api/json_members.hpp"
#include "api/output_json.hpp"
#include "api/study_json.hpp"
#include "results/identification.hpp"

namespace aleator::core {
namespace {

using results::FreeParameter;

void write_parameter(Members& m, const FreeParameter& p) {
  m.text("name", p.name).text("unit", p.unit).number("written", p.written).number("from", p.from).number("to", p.to);
  m.number("estimate", p.estimate).number("lower", p.lower).number("upper", p.upper);
  m.flag("open_below", p.open_below).flag("open_above", p.open_above).number("std", p.std).number("mean", p.mean);
  m.number("credible_lower", p.credible_lower).number("credible_upper", p.credible_upper);
  m.number("r_hat", p.r_hat).number("effective_draws", p.effective_draws);
}

void write_found(Members& m, const results::Identification& f) {
  m.text_or_null("likelihood", f.likelihood).integer("specimens", (long long)f.measured.specimens.size());
  m.texts("outputs", f.measured.channels).number("confidence", f.confidence);
  m.integer("components", f.components).number("captured", f.captured);
  m.integer("evaluations", f.evaluations).integer("samples", f.samples);
  m.list("parameters", f.parameters, [&](Members&, const FreeParameter& p, size_t) { write_parameter(m, p); });
  m.numbers("correlation", f.correlation).number("log_likelihood", f.log_likelihood);
  m.number("region_drop", f.region_drop).number("written_drop", f.written_drop).number("surrogate_error", f.surrogate_error);
  m.integer("draws", f.parameters.empty() ? 0 : (long long)(f.draws.size() / f.parameters.size()));
  m.list("coverage", f.coverage, [&](Members&, const results::Coverage& c, size_t k) {
    m.text("output", f.measured.channels[k]).number("share", c.share).number("lower", c.lower).number("upper", c.upper);
  });
  m.list("sweeps", f.sweeps, [&](Members&, const results::Sweep& s, size_t p) {
    m.text("parameter", f.parameters[p].name).numbers("at", s.at);
    m.list("outputs", f.measured.channels, [&](Members&, const std::string& channel, size_t c) {
      m.text("name", channel).numbers("spread", s.spread[c]).numbers("spread_error", s.spread_error[c]);
    });
  });
  m.number("p", f.fit_p).flag("explained", f.explained).text("verdict", f.verdict).texts("warnings", f.warnings);
}

}  // namespace

std::string identification_json(const IdentificationResult& r, const CommandOutcome& outcome) {
  return output_object("identify", outcome.exit_code, [&](Members& m) {
    m.text("outcome", r.outcome == Outcome::complete ? "complete" : "interrupted").flag("resumable", r.resumable);
    m.text("method", r.method);
    if (r.data) write_found(m, *r.data);
    if (r.study.data)
      m.object("study", [&](Members&) { write_study(m, r.study); });
    else
      m.null("study");
    m.texts("files", outcome.files).texts("notes", outcome.notes);
  });
}

}  // namespace aleator::core
