// The motion of a mechanism as files for other viewers.
#pragma once

#include <string>

#include "report/gltf.hpp"
#include "report/playback.hpp"
#include "results/run.hpp"

namespace aleator::core::report {

// glTF 2.0: binary where the name ends in .glb, otherwise text. Returns the size in bytes. Throws WriteError, as does the next.
std::size_t write_gltf(const std::string& path, const results::Run& run, const Playback& playback, const std::string& title,
                       Up up);

struct VtkFiles {
  std::string list, folder;
  std::size_t count = 0;
};
// A series for ParaView: FILE.pvd beside the folder FILE with a file for each key frame; in a folder that is named, FILE is `name`.
VtkFiles write_vtk(const std::string& where, const results::Run& run, const Playback& playback, const std::string& name);

}  // namespace aleator::core::report
