#include "api/json_members.hpp"
#include "api/output_json.hpp"

namespace aleator::core {
namespace {

void write_file(Members& m, const char* key, const results::StudyReader& r) {
  m.object(key, [&](Members&) {
    m.text("file", r.path()).text("method", r.method()).integer("seed", (long long)r.seed());
    m.number("realizations", r.realizations()).flag("complete", r.complete());
  });
}

void write_difference(Members& m, const char* key, const analysis::Difference& d) {
  m.object(key, [&](Members&) { m.number("value", d.value).number("noise", d.noise); });
}

void write_optional(Members& m, const char* key, const std::optional<double>& x) { x ? m.number(key, *x) : m.null(key); }

void write_samples(Members& m, const analysis::ComparedSamples& s) {
  m.object("p_values", [&](Members&) {
    m.number("time", s.time).number("distribution", s.distribution.p).number("mean", s.mean.p).number("spread", s.spread.p);
    m.number("distribution_any_time", std::min(1.0, s.smallest)).integer("times", s.times);
  });
}

}  // namespace

std::string comparison_json(const ComparedFiles& f, const CommandOutcome& outcome) {
  return output_object("compare", outcome.exit_code, [&](Members& m) {
    m.text("reference", "a");
    write_file(m, "a", f.a);
    write_file(m, "b", f.b);
    m.list("outputs", f.found.outputs, [&](Members&, const analysis::ComparedOutput& x, std::size_t) {
      m.text("name", x.name).text("unit", x.unit).flag("relative_to_std", x.by_scatter);
      write_difference(m, "mean", x.mean);
      write_difference(m, "std", x.std);
      write_difference(m, "lower", x.lower);
      write_difference(m, "upper", x.upper);
      x.samples ? write_samples(m, *x.samples) : (void)m.null("p_values");
    });
    m.list("scalars", f.found.scalars, [&](Members&, const analysis::ComparedScalar& x, std::size_t) {
      m.text("name", x.name).text("unit", x.unit).flag("relative_to_std", x.by_scatter);
      m.estimate("mean_a", x.mean_a.value, x.mean_a.error).estimate("mean_b", x.mean_b.value, x.mean_b.error);
      m.estimate("std_a", x.std_a.value, x.std_a.error).estimate("std_b", x.std_b.value, x.std_b.error);
      write_difference(m, "mean", x.mean);
      write_difference(m, "std", x.std);
      m.number("p_value", x.p);
    });
    m.texts("only_a", f.found.only_a).texts("only_b", f.found.only_b);
    m.flag("interpolated", f.found.interpolated).flag("bands_compared", f.found.bands);
    m.text("significance", analysis::significance(f.found));
    write_optional(m, "tolerance", f.tolerance);
    write_optional(m, "band_tolerance", f.band_tolerance);
    m.flag("exceeded", f.verdict.exceeded).text("verdict", f.verdict.words);
    m.texts("files", outcome.files).texts("notes", outcome.notes);
  });
}

}  // namespace aleator::core
