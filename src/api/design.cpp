#include <aleator/design.hpp>

#include <fmt/format.h>

#include "api/design_text.hpp"
#include "api/report_input.hpp"
#include "api/results.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "model/language.hpp"
#include "optimisation/choose_design.hpp"

#include <aleator/report.hpp>

namespace aleator {
namespace {

// Whether a file that is no design file is a model.
bool names_no_model(const std::string& file) {
  try {
    core::input::read_file(file, core::language());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Estimate estimate_of(const core::results::FoundDesign::Number& x) { return {x.value, x.error}; }

void copy(const core::results::FoundDesign& d, DesignResult& out) {
  out.met = d.met, out.verified = d.verified, out.verdict = d.verdict, out.notes = d.notes;
  out.evaluations = long(d.evaluations.size());
  out.cost = estimate_of(d.cost), out.verified_cost = estimate_of(d.verified_cost);
  for (const auto& p : d.parameters) out.names.push_back(p.name), out.values.push_back(p.value);
  for (const auto& c : d.constraints)
    out.constraints.push_back(
        {c.text, c.bound, estimate_of(c.found), estimate_of(c.verified), c.sure, c.verified_sure, c.active});
  for (const auto& t : d.trade_off) out.trade_off.push_back({t.target, t.possible, t.beyond, t.cost, t.lower, t.upper, t.values});
}

void write_document(const std::string& folder, const core::results::FoundDesign& d) {
  core::AtomicFile file(folder + "/design.json");
  file.write(core::design_document(d));
  file.commit();
}

}  // namespace

const std::string& DesignStudy::file() const { return data->file; }

DesignStudy read_design(const std::string& file) {
  DesignStudy out;
  try {
    out.data = std::make_shared<const core::optimisation::DesignStudy>(core::optimisation::read_design_file(file));
  } catch (const InputError&) {
    if (!names_no_model(file)) throw;
    throw core::input::InputError(
        {}, fmt::format("this is a model; `design` reads a design file, which names it (model: {}), what is "
                        "chosen (choose: …) and the cost (minimise: …)",
                        file))
        .in_file(file);
  }
  return out;
}

DesignStudy design_from_text(const std::string& text, const std::string& file) {
  DesignStudy out;
  out.data = std::make_shared<const core::optimisation::DesignStudy>(core::optimisation::read_design_text(text, file));
  return out;
}

DesignResult design(const DesignStudy& asked, const RunOptions& options) {
  const core::StopFlag stop(options.stop);
  core::optimisation::DesignStudy study = *asked.data;
  if (asked.evaluations > 0) study.evaluations = asked.evaluations;
  const core::optimisation::ChosenDesign found =
      core::optimisation::choose_design(study, asked.load.allowed, options, &stop.flag());
  DesignResult out;
  out.resumable = found.resumable;
  if (found.interrupted) {
    out.outcome = Outcome::interrupted;
    return out;
  }
  out.data = found.found;
  copy(*found.found, out);
  if (!options.folder.empty()) write_document(options.folder, *found.found);
  if (found.verification.data) out.study = as_public(found.verification);
  if (!options.report.empty() && !out.study.file.empty()) {
    if (options.on_progress)
      options.on_progress({.phase = "realizations, writing the report", .done = out.study.done, .planned = out.study.done});
    write_report(std::vector<std::string>{out.study.file}, core::report_beside(out.study.file, options.report), options.stop);
  }
  return out;
}

}  // namespace aleator
