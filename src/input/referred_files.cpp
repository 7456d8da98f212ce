#include "input/referred_files.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "input/text.hpp"

namespace aleator::core::input {
namespace {

std::string bytes_on_disk(const FileAccess& access, const std::string& path, const Tree& reference, const Place& place) {
  if (!access.permits(path))
    throw place.error(reference.at,
                      fmt::format("is outside the folder of the model, found {} (--allow-files {} allows it)", found(reference),
                                  std::filesystem::path(path).parent_path().lexically_normal().string()));
  try {
    return read_bytes(path, Source::ordinary_file);
  } catch (const InputError& error) {
    throw place.error(reference.at, fmt::format("cannot be read: {}", error.what()));
  }
}

}  // namespace

std::string referred_name(const std::string& name, Position at) {
  if (!at.origin || at.origin->folder.empty()) return name;
  return (std::filesystem::path(at.origin->folder) / name).lexically_normal().generic_string();
}

std::string referred_name(const Tree& reference) { return referred_name(reference.text, reference.at); }

const std::string& referred_bytes(const FileAccess& access, const std::vector<ReferredFile>* given,
                                  std::vector<ReferredFile>& read, const Tree& reference, const Place& place) {
  const std::string name = referred_name(reference);
  const auto named = [&](const ReferredFile& f) { return f.name == name; };
  if (const auto it = std::find_if(read.begin(), read.end(), named); it != read.end()) return it->text;
  if (!given) return read.emplace_back(ReferredFile{name, bytes_on_disk(access, access.path_of(name), reference, place)}).text;
  const auto it = std::find_if(given->begin(), given->end(), named);
  if (it == given->end()) throw place.error(reference.at, "is not among the files that were recorded");
  return read.emplace_back(*it).text;
}

}  // namespace aleator::core::input
