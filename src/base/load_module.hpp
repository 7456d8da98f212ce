// Parts of the program that are loaded only when they are needed.
#pragma once

#include <string>

namespace aleator::core {

struct Module {
  void* entry = nullptr;  // none: there is no such module
  std::string looked_in;  // the folders
};

// The function `entry` of a module, which is loaded and never unloaded. Throws std::runtime_error when it is there and does not
// load, or has no such function. `global`: its libraries load others that must find its symbols.
Module load_module(const std::string& file, const char* entry, bool global = false);

}  // namespace aleator::core
