#include <aleator/aleator.hpp>

#include "inference/identification_file.hpp"
#include "optimisation/design_file.hpp"
#include "results/version.hpp"
#include "study/loaded_model.hpp"

namespace aleator {
namespace {

std::vector<core::Override> overrides(const Settings& set) {
  std::vector<core::Override> out;
  for (const auto& [name, value] : set) out.push_back({name, value});
  return out;
}

// "an identification file", "identify", for what is no model but something else; empty: neither.
std::pair<std::string, std::string> other_file(const std::string& file) {
  const auto reads = [&](auto&& read) {
    try {
      read(file);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  if (reads(core::inference::read_identification_file)) return {"an identification file", "identify"};
  if (reads(core::optimisation::read_design_file)) return {"a design file", "design"};
  return {};
}

}  // namespace

std::string version() { return core::results::version(); }

Model load_model(const std::string& file, const Settings& set, const LoadOptions& options) {
  try {
    return Model(core::load(file, overrides(set), options.allowed));
  } catch (const InputError&) {
    const auto [what, command] = other_file(file);
    if (what.empty()) throw;
    throw core::input::InputError({1, 1}, "this is " + what + ", not a model: `aleator " + command + "` reads it").in_file(file);
  }
}

Model model_from_text(const std::string& text, const Settings& set, const std::string& name) {
  return Model(core::load(name, core::ModelSources{text, {}}, overrides(set)));
}

Model with_settings(const Model& model, const Settings& set) {
  const core::LoadedModel& m = model.compiled();
  Settings all = model.settings();
  for (const auto& [name, value] : set) all[name] = value;
  return Model(core::load(m.file, core::ModelSources{m.model.description.text, m.model.description.files}, overrides(all)));
}

Model::Model(std::shared_ptr<const core::LoadedModel> data) : data_(std::move(data)) {
  for (const core::Override& o : data_->settings) settings_[o.name] = o.value;
}
const Settings& Model::settings() const { return settings_; }
const std::string& Model::title() const { return data_->model.title; }
const std::string& Model::file() const { return data_->file; }
const std::string& Model::text() const { return data_->model.description.text; }
std::vector<std::string> Model::notes() const { return data_->notes(); }
bool Model::uncertain() const { return !data_->random().empty(); }

std::vector<Channel> Model::outputs() const {
  std::vector<Channel> out;
  for (const core::Channel& c : data_->model.channels) out.push_back({c.name, c.unit});
  return out;
}

}  // namespace aleator
