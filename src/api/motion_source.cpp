#include "api/motion_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "input/error.hpp"
#include "model/language.hpp"
#include "results/read.hpp"
#include "study/recorded_study.hpp"
#include "study/run_record.hpp"

namespace aleator::core {
namespace {

// The plane of x and y is upright, as on paper.
report::Up up_of(int normal) { return normal == 2 ? report::Up::y : report::Up::z; }

// Of the model that a results file carries. One that an older program accepted, and this one does not, counts as spatial.
report::Up up_in(const results::StudyReader& reader) {
  const std::string text = reader.provenance().model_text;
  const std::vector<input::ReferredFile> tables = tables_in(reader);
  try {
    return up_of(text.empty() ? -1 : input::read_text(text, reader.path(), language(), {}, &tables).normal);
  } catch (const input::InputError&) {
    return report::Up::z;
  }
}

// Key frames of a period, both ends included.
constexpr int phases = 49;

Motion period_of(const Model& modal, const std::string& name, int mode) {
  const std::vector<ModeMotion> all = mode_motions(modal, phases);
  if (mode > int(all.size()))
    throw std::invalid_argument(fmt::format("the nominal model has {} mode{} that vibrate{}, not {}", all.size(),
                                            all.size() == 1 ? "" : "s", all.size() == 1 ? "s" : "", mode));
  const ModeMotion& one = all[size_t(mode) - 1];
  Trajectory t;
  for (int k = 0; k < phases; ++k) t.times.push_back(k / (one.frequency * (phases - 1)));
  t.poses.assign(one.poses.begin(), one.poses.end());
  draw_frames(modal, t);
  Model drawn = modal;
  drawn.channels.clear();
  Motion m{as_run(drawn, t), name,
           fmt::format("{}, mode {} ({:.4g} Hz)", modal.title.empty() ? name : modal.title, mode, one.frequency),
           up_of(modal.topology.normal), t.times.back()};
  return m;
}

}  // namespace

Motion motion_of_mode(const LoadedModel& loaded, const std::string& name, int mode) {
  ModalRequest request = modal_request(loaded.study());
  request.number = std::max(request.number, mode);
  request.limits.clear();
  return period_of(modal_model(loaded.model, request), name, mode);
}

Motion mode_in(const std::string& results, int mode) {
  const results::StudyReader reader(results, results::StudyReader::Accept::any);
  if (reader.setting("what") != "modes")
    throw results::ReadError(reader.path(), "it is no study of modes; `--mode` is also for models");
  const RecordedStudy recorded(reader);
  return period_of(recorded.model(), std::filesystem::path(reader.model_file()).stem().string(), mode);
}

Motion motion_in(const std::string& results, long realization) {
  const results::StudyReader reader(results, results::StudyReader::Accept::any);
  Motion m;
  m.run = report::read_motion(reader, realization);
  const std::string model = reader.model_file();
  m.name = std::filesystem::path(model.empty() ? results : model).stem().string();
  m.up = up_in(reader);
  m.title = realization == report::nominal ? m.name : fmt::format("{}, realization {}", m.name, realization);
  return m;
}

Motion motion_of(const LoadedModel& loaded, const std::string& name, const std::atomic<bool>* stop, const Note& note) {
  const std::shared_ptr<const Model> model = to_simulate(loaded.model, note, stop);
  const Trajectory t = simulate_nominal(*model, stop, note);
  return {as_run(*model, t), name, model->title.empty() ? name : model->title, up_of(model->topology.normal),
          model->settings.duration};
}

}  // namespace aleator::core
