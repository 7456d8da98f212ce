// How probable it is that limits are passed, and what then happens: what the methods for rare events leave behind. Plain data.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace aleator {

struct Reliability {
  std::string method;    // "subset-simulation"; empty: not computed
  long simulations = 0;  // realizations used
  long failed = 0;       // of these, could not be simulated

  // Of each limit of the event, and last of the event itself, "any": that it is passed at any time.
  struct Probability {
    std::string limit;                                        // "drift.above", "any"
    double value = std::numeric_limits<double>::quiet_NaN();  // of the limit; NaN: it is random, or there are several
    std::string unit;
    double probability = 0, cov = 0;  // cov: relative standard error
    double lower = 0, upper = 1;      // 95 % confidence
    double beta() const;              // −Φ⁻¹(P)
  };
  std::vector<Probability> of;

  // Of each limit: the probability that the extreme of its output is beyond b.
  struct Curve {
    std::string limit, unit;
    std::vector<double> b, probability, lower, upper;  // 95 % confidence
  };
  std::vector<Curve> curves;

  // Of subset simulation: intermediate events.
  struct Level {
    double excess = 0;       // the event is that the excess is above this; −∞ of the first
    double probability = 1;  // of the next event, given this one
    double cov = 0;          // of that
    long realizations = 0;   // simulated in this level
    double accepted = 1;     // share of proposals
    double correlation = 0;  // between successive states of a chain, of the indicator
    double rho = 0;          // of a proposal with the state before, as adapted
  };
  std::vector<Level> levels;

  // Estimates that share nothing: independent sets of chains; halves of a sample.
  std::vector<double> sets;
  double agreement = 1;  // probability that equal ones differ by so much (p-value)

  // Points of the limit state nearest to the origin of the space of standard normal numbers.
  struct DesignPoint {
    std::string limit;                                                 // which limit is passed there
    double beta = 0;                                                   // distance, negative when the origin fails
    std::vector<double> u;                                             // standard normal numbers
    std::vector<double> inputs;                                        // [columns] the same in physical units
    std::vector<double> importance;                                    // [u] α², their sum is 1
    std::vector<double> curvatures;                                    // principal ones, sorted; empty: not computed
    double form = 0, sorm = std::numeric_limits<double>::quiet_NaN();  // probabilities
    bool converged = true;
  };
  std::vector<DesignPoint> design_points;
  std::vector<std::string> variables;  // names of the first numbers of design points; the others belong to random processes

  // The tail of enhanced Monte Carlo: P(λ) = q exp(−a (λ − b)^c); λ = 1: the limit.
  struct Tail {
    double q = 0, a = 0, b = 0, c = 1;
    std::vector<double> lambda, estimate, lower, upper;  // of the sample
    double from = 0, to = 0;                             // it was fitted between these
  };
  std::vector<Tail> tails;  // [of]

  // Realizations of the event: rows of the space of inputs with weights (their sum is 1), and some of them with their motion.
  struct Failures {
    std::vector<double> inputs;     // [n][columns]
    std::vector<double> weights;    // [n]
    std::vector<double> excess;     // [n] of the event
    std::vector<int> limit;         // [n] which limit is passed most
    std::vector<long> kept;         // of these, with histories and poses; the most probable first
    std::vector<double> histories;  // [kept][times][channels]
    std::vector<double> poses;      // [kept][times][bodies][7]
    std::vector<double> normals;    // [kept][numbers of all random processes]
  };
  Failures failures;

  // What failure has to do with each column of the inputs: its distribution before, and given the event.
  struct Cause {
    std::string column, unit;
    double mean = 0, std = 0;                                      // before
    double mean_failing = 0, std_failing = 0;                      // given failure
    double shift = 0;                                              // (mean_failing − mean)/std
    double importance = std::numeric_limits<double>::quiet_NaN();  // α² of the design point, where there is one
  };
  std::vector<Cause> causes;

  std::vector<std::string> doubts;  // why these numbers may be wrong, in plain sentences; none: nothing speaks against them
};

}  // namespace aleator
