#include "uncertainty/distribution.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/error.hpp"
#include "uncertainty/distribution_module.hpp"
#include "uncertainty/given.hpp"
#include "uncertainty/laws.hpp"

namespace aleator {

namespace {

namespace fs = std::filesystem;

// Where the module may be: beside the program and in the library folder beside it first, so that a program that was moved
// with its folders finds its own; then where this library was built and installed.
std::vector<fs::path> module_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (!error) folders = {program, program.parent_path() / "lib" / "aleator"};
  for (const char* folder : {ALEATOR_MODULE_BUILD_DIR, ALEATOR_MODULE_INSTALL_DIR}) folders.emplace_back(folder);
  return folders;
}

const DistributionModule& load_module() {
  std::vector<std::string> tried;
  for (const fs::path& folder : module_folders()) {
    const std::string file = (folder / "aleator_openturns.so").string();
    tried.push_back(folder.string());
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    // Local: its ninety libraries must not take part in the look-up of our own symbols. It is never unloaded.
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(fmt::format("the module with the random laws does not load: {}", dlerror()));
    using Entry = const DistributionModule* (*)();
    const auto entry = reinterpret_cast<Entry>(dlsym(library, distribution_module_entry));
    if (!entry) throw std::runtime_error(fmt::format("{} is of another version of Aleator", file));
    return *entry();
  }
  throw std::runtime_error(fmt::format("random laws need the module aleator_openturns.so, which is in none of these folders: {}",
                                       fmt::join(tried, ", ")));
}

std::string unknown_name(const std::string& name, const std::vector<std::string>& names) {
  const std::string hint = input::suggestion(name, names);
  return fmt::format("OpenTURNS has no law '{}' of one number{}", name,
                     hint.empty() ? fmt::format(" (known: {})", fmt::join(names, ", ")) : hint);
}

}  // namespace

const DistributionModule& distribution_module() {
  static const DistributionModule& module = load_module();
  return module;
}

std::unique_ptr<const Distribution> make_distribution(std::string_view kind, std::span<const Argument> arguments,
                                                      double nominal) {
  return make_distribution(law_of(kind, arguments, nominal));
}

std::unique_ptr<const Distribution> make_distribution(const Law& law) { return distribution_module().make(law); }

std::unique_ptr<const Distribution> make_openturns_distribution(const std::string& name, std::span<const Argument> arguments) {
  const DistributionModule& module = distribution_module();
  const std::vector<std::string> names = module.names();
  if (std::find(names.begin(), names.end(), name) == names.end()) throw std::invalid_argument(unknown_name(name, names));
  const std::vector<std::string> parameters = module.parameters(name);
  std::vector<input::Field> fields;
  for (const auto& p : parameters) fields.push_back({.key = p});
  const Given given(fields, arguments, std::numeric_limits<double>::quiet_NaN());
  Law law = {name, {}, name};
  for (const auto& p : parameters) {
    if (!given.has(p))
      throw std::invalid_argument(
          fmt::format("'{}' is missing ({} has the parameters {})", p, name, fmt::join(parameters, ", ")));
    law.parameters.push_back({p, given.at(p)});
    law.words += fmt::format(", {} {:.6g}", p, given.at(p));
  }
  return module.make(law);
}

}  // namespace aleator
