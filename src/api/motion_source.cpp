#include "api/motion_source.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "input/error.hpp"
#include "model/language.hpp"
#include "results/read.hpp"
#include "study/recorded_study.hpp"

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

}  // namespace

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
  const std::shared_ptr<const Model> model = to_simulate(loaded.model, note);
  const Trajectory t = simulate_nominal(*model, stop, note);
  return {as_run(*model, t), name, model->title.empty() ? name : model->title, up_of(model->topology.normal),
          model->settings.duration};
}

}  // namespace aleator::core
