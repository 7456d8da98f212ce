// Files that a model refers to: included ones, tables, meshes. They belong to the model, and are recorded with it.
#pragma once

#include <string>
#include <vector>

#include "input/description.hpp"
#include "input/file_access.hpp"
#include "input/place.hpp"

namespace aleator::core::input {

// The name of a file as seen from the folder of the model: in an included file, names are relative to the folder of that.
std::string referred_name(const Tree& reference);
std::string referred_name(const std::string& name, Position at);

// Its bytes, from the files `read` before, from those `given` in place of the disk, or, where there are none, from the disk;
// remembered in `read`. What is wrong with its name stands in the model.
const std::string& referred_bytes(const FileAccess& access, const std::vector<ReferredFile>* given,
                                  std::vector<ReferredFile>& read, const Tree& reference, const Place& place);

}  // namespace aleator::core::input
