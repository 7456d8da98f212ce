// What is done to a stationary normal process: an envelope over time, another distribution of its values (translation), and the coherence
// of its values at several places.
#pragma once

#include <limits>
#include <vector>

#include "numerics/piecewise.hpp"
#include "numerics/vec3.hpp"

namespace aleator::core::processes {

// (t/rise)² until `rise`, 1 until `hold`, exp(−decay (t − hold)) after it; or straight lines between points (time, factor).
struct Envelope {
  double rise = 0, hold = std::numeric_limits<double>::infinity(), decay = 0;
  std::vector<double> times = {}, factors = {};

  Jet<double> at(double t, Side side) const;
  std::vector<double> kinks() const;  // where its slope jumps
};

// x = σ g(z) of a standard normal z, with mean 0 and variance σ².
struct Marginal {
  enum class Kind { normal, hermite, lognormal, uniform };
  Kind kind = Kind::normal;
  // hermite (Winterstein 1988): g = κ (z + c3 (z² − 1) + c4 (z³ − 3 z)); lognormal: g = (e^{s z − s²/2} − 1)/√(e^{s²} − 1)
  double scale = 1, c3 = 0, c4 = 0, s = 0;

  Jet<double> operator()(double z) const;  // g and its derivatives by z
};
// The cubic with these moments, to 1e-10. Throws std::invalid_argument where there is none that rises everywhere.
Marginal hermite(double skewness, double kurtosis);
// Throws std::invalid_argument for a skewness of 0. A negative one is that of −x.
Marginal lognormal(double skewness);

// Of values at two places, as a function of frequency and distance: |S_12|²/(S_1 S_2) = γ².
struct Coherence {
  enum class Kind { constant, isotropic, exponential };
  Kind kind = Kind::constant;
  double value = 0;  // constant: γ
  double speed = 1,
         decay = 0;  // exponential (Davenport): γ = e^{−decay f d/speed}; isotropic: γ of a road that is alike in all directions
  double order = 1;       // isotropic: half the waviness
  double wave_speed = 0;  // ≠ 0: what arrives at the second place later by distance/wave_speed

  double operator()(double omega, double distance) const;
};

}  // namespace aleator::core::processes
