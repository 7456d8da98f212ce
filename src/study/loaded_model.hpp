// A model as it was asked for: compiled, with the numbers that were set, and where it came from. Never changed after it was made.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "model/model.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

// The text of a model and of the files it refers to, instead of what is on the disk.
struct ModelSources {
  std::string text;
  std::vector<input::ReferredFile> files;
  std::vector<std::string> notes = {};  // about what the text was made of
};

struct LoadedModel {
  std::string file;                // as the user named it
  std::vector<Override> settings;  // numbers of the model and of its distributions
  Model model;

  // Throws InputError. `settings` that are no numbers of the model are left to its distributions.
  LoadedModel(std::string file, input::Description description, std::vector<Override> settings);

  std::vector<Override> model_settings() const;  // those of the model alone
  // What is uncertain, made when it is first asked for: `simulate` never needs it. Throws InputError.
  const RandomModel& random() const;
  // The same as the method of a study has it: most know no other. Throws std::invalid_argument where the method cannot.
  std::shared_ptr<const RandomModel> random_of(const Study& study) const;
  // What `study:` says. Throws InputError. Of both, the mistakes are told together.
  Study study() const;
  // What check tells beside what it prints: what was left out of imported files, what is hardly meant, and what became of settings; complete
  // lines.
  std::vector<std::string> notes() const;
  const std::string& name() const { return model.title.empty() ? file : model.title; }

 private:
  template <class Make>
  auto together(Make&& make) const;
  mutable std::once_flag made_;
  mutable std::unique_ptr<const RandomModel> random_;
};

// Throw InputError.
std::shared_ptr<const LoadedModel> load(const std::string& file, std::vector<Override> settings,
                                        const std::vector<std::string>& allowed = {});
std::shared_ptr<const LoadedModel> load(const std::string& file, const ModelSources& sources, std::vector<Override> settings);

}  // namespace aleator::core
