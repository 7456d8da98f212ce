// What the search for a design leaves behind: plain data, whoever computed it.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace aleator::core::results {

struct FoundDesign {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  struct Number {
    double value = unknown, error = unknown;  // standard error
  };
  struct Parameter {
    std::string name;
    double from = 0, to = 0;  // admissible range
    bool logarithmic = false;
    double written = unknown;  // in the model
    double value = unknown;    // chosen
    int end = 0;               // −1, 1: it is at the lower or upper end of its range
  };
  struct Constraint {
    std::string text;  // "probability(drift.above) <= 1e-3"
    bool at_most = true;
    double bound = unknown;                          // at the chosen design
    Number found, verified;                          // the left side: in the search, and by the study that verifies it
    double sure = unknown, verified_sure = unknown;  // probability that it holds, given the sampling errors
    bool holds = false;                              // with the confidence that was asked for, in the search
    bool confirmed = false;                          // by the verification, its estimate alone
    bool active = false;                             // it keeps the cost from becoming smaller
    bool everywhere = false, nowhere = false;        // it holds at all designs that were looked at, or at none
    double nearest = unknown;  // the left side that comes closest to the bound, or is best; where it holds nowhere
  };
  // A design that was looked at.
  struct Evaluation {
    std::vector<double> values;  // [parameters]
    double cost = unknown;
    std::vector<Number> left;  // [constraints] left sides
    bool simulated = true, meets = false;
  };
  // The least cost, by interpolation, if a constraint had another bound.
  struct TradeOff {
    double target = 0;
    bool possible = true;                                     // otherwise no design of the ranges reaches it
    bool beyond = false;                                      // further than the designs that were looked at: extrapolated
    double cost = unknown, lower = unknown, upper = unknown;  // 68 %: by the errors of the statistics and of the interpolation
    std::vector<double> values;                               // [parameters]
  };

  std::string title, file, model, cost_text;
  std::vector<Parameter> parameters;
  Number cost, verified_cost;
  std::vector<Constraint> constraints;
  std::vector<Evaluation> evaluations;  // in the order of the search
  long chosen = -1;                     // of these
  int trade_off_of = -1;                // constraint
  std::vector<TradeOff> trade_off;

  std::string method;                      // of the studies
  long samples = 0, verified_samples = 0;  // realizations of each
  std::uint64_t seed = 1, verified_seed = 2;
  double confidence = 0.95, tolerance = 1e-3;  // of constraints; of the cost
  bool met = false;                            // a design was found that meets all constraints
  bool verified = false;                       // and the fresh study agrees
  bool converged = false;                      // the search ended before its designs were used up
  long verifications = 0;                      // fresh studies; more than one: earlier ones contradicted
  std::string verdict;                         // in plain words
  std::vector<std::string> notes;              // what a reader must know before using the numbers
};

}  // namespace aleator::core::results
