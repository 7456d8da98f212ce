#include "api/design_text.hpp"
#include "api/study_json.hpp"

namespace aleator::core {

using results::FoundDesign;

void write_design(Members& m, const FoundDesign& d) {
  m.text("title", d.title).text("file", d.file).text("model", d.model).flag("met", d.met).flag("verified", d.verified);
  m.text("verdict", d.verdict).flag("converged", d.converged);
  m.list("parameters", d.parameters, [&](Members&, const FoundDesign::Parameter& p, size_t) {
    m.text("name", p.name).number("value", p.value).number("written", p.written).number("from", p.from).number("to", p.to);
    m.text("scale", p.logarithmic ? "log" : "linear").integer("end", p.end);
  });
  m.object("cost", [&](Members&) {
    m.text("text", d.cost_text).number("value", d.cost.value).number("error", d.cost.error);
    m.number("verified", d.verified_cost.value).number("verified_error", d.verified_cost.error);
  });
  m.list("constraints", d.constraints, [&](Members&, const FoundDesign::Constraint& c, size_t) {
    m.text("text", c.text).number("bound", c.bound).flag("at_most", c.at_most);
    m.number("value", c.found.value).number("error", c.found.error).number("sure", c.sure);
    m.number("verified", c.verified.value).number("verified_error", c.verified.error).number("verified_sure", c.verified_sure);
    m.flag("holds", c.holds).flag("confirmed", c.confirmed).flag("active", c.active);
    m.flag("everywhere", c.everywhere).flag("nowhere", c.nowhere);
  });
  m.list("evaluations", d.evaluations, [&](Members&, const FoundDesign::Evaluation& e, size_t) {
    m.numbers("values", e.values).number("cost", e.cost).flag("simulated", e.simulated).flag("meets", e.meets);
    std::vector<double> left, error;
    for (const FoundDesign::Number& x : e.left) left.push_back(x.value), error.push_back(x.error);
    m.numbers("left", left).numbers("error", error);
  });
  m.integer("chosen", d.chosen).integer("trade_off_of", d.trade_off_of);
  m.list("trade_off", d.trade_off, [&](Members&, const FoundDesign::TradeOff& t, size_t) {
    m.number("bound", t.target).flag("possible", t.possible).flag("extrapolated", t.beyond);
    m.number("cost", t.cost).number("lower", t.lower).number("upper", t.upper).numbers("values", t.values);
  });
  m.text("method", d.method).integer("samples", d.samples).integer("seed", (long long)d.seed);
  m.integer("verified_samples", d.verified_samples).integer("verified_seed", (long long)d.verified_seed);
  m.integer("verifications", d.verifications).number("confidence", d.confidence).number("tolerance", d.tolerance);
  m.texts("remarks", d.notes);
}

std::string design_document(const FoundDesign& d) {
  Json json(Json::Layout::readable);
  json.object();
  Members members(json);
  write_design(members, d);
  json.end();
  return json.take() + "\n";
}

std::string design_json(const DesignResult& r, const CommandOutcome& outcome) {
  return output_object("design", outcome.exit_code, [&](Members& m) {
    m.text("outcome", r.outcome == Outcome::complete ? "complete" : "interrupted").flag("resumable", r.resumable);
    if (r.data) write_design(m, *r.data);
    m.texts("files", outcome.files).texts("notes", outcome.notes);
  });
}

}  // namespace aleator::core
