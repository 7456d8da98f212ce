// From a standard Gaussian field to a property of the material: the law of the value at every point (translation field).
//   gaussian      mean (1 + cov Y)
//   lognormal     mean exp(s Y − s²/2),   s² = log(1 + cov²);   positive always
//   distribution  quantile(Φ(Y)) of any law of one number: beta, uniform, …
// The mean may differ from point to point; its field is the caller's. The truncated Ŷ of RandomField is put in as it is, as is
// usual: with a variance error e the spread of the property is too small by e/2 or so, and the mean of a lognormal one by the
// factor exp(−e s²/2). The correlation of a property that is not Gaussian differs a little from that of Y.
#pragma once

#include <memory>

#include "uncertainty/distribution.hpp"

namespace aleator::core {

struct FieldLaw {
  enum class Kind { gaussian, lognormal, distribution };
  Kind kind = Kind::gaussian;
  double spread = 0;     // gaussian, lognormal: coefficient of variation, or with `relative` = false the standard deviation
  bool relative = true;  // distribution: whether it is that of value/mean, or of the value itself (`mean` is not used then)
  std::shared_ptr<const Distribution> distribution;

  double value(double mean, double y) const;  // y: the field at the point

  // Throws std::invalid_argument: a spread that is not ≥ 0, no distribution, a lognormal law of a mean that is not positive.
  void check(double mean) const;
};

// A property of a realization that leaves its range (Young's modulus ≤ 0, Poisson's ratio ≥ ½) fails this realization.
inline bool physical(double value, double lower, double upper) { return lower < value && value < upper; }  // false for NaN

}  // namespace aleator::core
