// aleator run --profile: where the time of a study went.
#pragma once

#include "ensemble/ensemble.hpp"

namespace aleator::core::app {

struct StudyTimes {
  double simulating = 0;  // wall-clock seconds, with drawing and what is done with results meanwhile
  double writing = 0;     // statistics at the end, and results.h5
  int threads = 1;
};

void print_profile(const Ensemble& ensemble, const EnsembleProfile& profile, const StudyTimes& times);

}  // namespace aleator::core::app
