#include "base/load_module.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/build_id.hpp"
#include "base/errors.hpp"

// A static library does not know where it was installed. What find_package(Aleator) makes of it does: cmake/AleatorConfig.cmake
// gives such programs this function.
extern "C" [[gnu::weak]] const char* aleator_module_folder();

namespace aleator::core {

namespace {

namespace fs = std::filesystem;

// The file this code is in: a program, or a shared library of somebody's such as an extension of Python.
fs::path own_file() {
  Dl_info info = {};
  link_map* object = nullptr;
  const auto here = reinterpret_cast<const void*>(&module_folders);
  std::error_code error;
  // A program has no name there, and its argv[0] is no path.
  if (dladdr1(here, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) && object && object->l_name[0] != '\0')
    return fs::canonical(object->l_name, error);
  return fs::read_symlink("/proc/self/exe", error);
}

bool of_this_build(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  const std::string_view id = build_id();
  return std::search(bytes.begin(), bytes.end(), std::boyer_moore_horspool_searcher(id.begin(), id.end())) != bytes.end();
}

}  // namespace

std::vector<fs::path> module_folders() {
  std::vector<fs::path> folders;
  if (const fs::path folder = own_file().parent_path(); !folder.empty())
    folders = {folder, folder / "lib" / "aleator", folder.parent_path() / "lib" / "aleator"};
  if (aleator_module_folder) folders.emplace_back(aleator_module_folder());
  return folders;
}

Module load_module(const std::string& name, const char* entry, bool global, const std::vector<fs::path>& folders) {
  std::vector<std::string> tried, others;
  for (const fs::path& folder : folders) {
    const fs::path file = folder / name;
    tried.push_back(folder.string());
    std::error_code error;
    if (!fs::is_regular_file(file, error)) continue;
    if (!of_this_build(file)) {
      others.push_back(file.string());
      continue;
    }
    // Local, where possible: its libraries must not take part in the look-up of our own symbols.
    void* library = dlopen(file.c_str(), RTLD_NOW | (global ? RTLD_GLOBAL : RTLD_LOCAL));
    if (!library) throw SimulationError(fmt::format("the module {} does not load: {}", name, dlerror()));
    void* const function = dlsym(library, entry);
    if (!function) throw SimulationError(fmt::format("{} has no function {}", file.string(), entry));
    return {function, {}};
  }
  if (!others.empty())
    throw SimulationError(
        fmt::format("{} belongs to another build of Aleator; this one is {}", fmt::join(others, ", "), build_id()));
  return {nullptr, fmt::format("{}", fmt::join(tried, ", "))};
}

}  // namespace aleator::core
