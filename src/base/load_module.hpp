// Parts of the program that are loaded only when they are needed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace aleator::core {

struct Module {
  void* entry = nullptr;  // none: there is no such module
  std::string looked_in;  // the folders
};

// Where modules may be: beside the program (or the shared library) that contains this code, in lib/aleator there, and in
// lib/aleator beside its folder; nowhere else, but for programs made with an installed library: the folder that library came with.
std::vector<std::filesystem::path> module_folders();

// The function `entry` of a module, which is loaded and never unloaded. A file that does not belong to this very build
// (base/build_id.hpp) is passed over before anything of it is run. Throws SimulationError when only such files are there, when
// the module does not load, or has no such function. `global`: its libraries load others that must find its symbols.
Module load_module(const std::string& file, const char* entry, bool global = false,
                   const std::vector<std::filesystem::path>& folders = module_folders());

}  // namespace aleator::core
