#include "study/recorded_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "model/language.hpp"
#include "propagation/method.hpp"
#include "results/read_variability.hpp"
#include "results/version.hpp"
#include "study/run_record.hpp"

namespace aleator::core {
namespace {

std::vector<Override> settings_in(const results::StudyReader& file) {
  std::vector<Override> out;
  for (const auto& [name, value] : file.settings())
    if (name.starts_with("set ")) out.push_back({name.substr(4), std::strtod(value.c_str(), nullptr)});
  return out;
}

Isa isa_of_file(const std::string& name) {
  try {
    const Isa isa = isa_named(name.c_str());
    return available(isa) ? isa : best_isa();
  } catch (const std::invalid_argument&) {
    return best_isa();
  }
}

}  // namespace

std::vector<input::ReferredFile> tables_in(const results::StudyReader& file) {
  std::vector<input::ReferredFile> tables;
  const results::Provenance p = file.provenance();
  const std::vector<std::string>&names = p.table_files, &texts = p.table_texts;
  if (names.size() != texts.size()) throw results::ReadError(file.path(), "it has not as many texts of tables as names");
  for (size_t i = 0; i < names.size(); ++i) tables.push_back({names[i], texts[i]});
  return tables;
}

RecordedStudy::RecordedStudy(const results::StudyReader& file) : file_(file), isa_(isa_of_file(setting("instruction set"))) {
  loaded_ = load(file.model_file(), {file.provenance().model_text, tables_in(file)}, settings_in(file));
  // The study may have chosen how time is stepped.
  Model model = loaded_->model;
  model.settings.accuracy = 0;  // settled by what follows
  model.settings.integrator = setting("integrator");
  model.settings.step = std::strtod(setting("step").c_str(), nullptr);
  if (const std::string t = setting("step tolerance"); !t.empty())
    model.settings.step_tolerance = std::strtod(t.c_str(), nullptr);
  if (const std::string t = setting("tolerance"); !t.empty()) model.settings.tolerance = std::strtod(t.c_str(), nullptr);
  study_ = read_study(model, loaded_->model_settings());
  if (const std::string what = setting("what"); !what.empty()) {
    study_.what = what;
    study_.modes.number = std::atoi(setting("modes number").c_str());
    study_.modes.about = setting("modes about"), study_.modes.frame = setting("modes frame");
    study_.modes.shapes = setting("modes shapes") == "yes";
    study_.modes.limits = mode_limits(setting("modes limits"));
    model = modal_model(loaded_->model, modal_request(study_));
  } else {
    study_.what = "motion";
  }
  model_ = std::make_shared<const Model>(std::move(model));
  study_.method = file.method();
  study_.seed = file.seed();
  study_.samples = long(file.planned());
  study_.stages = file.stages();
  if (const std::string word = setting("on failure"); !word.empty()) study_.on_failure = word;
  if (results::has_variability(file)) study_.variability.field = results::read_variability(file).field;
  try {
    random_ = loaded_->random_of(study_);
  } catch (const std::invalid_argument& e) {
    throw not_studied(*model_, study_, e.what());
  }
}

std::vector<std::string> RecordedStudy::differences() const {
  std::vector<std::string> out;
  const auto look = [&](const char* what, const std::string& there, const std::string& here) {
    if (!there.empty() && there != here) out.push_back(fmt::format("{} there: {}; here: {}", what, there, here));
  };
  const results::Provenance p = file_.provenance();
  look("version", fmt::format("{} ({})", p.version, p.commit), fmt::format("{} ({})", results::version(), results::commit()));
  look("instruction set", setting("instruction set"), name(isa_));
  return out;
}

std::vector<double> RecordedStudy::draw_again(long k) const {
  Task task{*model_, random(), study_, 0, loaded_->settings};
  task.part.of = std::atol(setting("parts").c_str());  // joined
  try {
    return make_method(task)->sample(task, k);
  } catch (const std::invalid_argument& e) {
    throw not_studied(*model_, study_, e.what());
  }
}

RecordedStudy::Recorded RecordedStudy::realization(long k) const {
  const long done = long(file_.done());
  if (k >= done)
    throw results::ReadError(
        file_.path(), done > 0 ? fmt::format("it has the realizations 0 to {}, not {}", done - 1, k) : "it has no realizations");
  Recorded r;
  const std::vector<results::Failure> failures = file_.failures();
  const auto at = std::find_if(failures.begin(), failures.end(), [&](const auto& f) { return f.realization == k; });
  r.failed = at != failures.end();
  if (r.failed) {
    r.why = at->why;
    r.time = at->time;
  }
  if (file_.input_rows() > k)
    r.sample = file_.inputs(k);
  else if (r.failed && !at->sample.empty())
    r.sample = at->sample;
  else
    r.sample = draw_again(k), r.drawn_again = true;
  if (method_kind(study_.method).numbers_of_processes && !r.drawn_again) {  // these are not in the file
    const std::vector<double> all = draw_again(k);
    r.sample.insert(r.sample.end(), all.begin() + long(std::min(all.size(), r.sample.size())), all.end());
  }
  return r;
}

}  // namespace aleator::core
