// What a model is made of before its sections are read: where files come from, and the origins of what is not in its own file.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "input/description.hpp"
#include "input/file_access.hpp"
#include "input/limits.hpp"

namespace aleator::core::input {

// Positions point into it; kept with the Description. It only grows.
using Origins = std::deque<Origin>;

struct Sources {
  std::string file;  // of the model, as the user named it
  FileAccess access;
  const std::vector<ReferredFile>* given = nullptr;  // files in place of those on the disk; null: there are none
  std::vector<ReferredFile> files = {};              // that were read
  std::shared_ptr<Origins> origins = std::make_shared<Origins>();
  std::vector<std::string> notes = {};             // about files of other programs: complete lines
  std::unordered_set<std::string> variables = {};  // of repeats and templates, by all names they have

  const Origin* add(Origin origin) { return &origins->emplace_back(std::move(origin)); }
};

}  // namespace aleator::core::input
