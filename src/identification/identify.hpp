// Identification under way: what was asked, the model with its free parameters, and what is found.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "base/folder_lock.hpp"
#include "identification/free_model.hpp"
#include "inference/random.hpp"
#include "results/identification.hpp"

namespace aleator::core {

struct IdentifyTask {
  const RunOptions& options;
  inference::IdentificationStudy study;
  FreeModel& free;
  results::Identification found;
  std::vector<double> estimate;  // values of the free parameters
  bool& resumable;               // to be set: evaluations are written as they come, and serve again
};

// One file each. Data that cannot belong to the model are refused by InputError; Cancelled where it was stopped.
void find_most_likely(IdentifyTask& task);  // maximum-likelihood, bayesian
void calibrate(IdentifyTask& task);         // least-squares
void sweep(IdentifyTask& task);             // sweep

void warn_of_failures(IdentifyTask& task);  // where more than one simulation in a thousand failed

// Independent uniform numbers on ]0, 1[, the same whenever they are asked for again.
inference::Uniform uniforms(std::uint64_t seed, const std::string& purpose);
// A seed of random numbers that have nothing to do with those of the seed itself.
std::uint64_t another_seed(std::uint64_t seed, const std::string& purpose);

// --- all of it ---

struct Identified {
  bool interrupted = false;
  bool resumable = false;   // evaluations are in the folder
  bool calibrated = false;  // numbers of the model itself were found: there is a nominal model, no study
  std::shared_ptr<const results::Identification> found;
  std::shared_ptr<const LoadedModel> model;  // at the estimate
  Settings stepping;                         // how time is stepped there
  std::unique_ptr<FolderLock> lock;          // of the folder, as long as this lives
};
// Looks for the parameters; what follows at the estimate is an ordinary study or simulation. The folder is made when the study
// and its data have turned out to be sound.
Identified identify(const inference::IdentificationStudy& study, const std::vector<std::string>& allowed,
                    const RunOptions& options, const std::atomic<bool>* stop);

}  // namespace aleator::core
