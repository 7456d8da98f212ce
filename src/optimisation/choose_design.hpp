// The design that is cheapest and meets its constraints, verified by a study with random numbers of its own.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "base/folder_lock.hpp"
#include "optimisation/design_file.hpp"
#include "results/design.hpp"
#include "study/session.hpp"

namespace aleator::core::optimisation {

struct ChosenDesign {
  bool interrupted = false;
  bool resumable = false;                             // evaluations are in the folder
  std::shared_ptr<const results::FoundDesign> found;  // none: it was interrupted
  SessionResult verification;                         // the study at the chosen design; no data where there is none
  std::unique_ptr<FolderLock> lock;                   // of the folder, as long as this lives
};

// Throws InputError, SimulationError, WriteError. The folder is made when the file and the model have turned out to be sound.
ChosenDesign choose_design(const DesignStudy& study, const std::vector<std::string>& allowed, const RunOptions& options,
                           const std::atomic<bool>* stop);

}  // namespace aleator::core::optimisation
