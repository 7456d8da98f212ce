// Designs: parameters of a model that minimise a cost while failures stay improbable.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <aleator/study.hpp>

namespace aleator {

namespace core::optimisation {
struct DesignStudy;
}
namespace core::results {
struct FoundDesign;
}

// What a design file says (docs/design-file.md).
class DesignStudy {
 public:
  long evaluations = 0;  // designs looked at, at most; 0: as the file says
  LoadOptions load;

  const std::string& file() const;
  std::shared_ptr<const core::optimisation::DesignStudy> data;  // for the library itself
};

// Throw InputError. The model that a text refers to is relative to the folder of `file`.
DesignStudy read_design(const std::string& file);
DesignStudy design_from_text(const std::string& text, const std::string& file = "design.yaml");

struct DesignResult {
  struct Constraint {
    std::string text;  // "probability(drift.above) <= 1e-3"
    double bound = 0;
    Estimate found, verified;            // its left side, in the search and by the fresh study
    double sure = 0, verified_sure = 0;  // probability that it holds, given the sampling errors
    bool active = false;                 // it keeps the cost from becoming smaller
  };
  struct TradeOff {
    double target = 0;                      // another bound of the active constraint
    bool possible = true;                   // otherwise no design in the ranges reaches it
    bool beyond = false;                    // extrapolated
    double cost = 0, lower = 0, upper = 0;  // with 68 % error bars
    std::vector<double> values;             // [parameters]
  };
  Outcome outcome = Outcome::complete;
  bool resumable = false;          // interrupted, and evaluations are kept in the folder
  bool met = false;                // a design was found that meets all constraints with the confidence asked for
  bool verified = false;           // and a study with other random numbers agrees
  std::string verdict;             // the same in words
  std::vector<std::string> names;  // of the parameters
  std::vector<double> values;      // chosen; where none meets the constraints, those that miss least
  Estimate cost, verified_cost;
  std::vector<Constraint> constraints;
  std::vector<TradeOff> trade_off;
  std::vector<std::string> notes;
  long evaluations = 0;                                    // designs looked at
  StudyResult study;                                       // that verified the design; nothing where none was found
  std::shared_ptr<const core::results::FoundDesign> data;  // for the library itself; none: interrupted
};

// Options as of a study: folder (evaluations.csv, tradeoff.csv, design.json, results.h5), threads, resume, stop, on_note, on_progress,
// report. Throws InputError, SimulationError, WriteError.
DesignResult design(const DesignStudy& study, const RunOptions& options = {});

}  // namespace aleator
