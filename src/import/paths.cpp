// Names of meshes in robot descriptions: relative to the description, file://, or package://NAME/… in one of the folders given.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "import/mechanism.hpp"

namespace aleator::core::importing {

namespace fs = std::filesystem;

namespace {

// Whether a path relative to a folder stays in it, by its words alone.
bool leaves(const fs::path& relative) {
  if (relative.is_absolute()) return true;
  const fs::path normal = relative.lexically_normal();
  return !normal.empty() && *normal.begin() == "..";
}

// Where links are followed, too: what the path leads to is in the folder.
bool leads_out(const fs::path& file, const fs::path& folder) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::absolute(file, error), error);
  const fs::path root = fs::weakly_canonical(fs::absolute(folder.empty() ? "." : folder, error), error);
  if (error) return false;  // recorded files are on no disk
  return leaves(target.lexically_relative(root));
}

// `rest`: what follows package:// in the reference.
std::string package_file(const std::string& reference, const std::string& rest, const Place& place, const fs::path& description,
                         const FileSource& files, const ImportOptions& options) {
  const std::size_t slash = rest.find('/');
  const std::string package = rest.substr(0, slash);
  const fs::path inside = slash == std::string::npos ? "" : rest.substr(slash + 1);
  if (package.empty() || package == "." || package == ".." || inside.empty() || leaves(inside))
    throw error_at(place,
                   fmt::format("'{}' leads out of the folder of its package; write package://NAME/folder/file", reference));
  std::vector<fs::path> folders;
  for (const std::string& given : options.packages) {
    folders.push_back(fs::path(given) / package);
    const fs::path normal = (fs::path(given) / "").lexically_normal().parent_path();
    if (normal.filename() == package) folders.push_back(normal);
  }
  // Descriptions are usually in a folder of their package: NAME/urdf/robot.urdf.
  for (fs::path up = description.parent_path(); !up.empty(); up = up.parent_path()) {
    if (up.filename() == package) folders.push_back(up);
    if (up == up.parent_path()) break;
  }
  for (const fs::path& folder : folders) {
    const fs::path file = folder / inside;
    if (!files.exists(file.string())) continue;
    if (leads_out(file, folder))
      throw error_at(place, fmt::format("'{}' leads out of the folder of its package, by a link", reference));
    return file.lexically_normal().string();
  }
  throw error_at(place, fmt::format("the mesh '{}' was not found; give the folder that contains the package '{}' ({}), or "
                                    "leave meshes out ({})",
                                    reference, package, options.words("--package-path DIR", "`packages: DIR`"),
                                    options.words("--no-meshes", "`meshes: false`")));
}

}  // namespace

std::string mesh_file(const std::string& reference, const Place& place, const std::string& description, const FileSource& files,
                      const ImportOptions& options) {
  for (const std::string scheme : {"package://", "model://"})
    if (reference.starts_with(scheme))
      return package_file(reference, reference.substr(scheme.size()), place, description, files, options);
  const std::string name = reference.starts_with("file://") ? reference.substr(7) : reference;
  if (name.find("://") != std::string::npos)
    throw error_at(place,
                   fmt::format("the mesh '{}' is not a file; relative names, file:// and package:// are understood", reference));
  // Descriptions are often in a folder beside that of their meshes: one step up is allowed.
  const fs::path folder = fs::path(description).parent_path();
  const fs::path file = (folder / name).lexically_normal();
  const auto in = [&](const fs::path& root) { return !leads_out(file, root); };
  if (!in(folder / "..") && !std::any_of(options.packages.begin(), options.packages.end(), in))
    throw error_at(place,
                   fmt::format("the mesh '{}' is far outside of the folder of the description; {} allows the folder it is in",
                               reference, options.words("--package-path DIR", "`packages: DIR`")));
  if (!files.exists(file.string()))
    throw error_at(
        place, fmt::format("there is no mesh '{}'; names are relative to the folder of the description, and {} leaves them out",
                           reference, options.words("--no-meshes", "`meshes: false`")));
  return file.string();
}

}  // namespace aleator::core::importing
