// Calibration of parameters of a model by least squares: minimise ½ Σ r_i(x)², from_j ≤ x_j ≤ to_j, where r_i are the differences
// between model and data, divided by the standard deviation of the noise if it is known. From several starts; with J = ∂r/∂x,
//   covariance = s² (JᵀJ)⁻¹,  s² = 1 (noise known) or Σ r² / (n − d) (unknown),
//   interval = x ± t s.e.,  t the quantile of Student's law with n − d degrees of freedom.
// Parameters that end at a bound of their range count as given: the others are judged without them.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "inference/levenberg_marquardt.hpp"

namespace aleator::core::inference {

struct BoundedParameter {
  std::string name;
  double start, from, to;  // from ≤ start ≤ to
};

struct LeastSquaresSettings {
  bool noise_known = false;
  double confidence = 0.95;
  int scouts = 32;  // points spread over the box, of which the best are the other starts
  int starts = 4;   // with that of the caller
  int most_iterations = 200;
  // Of the central differences, in parts of the range. With an error ε of the model relative to what a parameter changes over its range,
  // a slope is wrong by ε/step + step²/6 or so: best is (3ε)^⅓, 0.003 to 0.01 for models integrated to 1e-8 … 1e-6. A little less, since
  // responses that oscillate curve more.
  double step = 1e-3;
  double tolerance = 1e-3;  // stop when a step is less than this many standard errors
};

struct LeastSquaresRun {
  std::vector<double> start, x;
  double first_cost, cost;  // infinite: the model failed at the start
};

// Parameters that the data do not tell apart, or one alone that has too little influence.
struct Indistinguishable {
  std::vector<int> parameters;
  double correlation;  // the strongest of the group; NaN: the data leave a direction open over more than the range
};

struct LeastSquaresFit {
  static constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> x;
  double cost = unknown;     // ½ Σ r²
  long residuals = 0;        // n
  long freedom = 0;          // n − d, d those not at a bound
  double reduced = unknown;  // χ² / (n − d): 1 for the right model when the noise is known, else the variance of the noise
  double p = unknown;        // of a χ² that large, were the model right; of known noise only
  std::vector<double> standard_error;           // unknown at a bound; infinite: see `indistinguishable`
  std::vector<double> lower, upper;             // confidence interval, cut at the range …
  std::vector<bool> open_below, open_above;     // … here
  std::vector<int> bound;                       // −1, +1: ended at `from`, at `to`
  std::vector<double> covariance, correlation;  // [d][d]; unknown at bounds
  std::vector<Indistinguishable> indistinguishable;
  bool unique = true;  // false: other starts ended elsewhere, and fit about as well
  bool converged = false;
  long evaluations = 0;               // of the model
  std::vector<LeastSquaresRun> runs;  // the best first
  std::vector<std::string> notes;     // in plain words
};

// Throws std::runtime_error when the model fails at all starts or there are fewer residuals than parameters.
LeastSquaresFit least_squares(const Residuals& residuals, const std::vector<BoundedParameter>& parameters,
                              const LeastSquaresSettings& settings = {});

}  // namespace aleator::core::inference
