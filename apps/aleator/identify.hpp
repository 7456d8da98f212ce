// Identification under way: what was asked, the model with its free parameters, and what is found.
#pragma once

#include <string>

#include "free_model.hpp"
#include "inference/random.hpp"
#include "results/identification.hpp"

namespace aleator::core::app {

struct IdentifyArguments {
  std::string file, out;
  std::vector<std::string> allowed;  // folders from which the model may take files, beside its own
  long samples = 0, evaluations = 0, threads = 0;
  long long seed = -1;
  bool resume = false, no_report = false;

  std::string folder() const;
};

struct IdentifyTask {
  const IdentifyArguments& arguments;
  inference::IdentificationStudy study;
  FreeModel& free;
  results::Identification found;
  std::vector<double> estimate;  // values of the free parameters
};

// One file each. Data that cannot belong to the model are refused by InputError.
void find_most_likely(IdentifyTask& task);  // maximum-likelihood, bayesian
void calibrate(IdentifyTask& task);         // least-squares
void sweep(IdentifyTask& task);             // sweep

void warn_of_failures(IdentifyTask& task);  // where more than one simulation in a thousand failed
void print_found(const IdentifyTask& task);

// Independent uniform numbers on ]0, 1[, the same whenever they are asked for again.
inference::Uniform uniforms(std::uint64_t seed, const std::string& purpose);
// A seed of random numbers that have nothing to do with those of the seed itself.
std::uint64_t another_seed(std::uint64_t seed, const std::string& purpose);

}  // namespace aleator::core::app
