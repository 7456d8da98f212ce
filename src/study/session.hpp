// A study under way: from the nominal model to the results.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "analysis/accumulate.hpp"
#include "ensemble/ensemble.hpp"
#include "results/study.hpp"
#include "study/study_request.hpp"

namespace aleator::core {

// Where the time of a study went.
struct StudyProfile {
  EnsembleProfile ensemble;
  Isa isa = Isa{};
  int lanes = 1, threads = 1;
  DeviceReport device;
  double simulating = 0;  // wall-clock seconds, with drawing and what is done with results meanwhile
  double writing = 0;     // statistics at the end, and results.h5
};

// What a study leaves in memory.
struct StudyData {
  results::StudyResult result;
  results::Provenance provenance;
  std::shared_ptr<const analysis::Accumulator> statistics;  // has the responses that `result` refers to
  Study study;                                              // as it was computed
  StudyProfile profile;
  // Responses that were read from a file; those of a run that did not hold them when they are first asked for.
  mutable std::vector<double> stored;
  mutable std::once_flag reading;
  std::string responses_in;  // that file; empty: there is nothing to read
  // The motion, when it is first asked for, of results that were read.
  struct StoredMotion {
    std::vector<std::string> bodies;
    std::vector<double> nominal, realizations;
    std::vector<long> kept;
  };
  mutable StoredMotion motion;
  mutable std::once_flag reading_motion;
  std::string motion_in;
};

struct SessionResult {
  Outcome outcome = Outcome::complete;
  std::string reason;
  bool concluded = true;
  std::string file;  // that was written; empty: none
  long simulated = 0, failed = 0;
  bool fixed_size = false;         // the plan does not follow `samples`
  long planned = 0, finished = 0;  // realizations, of a part its own
  double seconds = 0;
  std::shared_ptr<const StudyData> data;  // none: it was interrupted before the first realization
};

// All of it. Throws InputError, SimulationError, ReadError, WriteError.
SessionResult run_session(const StudyRequest& request);

// Whether the part of a request is there already and belongs to this study; throws WriteError when it belongs to another one.
bool is_finished_part(const StudyRequest& request);

}  // namespace aleator::core
