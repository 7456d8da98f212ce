// What `--json` prints: one object per command (docs/json.md, schema/output.schema.json), from the data that the texts are made of.
#pragma once

#include <exception>
#include <string>
#include <vector>

#include <aleator/identification.hpp>

#include "api/comparison.hpp"
#include "api/model_check.hpp"
#include "api/vibrations.hpp"
#include "results/campbell.hpp"

namespace aleator::core {

// What the program adds to what was computed.
struct CommandOutcome {
  int exit_code = 0;
  std::vector<std::string> files = {}, notes = {};  // that were written; that were printed
};

std::string check_json(const CheckedModel& checked, const CommandOutcome& outcome);
std::string modes_json(const std::string& file, const Vibrations& found, int count, const CommandOutcome& outcome);
std::string campbell_json(const std::string& file, const results::Campbell& diagram, const CommandOutcome& outcome);
std::string comparison_json(const ComparedFiles& compared, const CommandOutcome& outcome);
std::string study_json(const StudyResult& result, const StudyPart& part, const CommandOutcome& outcome);
std::string identification_json(const IdentificationResult& result, const CommandOutcome& outcome);
// A model without anything uncertain, simulated by `run`.
struct NominalRun {
  std::string file, integrator;
  double time = 0, duration = 0, elapsed = 0;  // s: how far it came, of what, and how long that took
  long steps = 0;
  const results::Run& run;
};
std::string nominal_json(const NominalRun& nominal, const CommandOutcome& outcome);

// What a command says that could not do it; `command` as in "run".
std::string error_json(const std::string& command, int exit_code, const std::exception& error);

}  // namespace aleator::core
