// What a model or a robot description calls the meshes it refers to: neither may lead far out of its own folder when it is read.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace aleator::core {

using MeshCopies = std::vector<std::pair<std::string, std::string>>;  // from, to

// Meshes in the folder of the file `out`, or below it, are named from there; others are named as copies in a folder beside it, which
// the caller makes.
class MeshNames {
 public:
  // Without `copies`, meshes elsewhere are named where they are.
  MeshNames(const std::filesystem::path& out, MeshCopies* copies);

  std::string operator()(const std::string& file);

  const std::map<std::string, std::string>& all() const { return names_; }  // by file
  bool lead_out() const { return lead_out_; }                               // whether any is named outside of the folder

 private:
  std::string copied(const std::filesystem::path& file);

  std::filesystem::path folder_, beside_;
  MeshCopies* copies_;
  std::map<std::string, std::string> names_;
  std::set<std::string> taken_;
  bool lead_out_ = false;
};

// Other files with the names of copies are replaced only with `overwrite`; that is looked at before anything is written. Returns what was
// done: "copied 2 meshes into robot-meshes\n"; empty: nothing. Throws WriteError.
std::string copy_meshes(const MeshCopies& copies, bool overwrite);

}  // namespace aleator::core
