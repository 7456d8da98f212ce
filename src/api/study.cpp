#include <aleator/study.hpp>

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "analysis/stored_expansion.hpp"
#include "analysis/variability.hpp"
#include "api/report_input.hpp"
#include "api/results.hpp"
#include "base/atomic_file.hpp"
#include "base/cancellation.hpp"
#include "base/folder_lock.hpp"
#include "model/language.hpp"
#include "model/plausibility.hpp"
#include "propagation/evaluate_expansion.hpp"
#include "results/read.hpp"
#include "results/read_variability.hpp"
#include "results/study_store.hpp"
#include "study/rerun.hpp"
#include "study/resume.hpp"
#include "study/session.hpp"
#include "uncertainty/read_fields.hpp"
#include "uncertainty/spectrum.hpp"

#include <aleator/report.hpp>

namespace aleator {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// The report shows what was written, or nothing that is older.
void report(const core::StudyRequest& q, StudyResult& result) {
  if (q.options.report.empty() || result.file.empty() || result.file != q.results() || !q.part.whole()) return;
  const std::string page = core::report_beside(result.file, q.options.report);
  if (q.options.on_progress)
    q.options.on_progress({.phase = "realizations, writing the report", .done = result.done, .planned = result.done});
  if (write_report(std::vector<std::string>{result.file}, page, q.options.stop) > 0) return;
  if (result.outcome == Outcome::complete) result.reason = "the report was not written: it was stopped";
  std::error_code ignored;
  fs::remove(page, ignored);  // one that is there shows other results
}

StudyResult run(core::StudyRequest q) {
  const core::StopFlag stop(q.options.stop);
  q.stop = &stop.flag();
  if (q.options.ranks) q.ranks = &q.options.ranks->session();
  const core::RandomModel& random = q.model->random();
  for (const std::string& note : core::notes_about(q.model->model)) core::tell(q.options.on_note, note);
  for (const std::string& note : random.notes()) core::tell(q.options.on_note, fmt::format("{}: note: {}", q.model->file, note));
  if (random.empty())
    throw core::input::InputError(q.model->model.description.top.at,
                                  "nothing is uncertain: there is nothing to study; `simulate` computes the nominal model")
        .in_file(q.model->file);
  if (core::is_finished_part(q)) {
    StudyResult out;
    out.file = q.results();
    core::tell(q.options.on_note, fmt::format("{} is complete: there is nothing to resume", out.file));
    return out;
  }
  std::optional<core::FolderLock> lock;
  if (!q.in_memory()) {
    core::create_folder(q.folder());
    lock.emplace(q.folder());
    core::remove_leftovers(q.folder());
  }
  StudyResult result = as_public(core::run_session(q));
  report(q, result);
  return result;
}

}  // namespace

Study study_of(const Model& model) { return model.compiled().study(); }

Study study_of(const Model& model, const std::string& changes) {
  Study study = study_of(model);
  try {
    core::change_study(core::input::read_text("study: " + changes, "", core::language()), study);
  } catch (const core::input::InputError& e) {
    throw e.without_place();  // there is no file to point at
  }
  return study;
}

std::vector<std::string> study_methods() {
  std::vector<std::string> names;
  for (const core::MethodKind* k : core::method_kinds()) names.emplace_back(k->name);
  return names;
}

Ranks::Ranks() : session_(std::make_unique<core::RankSession>()) {}
Ranks::~Ranks() = default;
bool Ranks::several() const { return session_->several(); }
bool Ranks::leads() const { return session_->leads(); }
int Ranks::serve(const std::stop_token& token) {
  const core::StopFlag stop(token);
  return session_->serve(&stop.flag());
}
void Ranks::end(int exit_code) { session_->end(exit_code); }

StudyResult run_study(const Model& model, const Study& study, const RunOptions& options) {
  core::StudyRequest q;
  q.model = model.shared();
  q.study = study;
  q.options = options;
  q.part = core::PartRange(options.part);
  const std::string journal = core::results::StudyStore::file_in(q.folder());
  if (options.resume && options.force && !q.in_memory() && is_there(journal)) {
    // What was asked for when the run began, whatever is asked for now.
    q = core::unfinished_in(q.folder(), options);
    core::tell(options.on_note, fmt::format("{}: note: continuing with the settings of the run", q.folder()));
  }
  return run(std::move(q));
}

