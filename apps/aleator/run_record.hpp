// What a run was asked for, as text: enough to do it again without its files, and to say what is different now.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "commands.hpp"

namespace aleator::core::app {

struct RunArguments;

struct RunRecord {
  using Entry = std::pair<std::string, std::string>;  // a key may come several times

  std::string version;                // of the program
  std::string model_file;             // its absolute path
  std::vector<Entry> arguments;       // of the command line, where they were given; the instruction set always
  std::vector<Entry> settings;        // what is in force, whoever gave it: "seed" "1"
  ModelArguments::Sources sources{};  // the texts of the model and of the files it refers to
};

RunRecord record_of(const RunArguments& arguments, const Model& model, std::vector<RunRecord::Entry> settings);

std::string text_of(const RunRecord& record);
RunRecord read_record(const std::string& text);  // throws results::ReadError

// What was asked for: the model comes from the texts of the record. Folder and threads are whoever's who asks again. Throws
// results::ReadError.
RunArguments arguments_of(const RunRecord& record);
std::string value_of(const std::vector<RunRecord::Entry>& entries, const std::string& key);  // the last; empty: none

// Lines that say what is different: version, settings ("seed: 1 → 9"), the texts. Empty where nothing is: where the model file
// lies does not matter.
std::string difference(const RunRecord& then, const RunRecord& now);

// The same of a record that is still text. With `force` another version of the program is no difference.
std::string difference_from(const std::string& then, const RunRecord& now, bool force);

}  // namespace aleator::core::app
