#include "api/realization_files.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/atomic_file.hpp"
#include "results/write.hpp"
#include "study/nominal.hpp"

namespace aleator::core {

std::string write_realization(const RecordedStudy& study, const results::Run& run, long realization, const std::string& folder,
                              const std::string& command_line) {
  namespace fs = std::filesystem;
  if (!folder.empty()) create_folder(folder);
  const fs::path beside = folder.empty() ? fs::path(study.file().path()).parent_path() : fs::path(folder);
  const std::string name = (beside / fmt::format("realization-{}", realization)).string();
  results::Provenance p = provenance_of(study.model(), study.loaded().settings, command_line, {});
  p.title = fmt::format("{}{}realization {}", p.title, p.title.empty() ? "" : ", ", realization);
  p.settings["realization"] = std::to_string(realization);
  p.settings["of"] = study.file().path();
  results::write_nominal(name + ".h5", run, p);
  results::write_csv(name + ".csv", run);
  return name;
}

}  // namespace aleator::core
