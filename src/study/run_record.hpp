// What a run was asked for, as text: enough to do it again without its files, and to say what is different now.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <aleator/study.hpp>

#include "dynamics/modal.hpp"
#include "study/loaded_model.hpp"
#include "study/part.hpp"

namespace aleator::core {

struct RunRecord {
  using Entry = std::pair<std::string, std::string>;  // a key may come several times

  std::string version;           // of the program
  std::string model_file;        // its absolute path
  std::vector<Entry> arguments;  // what changes no numbers, or is no setting: part, policy about failures, identify
  std::vector<Entry> settings;   // what determines the numbers: "seed" "1"
  ModelSources sources{};        // the texts of the model and of the files it refers to
};

std::string text_of(const RunRecord& record);
RunRecord read_record(const std::string& text);  // throws ReadError

std::string value_of(const std::vector<RunRecord::Entry>& entries, const std::string& key);  // the last; empty: none

// All of a study as entries, and back. Throws ReadError where they make no sense.
std::vector<RunRecord::Entry> entries_of(const Study& study);
Study study_of(const RunRecord& record);
std::vector<Override> overrides_of(const RunRecord& record);  // what was set
// What a study of modes asks for.
ModalRequest modal_request(const Study& study);
// Limits of modes in one line, and back. Throws ReadError.
std::string text_of(const std::vector<ModeLimit>& limits);
std::vector<ModeLimit> mode_limits(const std::string& text);
// The model with the integrator and the step that the study was computed with.
std::shared_ptr<const Model> with_stepping(const Model& model, const RunRecord& record);

// Lines that say what is different: version, settings ("seed: 1 → 9"), the texts. Empty where nothing is: where the model file
// lies does not matter.
std::string difference(const RunRecord& then, const RunRecord& now);

// The same of a record that is still text. With `force` another version of the program is no difference.
std::string difference_from(const std::string& then, const RunRecord& now, bool force);

}  // namespace aleator::core
