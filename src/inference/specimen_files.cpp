#include "inference/specimen_files.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <fmt/format.h>

#include "input/limits.hpp"

namespace aleator::core::inference {

namespace fs = std::filesystem;
using input::InputError;

namespace {

// Files of a folder whose names match, by name; hidden ones are not meant.
std::vector<std::string> matching(const fs::path& folder, const std::string& pattern, int flags) {
  std::vector<std::string> files;
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code ignored;
    if (fnmatch(pattern.c_str(), name.c_str(), flags | FNM_PERIOD) == 0 && !it->is_directory(ignored))
      files.push_back((folder / name).string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string described(const fs::path& folder) { return folder.empty() ? "." : folder.string(); }

std::vector<std::string> files_of(const fs::path& path, const std::string& written) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    std::vector<std::string> files = matching(path, "*.csv", FNM_CASEFOLD);
    if (files.empty()) throw InputError({}, fmt::format("data: 'specimens': there is no *.csv in the folder '{}'", written));
    return files;
  }
  if (fs::exists(path, ignored)) return {path.string()};
  if (path.filename().string().find_first_of("*?[") != std::string::npos) {
    std::vector<std::string> files = matching(path.parent_path(), path.filename().string(), 0);
    if (files.empty()) throw InputError({}, fmt::format("data: 'specimens': no file matches '{}'", written));
    return files;
  }
  const std::string what = path.has_extension() ? "file" : "file or folder";
  std::string message = fmt::format("data: 'specimens': there is no {} '{}' in '{}'", what, path.filename().string(),
                                    described(path.parent_path()));
  std::vector<std::string> names;
  for (const std::string& file : matching(path.parent_path(), "*.csv", FNM_CASEFOLD)) names.push_back(fs::path(file).filename());
  const std::string hint = input::suggestion(path.filename().string(), names);
  throw InputError({}, message + (hint.starts_with(" (known") ? "" : hint));
}

}  // namespace

std::vector<std::string> specimen_files(const IdentificationStudy& study) {
  try {
    std::vector<std::string> all;
    std::set<std::string> seen;
    for (const std::string& written : study.data.specimens) {
      const fs::path path = (fs::path(study.file).parent_path() / written).lexically_normal();
      for (const std::string& file : files_of(path, written)) {
        std::error_code ignored;
        const fs::path same = fs::canonical(file, ignored);
        if (!seen.insert(same.empty() ? file : same.string()).second)
          throw InputError({}, fmt::format("data: 'specimens': '{}' is listed twice (the second time by '{}')", file, written));
        all.push_back(file);
        if (all.size() > input::limits::specimens)
          throw InputError({}, fmt::format("data: 'specimens': at most {} files are read", input::limits::specimens));
      }
    }
    return all;
  } catch (const InputError& error) {
    throw InputError(study.data.specimens_at, error.message()).in_file(study.file);
  }
}

}  // namespace aleator::core::inference
