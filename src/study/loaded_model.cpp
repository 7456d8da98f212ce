#include "study/loaded_model.hpp"

#include <fmt/format.h>

#include "input/key_path.hpp"
#include "input/text.hpp"
#include "model/language.hpp"
#include "model/plausibility.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core {
namespace {

// Mistakes of the text come with those of the mechanism; what is set can only be sorted when all is right.
Model compile(input::Description description, const std::vector<Override>& settings) {
  if (!settings.empty()) description.errors.raise(description.file);
  const SplitSettings split = split_settings(description, settings);
  Model model = make_model(std::move(description), split.model);
  if (!split.field.empty()) model.nominal = realize(model, RandomModel(model, settings).nominal_overrides());
  return model;
}

// Whatever is wrong, with the entries it is about.
template <class Make>
auto with_keys(const std::string& file, const std::string& text, Make&& make) {
  try {
    return make();
  } catch (const input::InputError& e) {
    if (e.file() != file || !e.key().empty()) throw;
    throw input::with_key_paths(e, file, text);
  }
}

}  // namespace

LoadedModel::LoadedModel(std::string name, input::Description description, std::vector<Override> all)
    : file(std::move(name)), settings(std::move(all)), model(compile(std::move(description), settings)) {}

std::vector<Override> LoadedModel::model_settings() const { return split_settings(model.description, settings).model; }

const RandomModel& LoadedModel::random() const {
  std::call_once(made_, [&] {
    random_ = with_keys(file, model.description.text, [&] { return std::make_unique<const RandomModel>(model, settings); });
  });
  return *random_;
}

std::vector<std::string> LoadedModel::notes() const {
  std::vector<std::string> out = plausibility_notes(model);
  for (const std::string& note : random().notes()) out.push_back(fmt::format("{}: note: {}", file, note));
  return out;
}

std::shared_ptr<const LoadedModel> load(const std::string& file, std::vector<Override> settings,
                                        const std::vector<std::string>& allowed) {
  std::string text = input::read_bytes(file);
  return with_keys(file, text, [&] {
    return std::make_shared<const LoadedModel>(file, input::draft_of_text(text, file, language(), allowed), std::move(settings));
  });
}

std::shared_ptr<const LoadedModel> load(const std::string& file, const ModelSources& sources, std::vector<Override> settings) {
  return with_keys(file, sources.text, [&] {
    return std::make_shared<const LoadedModel>(file, input::draft_of_text(sources.text, file, language(), {}, &sources.files),
                                               std::move(settings));
  });
}

}  // namespace aleator::core
