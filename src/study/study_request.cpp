#include "study/study_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "ensemble/choose_for_study.hpp"
#include "results/part.hpp"
#include "results/study_store.hpp"
#include "results/version.hpp"
#include "study/nominal.hpp"

namespace aleator::core {
namespace {

// Sizes that the Latin hypercube of the unfinished study in a folder had before it was extended; none where there is none.
std::vector<long> stages_of_unfinished(const std::string& folder) {
  std::error_code ignored;
  if (!std::filesystem::exists(results::StudyStore::file_in(folder), ignored)) return {};
  try {
    return study_of(read_record(results::StudyStore::progress_in(folder).identity)).stages;
  } catch (const ReadError&) {  // of another version: refused later
    return {};
  }
}

}  // namespace

Isa isa_of(const std::string& name) { return name.empty() ? best_isa() : isa_named(name.c_str()); }

Isa StudyRequest::isa() const { return options.isa.empty() && ranks ? ranks->isa() : isa_of(options.isa); }
int StudyRequest::threads() const {
  const int asked = ranks ? ranks->own_threads(options.threads) : options.threads;
  return asked > 0 ? asked : int(std::thread::hardware_concurrency());
}

RunRecord record_of(const StudyRequest& q, const Model& model, const Study& study) {
  RunRecord r;
  r.version = results::version();
  std::error_code unknown;  // a path that cannot be made absolute stays as it is
  const std::filesystem::path file = std::filesystem::absolute(q.model->file, unknown);
  r.model_file = unknown ? q.model->file : file.lexically_normal().string();
  if (!q.part.whole()) r.arguments.emplace_back("part", q.part.text());
  r.arguments.emplace_back("on-failure", study.on_failure);
  r.arguments.emplace_back("failed-at-most", fmt::format("{:.17g}", study.failed_at_most));
  r.arguments.emplace_back("budget", fmt::format("{:.17g} {:.17g}", study.budget_seconds, study.budget_bytes));
  if (q.identification) r.arguments.emplace_back("identify", "yes");  // nothing to begin again from: the search is
  r.settings = entries_of(study);
  r.settings.emplace_back("integrator", model.settings.integrator);
  r.settings.emplace_back("step", fmt::format("{:.17g}", model.settings.step));
  if (model.settings.step_tolerance > 0)
    r.settings.emplace_back("step tolerance", fmt::format("{:.17g}", model.settings.step_tolerance));
  r.settings.emplace_back("instruction set", name(q.isa()));
  for (const Override& o : q.model->settings) r.settings.emplace_back("set", fmt::format("{}={}", o.name, o.value));
  r.sources = {model.description.text, model.description.files};
  return r;
}

analysis::StatisticsRequest questions_of(const Model& m, const Study& study, const std::vector<std::string>& groups,
                                         const results::Run& nominal) {
  analysis::StatisticsRequest q;
  q.times = nominal.time;
  for (const Channel& c : m.channels) q.channels.push_back(c.name), q.units.push_back(c.unit);
  q.nominal = nominal.values;
  q.confidence = study.confidence;
  q.keep_all = study.keep_all;
  q.samples = study.samples;
  for (const Limit& l : m.limits) q.limits.push_back({l.channel, l.value, l.above, l.scalar});
  const auto& items = m.description.section("scalars");
  for (size_t i = 0; i < m.scalars.size(); ++i)
    q.scalars.push_back({m.scalars[i].name, m.scalars[i].unit, items[i].kind, m.scalars[i].channel, m.scalars[i].settings});
  if (method_kind(study.method).spectra)
    for (const SpectrumRequest& s : m.spectra) q.spectra.push_back({s.channel, s.from, s.segment});
  if (study.sensitivity) q.groups = groups;
  return q;
}

void note_what_is_ignored(const StudyRequest& q, const MethodKind& kind) {
  using Sensitivity = MethodKind::Sensitivity;
  if (q.study.sensitivity && kind.sensitivity == Sensitivity::none)
    tell(q.options.on_note, fmt::format("{}: note: {} does not compute Sobol indices", q.model->file, kind.name));
  if (!q.model->model.spectra.empty() && !kind.spectra && q.study.what == "motion")
    tell(q.options.on_note,
         fmt::format("{}: note: {} does not estimate spectra; monte-carlo, latin-hypercube, sobol and halton do", q.model->file,
                     kind.name));
  if (q.study.accuracy > 0 && !kind.to_accuracy)
    tell(q.options.on_note,
         fmt::format("{}: note: {} has a fixed number of realizations; `accuracy` is ignored", q.model->file, kind.name));
}

void extend_by_multiples(const StudyRequest& q, Study& study, std::optional<Earlier>& earlier) {
  if (!grows_by_multiples(design_of(study).name)) return;
  if (study.accuracy > 0) {
    study.stages.clear();
    long n = std::min(first_look, study.samples);
    for (; 2 * n <= study.samples; n *= 2) study.stages.push_back(n);
    study.samples = n;
    return earlier.reset();
  }
  if (q.options.resume && study.stages.empty()) {
    study.stages = stages_of_unfinished(q.folder());
    if (!study.stages.empty() && study.samples % study.stages.back() != 0) study.stages.clear();  // another study: refused later
  }
  if (!earlier) return;
  if (study.samples % earlier->samples != 0) {
    tell(q.options.on_note,
         fmt::format(
             "{}: note: a Latin hypercube is extended by whole multiples, and {} is not a multiple of the {} realizations in {}; "
             "starting from the beginning",
             q.model->file, study.samples, earlier->samples, earlier->file->path()));
    return earlier.reset();
  }
  study.stages = earlier->stages;
  study.stages.push_back(earlier->samples);
}

static std::shared_ptr<const Model> stepped_in_time(const StudyRequest& q, const Study& study) {
  const Model& model = q.model->model;
  if (q.stepping) {
    Model out = model;
    out.settings = *q.stepping;
    return std::make_shared<const Model>(std::move(out));
  }
  if (!is_open(model.settings)) return {std::shared_ptr<const Model>(), &model};
  if (!q.parts.empty()) return with_stepping(model, read_record(results::read_part_header(q.parts[0]).record));
  const Plan plan = sampling_plan(study, q.model->random());
  return with_choice(model, choose_for_study(model, q.model->random(), plan, study.seed, q.isa()), q.options.on_note);
}

std::shared_ptr<const Model> stepped(const StudyRequest& q, const Study& study) {
  if (study.what == "motion") return stepped_in_time(q, study);
  auto model = std::make_shared<const Model>(modal_model(q.model->model, modal_request(study)));
  if (const std::string& note = model->modal->unbalanced; !note.empty())
    tell(q.options.on_note, fmt::format("{}: note: {}", q.model->file, note));
  return model;
}

Study in_force(const StudyRequest& q, const MethodKind& kind) {
  Study s = q.study;
  // By sampling alone: expansions and linearisations have them anyway, the others have none.
  s.sensitivity = s.sensitivity && kind.sensitivity == MethodKind::Sensitivity::by_sampling;
  return s;
}

}  // namespace aleator::core
