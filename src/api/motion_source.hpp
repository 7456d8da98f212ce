// The motion of a mechanism for other viewers: simulated, or out of results.
#pragma once

#include <atomic>
#include <string>

#include "report/motion_files.hpp"
#include "report/read_motion.hpp"
#include "study/nominal.hpp"

namespace aleator::core {

struct Motion {
  results::Run run;
  std::string name, title;
  report::Up up = report::Up::z;
  double duration = 0;  // that the model asks for, s; 0 of results
};

// Of results.h5, nominal.h5 or a folder of one. Throws ReadError.
Motion motion_in(const std::string& results, long realization);
// The nominal motion; until it is stopped. Throws SimulationError.
Motion motion_of(const LoadedModel& model, const std::string& name, const std::atomic<bool>* stop, const Note& note);

// One period of mode `mode`, from 1, of the nominal model, as large as can be seen: of a model file, or of results. Throws SimulationError,
// ReadError, InputError, std::invalid_argument where there are not as many modes.
Motion motion_of_mode(const LoadedModel& model, const std::string& name, int mode);
Motion mode_in(const std::string& results, int mode);

}  // namespace aleator::core
