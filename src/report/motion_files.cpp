#include "report/motion_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.hpp"
#include "report/vtk.hpp"

namespace aleator::core::report {
namespace {

namespace fs = std::filesystem;

void write_file(const std::string& path, const std::string& bytes) {
  AtomicFile file(path);
  file.write(bytes);
  file.commit();
}

}  // namespace

std::size_t write_gltf(const std::string& path, const results::Run& run, const Playback& p, const std::string& title, Up up) {
  const std::string bytes = gltf(run, p, title, up, fs::path(path).extension() == ".glb" ? Gltf::binary : Gltf::text);
  write_file(path, bytes);
  return bytes.size();
}

VtkFiles write_vtk(const std::string& where, const results::Run& run, const Playback& p, const std::string& name) {
  const fs::path list = fs::path(where).extension() == ".pvd" ? fs::path(where) : fs::path(where) / (name + ".pvd");
  const fs::path folder = fs::path(list).replace_extension();
  create_folder(folder.string());
  std::vector<double> times;
  std::vector<std::string> files;
  for (const std::size_t frame : p.frames) {
    files.push_back(fmt::format("{}/{:04}.vtp", folder.filename().string(), files.size()));
    times.push_back(run.time[frame]);
    write_file((list.parent_path() / files.back()).string(), vtk_frame(run, frame));
  }
  write_file(list.string(), vtk_series(times, files));
  return {list.string(), folder.string(), files.size()};
}

}  // namespace aleator::core::report
