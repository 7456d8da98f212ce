#include "study/loaded_model.hpp"

#include <fmt/format.h>

#include "input/key_path.hpp"
#include "input/text.hpp"
#include "model/draft.hpp"
#include "model/language.hpp"
#include "model/plausibility.hpp"
#include "model/suspects.hpp"
#include "propagation/method.hpp"
#include "uncertainty/hyper_parameters.hpp"
#include "uncertainty/read_random.hpp"

namespace aleator::core {
namespace {

// What is set and exists in a draft, or is certainly wrong: of what it sets nothing can be said where that is wrong itself.
std::vector<Override> judged(const input::Description& draft, const std::vector<Override>& settings) {
  const Suspects suspects(draft);
  if (suspects.empty()) return settings;
  const bool names_are_missing = suspects.contain("parameters") || suspects.contain("bodies") || suspects.contain("uncertain");
  std::vector<Override> out;
  for (const Override& o : settings) {
    const std::string entry = o.name.substr(0, o.name.find('.'));
    if (suspects.contain(entry) || suspects.contain_uncertain(entry)) continue;
    if (!names_are_missing || kind_of_setting(draft, o.name) != SettingKind::nothing) out.push_back(o);
  }
  return out;
}

// What is wrong in `uncertain:`, `dependence:` and `study:`, beside what is known already.
input::ErrorList all_mistakes(const Model& draft, const std::vector<Override>& settings) {
  const input::Description& d = draft.description;
  input::ErrorList errors = d.errors;
  const SplitSettings split = split_settings(d, settings);
  std::vector<Override> of_model;
  for (const Override& o : split.model)
    if (kind_of_setting(d, o.name) == SettingKind::number_of_model) of_model.push_back(o);
  try {
    errors.collect([&] {
      const std::vector<input::Item> uncertain = with_hyper_parameters(d.section("uncertain"), split.hyper);
      read_random(draft, uncertain, of_model, split.field, {}, errors);
    });
  } catch (const SimulationError&) {  // the module of distributions is not there; that is told when they are needed
  }
  read_study(draft, of_model, errors);
  return errors;
}

// Mistakes of the text, of the mechanism and of the study are told together.
Model compile(input::Description description, const std::vector<Override>& settings) {
  const std::vector<Override> known = judged(description, settings);
  const SplitSettings split = split_settings(description, known);
  Model model = draft_of_model(std::move(description), split.model);
  if (!model.description.errors.empty()) all_mistakes(model, judged(model.description, known)).raise(model.description.file);
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

template <class Make>
auto LoadedModel::together(Make&& make) const {
  return with_keys(file, model.description.text, [&] {
    try {
      return make();
    } catch (const ImpossibleLaw&) {
      throw;
    } catch (const input::InputError&) {
      all_mistakes(model, settings).raise(file);
      throw;
    }
  });
}

const RandomModel& LoadedModel::random() const {
  std::call_once(made_, [&] { random_ = together([&] { return std::make_unique<const RandomModel>(model, settings); }); });
  return *random_;
}

std::shared_ptr<const RandomModel> LoadedModel::random_of(const Study& study) const {
  const MethodKind& kind = method_kind(study.method);
  if (!kind.inputs) return {std::shared_ptr<const RandomModel>(), &random()};  // owned by this
  return std::make_shared<const RandomModel>(model, settings, kind.inputs(random(), study));
}

Study LoadedModel::study() const {
  return together([&] { return read_study(model, model_settings()); });
}

std::vector<std::string> LoadedModel::notes() const {
  std::vector<std::string> out = notes_about(model, model.description.notes.size());
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
    input::Description draft = input::draft_of_text(sources.text, file, language(), {}, &sources.files);
    draft.notes.insert(draft.notes.end(), sources.notes.begin(), sources.notes.end());
    return std::make_shared<const LoadedModel>(file, std::move(draft), std::move(settings));
  });
}

}  // namespace aleator::core
