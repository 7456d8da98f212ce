// The sample of a random model written down for lanes: masses, centres of mass in boxes and inertia tensors, by Monte Carlo. The numbers are bitwise
// those of RandomModel::sample.
#pragma once

#include <optional>

#include "numerics/program_sequence.hpp"
#include "uncertainty/random_model.hpp"

namespace aleator::core {

struct RecordedSample {
  // Slots, as bits of whole numbers: the number of the realization; of all lanes, the seed; for each group of quantities, which replicate.
  int realization = 0, seed = 0, replicates = 0;
  int groups = 0;
  int columns = 0;  // the first of the slots of the sample
};

// Nothing: some quantity is drawn in a way that lanes do not have.
std::optional<RecordedSample> record_sample(const RandomModel& random, SequenceRecorder& to);

}  // namespace aleator::core