StudyResult resume_study(const RunOptions& options, const std::string& on_failure, double failed_at_most) {
  const std::string& folder = options.folder;
  if (!is_there(core::results::StudyStore::file_in(folder))) {
    if (!is_there(folder + "/results.h5"))
      throw ReadError(folder, is_there(folder) ? "there is no run to resume in it" : "there is no such folder");
    StudyResult done = read_results(folder + "/results.h5");
    if (done.outcome != Outcome::complete) throw ReadError(done.file, "it is not complete, and there is no journal");
    core::tell(options.on_note, fmt::format("{} is complete: there is nothing to resume", done.file));
    // The report may be missing, or be of an earlier study, when its run was ended in between.
    const std::string page = core::report_beside(done.file, options.report);
    if (!options.report.empty() && (!is_there(page) || fs::last_write_time(page) < fs::last_write_time(done.file)))
      write_report(std::vector<std::string>{done.file}, page, options.stop);
    return done;
  }
  core::StudyRequest q = core::unfinished_in(folder, options);
  if (!on_failure.empty()) q.study.on_failure = on_failure;
  if (failed_at_most >= 0) q.study.failed_at_most = failed_at_most;
  return run(std::move(q));
}

StudyResult merge_study(const std::vector<std::string>& parts, const std::string& file, const RunOptions& options) {
  return run(core::study_of_parts(parts, file, options));
}

Rerun rerun(const std::string& results, long realization) {
  const core::results::StudyReader file(results);
  const core::RecordedStudy study(file);
  core::RerunRealization r = core::rerun(study, realization);
  Rerun out;
  out.sample = std::move(r.recorded.sample);
  out.drawn_again = r.recorded.drawn_again;
  out.ok = r.ok;
  out.reason = r.why;
  out.failed_at = r.failed_at;
  out.as_recorded = r.same;
  out.trajectory.time = r.run.time;
  for (const auto& c : r.run.channels) out.trajectory.outputs.push_back({c.name, c.unit});
  out.trajectory.values = r.run.values;
  out.trajectory.integrator = study.model().settings.integrator;
  out.trajectory.step = study.model().settings.step;
  out.trajectory.complete = r.ok;
  for (const core::SingleAttempt& a : r.attempts)
    out.attempts.push_back({a.step, a.why, a.failed_at, a.trajectory.steps, a.trajectory.iterations});
  return out;
}

Trajectory evaluate_expansion(const std::string& results, const Settings& at) {
  const core::analysis::StoredExpansion s = core::analysis::read_expansion(core::results::StudyReader(results));
  std::vector<core::Override> values;
  for (const auto& [name, value] : at) values.push_back({name, value});
  Trajectory out;
  out.time = s.times;
  for (const std::string& name : s.outputs) out.outputs.push_back({name, ""});
  out.values = core::response_at(s, values);
  return out;
}

PredictedVariability predict_variability(const std::string& results, const std::string& correlation) {
  const core::results::StudyReader file(results);
  const core::results::Variability v = core::results::read_variability(file);
  const std::vector<double> weights =
      correlation.empty() ? v.weights : core::spectral_weights(core::correlation_of(correlation), v.wave_numbers);
  PredictedVariability out;
  out.time = file.time();
  const std::size_t times = out.time.size(), outputs = v.of.size();
  for (const std::string& name : file.outputs()) out.outputs.push_back({name, file.unit(name)});
  for (std::vector<double>* x : {&out.mean, &out.std, &out.bound}) x->resize(times * outputs);
  for (std::size_t c = 0; c < outputs; ++c) {
    const core::analysis::Predicted p = core::analysis::predicted(v.of[c], v.sigma, weights);
    for (std::size_t t = 0; t < times; ++t) {
      const std::size_t i = t * outputs + c;
      out.mean[i] = p.mean[t], out.std[i] = p.std[t], out.bound[i] = v.of[c].bound[t];
    }
  }
  return out;
}

}  // namespace aleator
