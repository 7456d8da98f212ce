// A study under way: from the nominal model to the results.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "ensemble/ensemble.hpp"
#include "propagation/method.hpp"
#include "results/study_store.hpp"
#include "study/collector.hpp"
#include "study/extension.hpp"
#include "study/nominal.hpp"
#include "study/part.hpp"
#include "study/rank_session.hpp"
#include "study/run_record.hpp"

namespace aleator::core {

// What a run is asked for.
struct StudyRequest {
  std::shared_ptr<const LoadedModel> model;
  Study study;
  RunOptions options;
  PartRange part{};                  // of options.part
  std::vector<std::string> parts{};  // files that hold all realizations: none is simulated
  std::string file{};                // of the results; empty: as usual
  // Where the distributions come from, if they were identified, and how time is stepped then.
  std::shared_ptr<const results::Identification> identification = nullptr;
  std::optional<Settings> stepping = std::nullopt;
  RankSession* ranks = nullptr;  // other processes that take part; or none
  const std::atomic<bool>* stop = nullptr;

  bool in_memory() const { return options.folder.empty(); }
  // Of a part it holds what is unfinished, and is gone in the end.
  std::string folder() const { return part.whole() ? options.folder : options.folder + "/parts/" + part.name(); }
  std::string results() const { return !file.empty() ? file : part.whole() ? folder() + "/results.h5" : folder() + ".h5"; }
  Isa isa() const;
  int threads() const;
  bool stopped() const { return stop && *stop; }
};

// Where the time of a study went.
struct StudyProfile {
  EnsembleProfile ensemble;
  Isa isa = Isa{};
  int lanes = 1, threads = 1;
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
  std::vector<double> stored;  // responses that were read from a file
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

Isa isa_of(const std::string& name);  // the best of this processor where it is empty

analysis::StatisticsRequest questions_of(const Model& model, const Study& study, const std::vector<std::string>& groups,
                                         const results::Run& nominal);
RunRecord record_of(const StudyRequest& request, const Model& model, const Study& study);

// All of it. Throws InputError, SimulationError, ReadError, WriteError.
SessionResult run_session(const StudyRequest& request);

// Whether the part of a request is there already and belongs to this study; throws WriteError when it belongs to another one.
bool is_finished_part(const StudyRequest& request);

}  // namespace aleator::core
