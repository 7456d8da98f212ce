// Tables as CSV that are computed when they are asked for; those of results files are in report/tables.hpp.
#pragma once

#include <string>
#include <string_view>

#include <aleator/study.hpp>

#include "base/atomic_file.hpp"

namespace aleator::core {

// A line for each sample of what is uncertain, without simulating. Throws InputError where nothing is.
void write_samples(const aleator::Model& model, const Study& study, AtomicFile& to);

// The response over time at given values of what is random; throws std::invalid_argument for values that are not possible.
std::string response_csv(const std::string& results, const aleator::Settings& at);

// Mean, standard deviation and its bound over time for a correlation, after `variability`; throws std::invalid_argument where it is none.
std::string prediction_csv(const std::string& results, const std::string& correlation);

// The density of an output, as an expansion has it, at the time nearest to `time`; NaN: where it scatters most.
struct DensityTable {
  std::string csv;
  double time = 0;
  bool scatters = true;
};
DensityTable density_csv(const std::string& results, const std::string& output, double time);  // throws as response_csv

}  // namespace aleator::core
