// From the files of a study to what was measured.
#pragma once

#include <span>
#include <string>

#include "inference/identification_file.hpp"
#include "results/measurements.hpp"

namespace aleator::core::inference {

// Reads the specimens. `outputs` are the channels of the model (accel_z, p.x), `duration` its simulated time. Channels come in the
// order of the outputs; times are those of the model. Throws InputError `file.csv:line: …` or `study.yaml:line:column: …`.
// What may not be meant goes to `notes`: columns that are not used, noise that is not given.
results::Measurements read_measurements(const IdentificationStudy& study, std::span<const std::string> outputs, double duration,
                                        std::vector<std::string>* notes = nullptr);

// Whether there is enough to find the free parameters: maximum-likelihood and bayesian need more specimens than parameters,
// least-squares more values. Throws InputError. read_measurements() asks it.
void require_enough(const IdentificationStudy& study, const results::Measurements& measured);

}  // namespace aleator::core::inference
