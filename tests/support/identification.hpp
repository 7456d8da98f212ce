// Identifications made up for tests of files, figures and pages: plausible, with all that real ones may have.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "results/identification.hpp"
#include "results/study.hpp"

namespace aleator::core::results {

struct MadeUp {
  std::string method = "bayesian";  // maximum-likelihood, bayesian, least-squares, sweep
  int parameters = 3, specimens = 50, times = 301;
  bool explained = true;
  bool irregular = false;  // every specimen has its own times, few and with gaps
};

Identification made_up_identification(const MadeUp& what);

// A study at the values identified: two outputs, `accel_z` and `angle`.
struct MadeUpStudy {
  StudyResult result;
  std::vector<double> responses;
  explicit MadeUpStudy(std::shared_ptr<const Identification> identification);
  MadeUpStudy(const MadeUpStudy&) = delete;
};

}  // namespace aleator::core::results
