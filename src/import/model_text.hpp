// A mechanism as a model in our language: entries of sections, each with the place it comes from, and the text of a whole file.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "import/mechanism.hpp"

namespace aleator::core::importing {

struct ModelEntry {
  std::string section, name;
  std::vector<std::string> lines;  // of YAML, below the name; a single line in braces stands beside it
  Place place;
};

struct ImportedModel {
  std::string title, format, file;
  Vector gravity;
  double duration = 1;
  std::vector<ModelEntry> entries;  // in the order of sections
  std::vector<Note> notes;
};

// `mesh_name`: what the model calls the file of a mesh.
ImportedModel model_of(Mechanism mechanism, const ImportOptions& options,
                       const std::function<std::string(const std::string& file)>& mesh_name);

// A file to read and to edit. Notes are comments at its beginning.
std::string text_of(const ImportedModel& model);
// Of one entry, as it stands in its section.
std::string text_of(const ModelEntry& entry);

// Notes that say the same of several places in one line each: "robot.urdf:12:3: …", "robot.urdf:12:3: … (also lines 14, 20)"; `before`: what
// each message begins with.
std::vector<std::string> lines_of(const std::vector<Note>& notes, std::string_view before = "");

}  // namespace aleator::core::importing
