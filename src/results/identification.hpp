// What identification from measurements leaves behind: plain data, whoever computed it.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "results/measurements.hpp"

namespace aleator::core::results {

// A free parameter: of the prior (`rb5.mass.cov`), or of the model when it is calibrated.
struct FreeParameter {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::string name, unit;
  double from = 0, to = 0;                      // admissible range
  double written = unknown;                     // its value in the model
  double estimate = unknown;                    // most likely, or of least squares
  double lower = unknown, upper = unknown;      // ends of the confidence interval …
  bool open_below = false, open_above = false;  // … which are those of the range: the data do not bound it there
  std::vector<double> profile_at, profile;      // log-likelihood, the others at their best, less that of the estimate
  // Of the posterior, unknown without one; of least squares `std` is the standard error
  double mean = unknown, std = unknown, credible_lower = unknown, credible_upper = unknown;
  double r_hat = unknown, effective_draws = unknown;  // of the sampler
};

// Profile likelihood of two parameters: the others at their best.
struct PairProfile {
  int first = 0, second = 0;                // parameters
  std::vector<double> first_at, second_at;  // grid
  std::vector<double> values;               // [first_at][second_at], less that of the estimate
};

// How often the measured response of one output is inside the predicted band.
struct Coverage {
  double share = 0;             // of measured points
  double lower = 0, upper = 0;  // 95 % of the shares that as many specimens of the model itself would have
};

// Predicted for what is measured (with noise), per output, at the times of the model.
struct PredictedBand {
  std::vector<double> mean, lower, upper;  // of least squares the fitted curve alone
};

// The spread of responses against one free parameter, the others as written (`method: sweep`).
struct Sweep {
  std::vector<double> at;                         // values of the parameter
  std::vector<std::vector<double>> spread;        // [channels][at] (∫ variance dt / T)^½
  std::vector<std::vector<double>> spread_error;  // standard errors
  std::vector<std::vector<double>> width;         // [channels][at] mean width of the band
};

struct Identification {
  std::string method;      // maximum-likelihood, bayesian, least-squares, sweep
  std::string likelihood;  // integral, kernel, moments; empty for the others
  double confidence = 0.95;
  std::vector<FreeParameter> parameters;
  std::vector<double> correlation;  // [parameters][parameters] of the estimates; empty: unknown
  std::vector<PairProfile> pairs;
  double log_likelihood = FreeParameter::unknown;
  double region_drop = FreeParameter::unknown;   // the joint confidence region: log-likelihood less than this below the largest
  long evaluations = 0;                          // of the likelihood (or of the model)
  long samples = 0;                              // realizations for each; of the integral, in all
  double written_drop = FreeParameter::unknown;  // how far below the largest it is at the values in the model; unknown: outside
  double surrogate_error = FreeParameter::unknown;  // of its log-likelihood at the maximum and the ends of intervals, at most

  std::vector<double> energy;  // share of each principal component, in falling order
  int components = 0;          // of them used; 0: the whole response
  double captured = 0;         // share of them together

  std::vector<double> draws;                   // [draws][parameters] of the posterior
  double acceptance = FreeParameter::unknown;  // of the sampler

  Measurements measured;
  std::vector<double> times;  // of the bands
  double band_confidence = 0.9;
  std::vector<PredictedBand> bands;       // [channels of measured]
  std::vector<Coverage> coverage;         // [channels of measured]
  double fit_p = FreeParameter::unknown;  // probability of data that fit no better, were the model right
  bool explained = false;                 // the model explains the data
  std::string verdict;                    // in plain words
  std::vector<std::string> warnings;      // what a reader must know before using the numbers

  std::vector<Sweep> sweeps;  // [parameters] of a sweep
};

// How far below its maximum the log-likelihood is at the ends of a confidence interval of one parameter, or along the edge of a
// confidence region of several: half a quantile of χ² (Wilks).
double confidence_drop(double confidence, int parameters);

// The same of n specimens instead of very many: 2ΔL is on average larger than χ² says, and is so by a factor nearly everywhere (Bartlett
// 1937). Mean and spread of a normal number x₁ … x_n, of which the estimate of the spread misses what the estimated mean has taken, have
//   E{2ΔL} of both = n (ln n/2 − ψ((n − 1)/2)) ≈ 2 + 11/(6n),  of the spread alone, the mean at its best, 1 less: ≈ 1 + 11/(6n),
// and the spread with a known mean n (ln n/2 − ψ(n/2)) ≈ 1 + 1/(3n). The factor is the first, per parameter, for a region of all free
// parameters; the second, which is that of the mean within 2 % from ten specimens on, for some of them with the others at their best; the
// third if only one is free. The same holds with normal noise of known size, which adds to the spread, and of logarithms.
double confidence_drop(double confidence, int parameters, int free, std::size_t specimens);

class StudyReader;
std::shared_ptr<const Identification> read_identification(const StudyReader& file);  // null: there is none. Throws ReadError

}  // namespace aleator::core::results
