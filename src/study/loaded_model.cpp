#include "study/loaded_model.hpp"

#include "input/key_path.hpp"
#include "input/text.hpp"
#include "model/language.hpp"
#include "uncertainty/hyper_parameters.hpp"

namespace aleator::core {
namespace {

Model compile(input::Description description, const std::vector<Override>& settings) {
  const SplitSettings split = split_settings(description, settings);
  Model model = make_model(std::move(description), split.model);
  if (!split.field.empty()) model.nominal = realize(model, RandomModel(model, settings).nominal_overrides());
  return model;
}

// Whatever is wrong, with the entry it is about.
template <class Make>
auto with_keys(const std::string& file, const std::string& text, Make&& make) {
  try {
    return make();
  } catch (const input::InputError& e) {
    if (e.file() != file || !e.key().empty()) throw;
    throw e.with_key(input::key_path(text, e.where()));
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

std::shared_ptr<const LoadedModel> load(const std::string& file, std::vector<Override> settings,
                                        const std::vector<std::string>& allowed) {
  try {
    return std::make_shared<const LoadedModel>(file, input::read_file(file, language(), allowed), std::move(settings));
  } catch (const input::InputError& e) {
    if (e.file() != file || e.line() == 0) throw;
    throw e.with_key(input::key_path(input::plain_text(input::read_bytes(file)), e.where()));
  }
}

std::shared_ptr<const LoadedModel> load(const std::string& file, const ModelSources& sources, std::vector<Override> settings) {
  return with_keys(file, sources.text, [&] {
    return std::make_shared<const LoadedModel>(file, input::read_text(sources.text, file, language(), {}, &sources.files),
                                               std::move(settings));
  });
}

}  // namespace aleator::core
