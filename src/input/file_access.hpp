// Which files a model may have read: those of its own folder and below, and of folders that the user named.
#pragma once

#include <string>
#include <vector>

namespace aleator::core::input {

struct FileAccess {
  std::string folder;                // of the model: references are relative to it; empty: where the program runs
  std::vector<std::string> allowed;  // by --allow-files

  std::string path_of(const std::string& reference) const;
  // Links and `..` are followed first.
  bool permits(const std::string& path) const;
};

}  // namespace aleator::core::input
