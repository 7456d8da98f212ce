// Measured data made by the model itself, with noise, to try identification on: there the truth is known.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include <aleator/identification.hpp>

#include "study/loaded_model.hpp"

namespace aleator::core {

struct SyntheticRequest {
  std::shared_ptr<const LoadedModel> model;
  SyntheticData data;
  RunOptions options;
  const std::atomic<bool>* stop = nullptr;
  bool stopped() const { return stop && *stop; }
};

// Writes specimen-001.csv … and truth.txt into the folder. Returns what was measured; nothing when it was stopped. Throws
// InputError, SimulationError, WriteError, and std::invalid_argument for noise that makes no sense.
std::vector<SyntheticOutput> write_synthetic_data(const SyntheticRequest& request);

}  // namespace aleator::core
