// What a study is asked for, and what follows from that before anything is computed.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <aleator/study.hpp>

#include "analysis/accumulate.hpp"
#include "propagation/method.hpp"
#include "results/identification.hpp"
#include "results/run.hpp"
#include "study/extension.hpp"
#include "study/loaded_model.hpp"
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

Isa isa_of(const std::string& name);  // the best of this processor where it is empty

analysis::StatisticsRequest questions_of(const Model& model, const Study& study, const std::vector<std::string>& groups,
                                         const results::Run& nominal);
// What determines the numbers of a run.
RunRecord record_of(const StudyRequest& request, const Model& model, const Study& study);

// How time is stepped in this study: as the model says, as parts or an identification have it, or as it is found.
std::shared_ptr<const Model> stepped(const StudyRequest& request, const Study& study);
// The study as it is computed by a method.
Study in_force(const StudyRequest& request, const MethodKind& kind);
void note_what_is_ignored(const StudyRequest& request, const MethodKind& kind);
// A larger Latin hypercube keeps the points of a smaller one if it is a whole multiple of it. One that grows until it is accurate
// does so by doubling; the last one is the largest that is allowed.
void extend_by_multiples(const StudyRequest& request, Study& study, std::optional<Earlier>& earlier);

}  // namespace aleator::core
