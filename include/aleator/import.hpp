// Models of other programs: robot descriptions (URDF, MJCF).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <aleator/model.hpp>

namespace aleator {

struct ImportOptions {
  std::string base;                   // of URDF: "fixed", "floating"; empty: as the file suggests
  bool repair = false;                // inertias that no body can have are replaced by the nearest possible ones
  bool limits = true;                 // stops at the limits of joints
  bool meshes = true;                 // shapes from files
  double duration = 1;                // s, of the simulation
  std::vector<std::string> packages;  // folders in which package:// is looked for
  Settings positions;                 // of joints at t = 0, by name
  std::string out;  // the file the model is for: names of meshes are relative to its folder; empty: beside the description
  bool copy_meshes =
      true;  // `copies` of those outside of that folder, which the model names; false: it names them where they are
};

struct ImportedText {
  std::string text;                // a model in our language
  std::vector<std::string> notes;  // what was decided or left out: "robot.urdf:12:3: …"
  // Meshes outside of the folder of the model, which may not read them there: where they are, and where the model looks for them.
  std::vector<std::pair<std::string, std::string>> copies;
};

// A robot description (URDF, MJCF) as a model. Throws InputError.
ImportedText import_text(const std::string& file, const ImportOptions& options = {});
// The same, loaded.
Model import_model(const std::string& file, const Settings& set = {}, const ImportOptions& options = {});

struct ExportOptions {
  std::string out;          // the file it is for: names of meshes are relative to its folder; empty: beside the model
  bool copy_meshes = true;  // as above
};

struct ExportedText {
  std::string text;                                         // URDF
  std::vector<std::string> notes;                           // what it could not say
  std::vector<std::pair<std::string, std::string>> copies;  // of meshes: where they are, and where the description looks for them
};

// A tree of rigid bodies as URDF. Throws InputError where the model has what URDF cannot say: loops, springs, flexible bodies.
ExportedText export_urdf(const Model& model, const ExportOptions& options = {});

}  // namespace aleator
