#include "study/study_result.hpp"

#include <fmt/format.h>

#include <limits>
#include <string>
#include <vector>

#include "study/law_words.hpp"
#include "study/nominal.hpp"
#include "study/process_summaries.hpp"
#include "study/run_record.hpp"
#include "study/study_laws.hpp"

namespace aleator::core {

results::StudyResult empty_result(const Task& task, results::Run nominal,
                                  std::shared_ptr<const results::Identification> identification) {
  const RandomModel& random = task.random;
  const Study& study = task.study;
  results::StudyResult r;
  r.nominal = std::move(nominal);
  for (const Quantity& q : random.quantities())
    for (const std::string& c : q.columns) r.columns.push_back({c, q.unit, law_words(q)});
  for (const BeamField& f : random.fields()) r.fields.push_back(summary_of(f));
  r.processes = process_summaries(task.model, random, study.seed);
  r.laws = laws_of(task.model, random, study.seed);
  r.method = study.method;
  r.seed = study.seed;
  r.stages = study.stages;
  r.planned = study.samples;
  r.identification = std::move(identification);
  return r;
}

results::Provenance study_provenance(const StudyRequest& q, const Model& model, const Study& study) {
  results::Provenance p = provenance_of(model, q.model->settings, q.options.command_line, q.options.on_note);
  p.settings["on failure"] = study.on_failure;
  if (study.failed_at_most < 1) p.settings["failed at most"] = fmt::format("{:.17g}", study.failed_at_most);
  p.settings["keep"] = study.keep_all ? "all" : "statistics";
  p.settings["threads"] = std::to_string(q.threads());
  p.settings["instruction set"] = name(q.isa());
  if (study.what != "motion") {
    for (const char* time : {"duration", "step", "output_step"}) p.settings.erase(time);
    p.settings["integrator"] = "none: modes";
    p.settings["what"] = study.what;
    p.settings["modes number"] = std::to_string(study.modes.number);
    p.settings["modes about"] = about_of(q.model->model, modal_request(study));
    if (!study.modes.frame.empty()) p.settings["modes frame"] = study.modes.frame;
    p.settings["modes shapes"] = study.modes.shapes ? "yes" : "no";
    if (!study.modes.limits.empty()) p.settings["modes limits"] = text_of(study.modes.limits);
  }
  return p;
}

void blank(results::StudyStatistics& s) {
  for (results::ChannelStatistics& c : s.channels) {
    const std::vector<double> unknown(c.nominal.size(), std::numeric_limits<double>::quiet_NaN());
    c.mean = c.std = c.lower = c.upper = c.minimum = c.maximum = unknown;
    c.mean_error = c.std_error = c.lower_error = c.upper_error = unknown;
    c.accuracy = {};
    c.with_missing = {};
  }
  s.limits.clear();
  s.scalars.clear();
  s.spectra.clear();
  s.convergence = {};
}

}  // namespace aleator::core
