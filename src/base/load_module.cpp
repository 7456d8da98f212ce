#include "base/load_module.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace aleator::core {

namespace {

namespace fs = std::filesystem;

// Where a module may be: beside the program and in the library folder beside it first, so that a program that was moved
// with its folders finds its own; then where this library was built and installed.
std::vector<fs::path> module_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) folders = {program, program.parent_path() / "lib" / "aleator"};
  for (const char* folder : {ALEATOR_MODULE_BUILD_DIR, ALEATOR_MODULE_INSTALL_DIR}) folders.emplace_back(folder);
  return folders;
}

}  // namespace

Module load_module(const std::string& name, const char* entry, bool global) {
  std::vector<std::string> tried;
  for (const fs::path& folder : module_folders()) {
    const std::string file = (folder / name).string();
    tried.push_back(folder.string());
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    // Local, where possible: its libraries must not take part in the look-up of our own symbols.
    void* library = dlopen(file.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) throw std::runtime_error(fmt::format("the module {} does not load: {}", name, dlerror()));
    void* const function = dlsym(library, entry);
    if (!function) throw std::runtime_error(fmt::format("{} is of another version of Aleator", file));
    return {function, {}};
  }
  return {nullptr, fmt::format("{}", fmt::join(tried, ", "))};
}

}  // namespace aleator::core
