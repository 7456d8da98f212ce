#include <aleator/identification.hpp>

#include <fmt/format.h>

#include "api/report_input.hpp"
#include "api/results.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/json.hpp"
#include "identification/identify.hpp"
#include "identification/synthetic_data.hpp"
#include "inference/identification_file.hpp"
#include "input/edit_text.hpp"
#include "input/text.hpp"
#include "model/language.hpp"
#include "results/write.hpp"
#include "study/session.hpp"

#include <aleator/report.hpp>

namespace aleator {
namespace {

bool is_model(const std::string& file) {
  try {
    core::input::read_file(file, core::language());
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// The identified model as an ordinary study, with what was found beside it.
void study_at(const core::Identified& id, std::uint64_t seed, const RunOptions& options, const std::atomic<bool>* stop,
              IdentificationResult& out) {
  core::StudyRequest q;
  q.model = id.model;
  q.study = id.model->study();
  q.study.seed = seed;
  q.options = options;
  q.options.resume = false;
  q.options.overwrite = true;
  q.identification = id.found;
  q.stepping = id.stepping;
  q.stop = stop;
  for (const std::string& note : id.model->random().notes())
    core::tell(options.on_note, fmt::format("{}: note: {}", id.model->file, note));
  out.study = as_public(core::run_session(q));
  out.file = out.study.file;
  out.outcome = out.study.outcome;
}

// Or, where numbers of the model itself were found, its motion.
void motion_at(const core::Identified& id, const RunOptions& options, const std::atomic<bool>* stop, IdentificationResult& out) {
  if (options.folder.empty()) return;
  core::Model model = id.model->model;
  model.settings = id.stepping;
  const core::Trajectory t = core::simulate_nominal(model, stop, options.on_note);
  if (*stop) {
    out.outcome = Outcome::interrupted;
    return;
  }
  out.file = options.folder + "/nominal.h5";
  core::results::write_nominal(out.file, core::as_run(model, t),
                               core::provenance_of(model, id.model->settings, options.command_line, options.on_note),
                               id.found.get());
}

}  // namespace

const std::string& IdentificationStudy::file() const { return data->file; }

IdentificationStudy read_identification(const std::string& file) {
  IdentificationStudy out;
  try {
    out.data = std::make_shared<const core::inference::IdentificationStudy>(core::inference::read_identification_file(file));
  } catch (const InputError&) {
    if (!is_model(file)) throw;
    throw core::input::InputError(
        {}, fmt::format("this is a model; `identify` reads a study file, which names it (model: {}), what was "
                        "measured (data: …) and what is free (free: …)",
                        file))
        .in_file(file);
  }
  return out;
}

IdentificationStudy identification_from_text(const std::string& text, const std::string& file) {
  IdentificationStudy out;
  out.data = std::make_shared<const core::inference::IdentificationStudy>(core::inference::read_identification_text(text, file));
  return out;
}

IdentificationStudy read_identification(const std::string& file, const std::vector<std::string>& specimens) {
  const std::string path[] = {"data", "specimens"};
  core::Json list;
  list.array();
  for (const std::string& specimen : specimens) list.string(specimen);
  list.end();
  const std::string text = core::input::plain_text(core::input::read_bytes(file));
  return identification_from_text(core::input::with_entry(text, path, list.take()), file);
}

IdentificationResult identify(const IdentificationStudy& asked, const RunOptions& options) {
  const core::StopFlag stop(options.stop);
  core::inference::IdentificationStudy study = *asked.data;
  if (asked.samples > 0) study.samples = asked.samples;
  if (asked.evaluations > 0) study.evaluations = asked.evaluations;
  if (asked.seed >= 0) study.seed = std::uint64_t(asked.seed);
  IdentificationResult out;
  out.method = name_of(study.method);
  const core::Identified id = core::identify(study, asked.load.allowed, options, &stop.flag());
  if (id.interrupted) {
    out.outcome = Outcome::interrupted;
    out.resumable = id.resumable;
    return out;
  }
  const core::results::Identification& found = *id.found;
  out.data = id.found;
  out.explained = found.explained;
  out.verdict = found.verdict;
  out.p = found.fit_p;
  out.draws = found.draws;
  out.warnings = found.warnings;
  out.evaluations = found.evaluations;
  for (const core::results::FreeParameter& p : found.parameters)
    out.parameters.push_back(
        {p.name, p.unit, p.written, p.from, p.to, p.estimate, p.lower, p.upper, p.open_below, p.open_above, p.std});
  if (id.calibrated)
    motion_at(id, options, &stop.flag(), out);
  else
    study_at(id, study.seed, options, &stop.flag(), out);
  out.resumable = id.resumable;
  if (!options.report.empty() && !out.file.empty() && out.outcome == Outcome::complete) {
    if (options.on_progress)
      options.on_progress({.phase = "realizations, writing the report", .done = out.study.done, .planned = out.study.done});
    write_report(std::vector<std::string>{out.file}, core::report_beside(out.file, options.report), options.stop);
  }
  return out;
}

std::vector<SyntheticOutput> write_synthetic_data(const Model& model, const SyntheticData& data, const RunOptions& options) {
  const core::StopFlag stop(options.stop);
  return core::write_synthetic_data({model.shared(), data, options, &stop.flag()});
}

}  // namespace aleator
