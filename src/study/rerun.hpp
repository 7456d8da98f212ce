// One realization of a study once more, with everything there is to say about it.
#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "dynamics/simulate.hpp"
#include "dynamics/start.hpp"
#include "ensemble/ensemble.hpp"
#include "results/run.hpp"
#include "study/recorded_study.hpp"

namespace aleator::core {

// A random number beside its distribution.
struct Drawing {
  std::string name, unit;
  double value, nominal, mean, std, below;  // below: probability of a smaller one, NaN where there is no density
  double unusual() const { return std::isfinite((value - mean) / std) ? std::abs(value - mean) / std : 0; }
};

// One simulation individually.
struct SingleAttempt {
  double step = 0, failed_at = std::numeric_limits<double>::quiet_NaN();
  Trajectory trajectory;
  AssemblyReport assembly;
  std::string why;  // empty: it finished
  bool began() const { return !trajectory.times.empty(); }
};

struct RerunRealization {
  RecordedStudy::Recorded recorded;
  std::vector<Drawing> drawings;
  bool mechanism = true;  // false: these numbers make none
  int lanes = 1;          // of the study
  bool in_lane = false;   // it was finished there
  std::vector<SingleAttempt> attempts;
  bool ok = false;
  std::string why;  // it failed …
  double failed_at = std::numeric_limits<double>::quiet_NaN();
  results::Run run;        // as the study computes it, or as far as it came
  bool same = false;       // as in the file, bit for bit, or the same failure
  std::string comparison;  // with the file, in words
};

RerunRealization rerun(const RecordedStudy& study, long realization);  // throws ReadError

}  // namespace aleator::core
