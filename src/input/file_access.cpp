#include "input/file_access.hpp"

#include <algorithm>
#include <filesystem>

namespace aleator::core::input {

namespace fs = std::filesystem;

namespace {

// Where a name leads to; empty when that cannot be known.
fs::path destination(const fs::path& name) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(fs::absolute(name.empty() ? "." : name, error), error);
  return error ? fs::path{} : full;
}

bool is_inside(const fs::path& file, const fs::path& folder) {
  if (file.empty() || folder.empty()) return false;
  auto end = folder.end();
  if (folder.has_relative_path() && !folder.has_filename()) --end;  // of `data/`
  return std::mismatch(folder.begin(), end, file.begin(), file.end()).first == end;
}

}  // namespace

std::string FileAccess::path_of(const std::string& reference) const { return (fs::path(folder) / reference).string(); }

bool FileAccess::permits(const std::string& path) const {
  const fs::path file = destination(path);
  if (is_inside(file, destination(folder))) return true;
  return std::any_of(allowed.begin(), allowed.end(), [&](const std::string& a) { return is_inside(file, destination(a)); });
}

}  // namespace aleator::core::input
