// The exponential law on the unit ball of 1, 2 or 3 dimensions (an interval, a disc, a ball) with prescribed mean:
//   p(x) = exp(k ⟨n, x⟩) / Z(k) on |x| ≤ 1,   n = mean/|mean|,   k ≥ 0.
// Boxes, cylinders and ellipsoids are products of affinely mapped unit balls: this is all they need.
#pragma once

#include <cmath>
#include <span>

#include "numerics/functions.hpp"
#include "numerics/vec3.hpp"
#include "uncertainty/quantile_table.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

// Moments of s = ⟨n, x⟩, whose density is that of exp(−k t) (1 − s²)^((d−1)/2) with t = 1 − s, the depth below the tip n.
struct BallMoments {
  double log_integral;  // log ∫ exp(−k t) dx over the ball; the factor exp(k) is left out, it would overflow
  double mean, depth;   // E{s} and E{t} = 1 − E{s}, each to full relative precision
  double variance;      // of s
  double across;        // variance along each direction normal to n
};
BallMoments ball_moments(int dimension, double k);

// The k ≥ 0 with E{s} = mean, 0 ≤ mean < 1.
double ball_tilt(int dimension, double mean);

struct ExponentialOnBall {
  int dimension = 1;        // components beyond it are zero
  Vec3<double> direction;   // n
  double tilt = 0;          // k
  double log_integral = 0;  // log Z(k)
  Mat3<double> covariance;
  double acceptance = 1;  // of the rejection; an interval is sampled by inversion

  // Intervals: rising in u. P(t' ≤ t) = (1 − exp(−k t))/(1 − exp(−2k)), t the distance from the favoured end.
  template <class T>
  T quantile(const T& u) const {
    const bool upper = direction.x > 0;
    const T v = upper ? T(1) - u : u;
    const T t = tilt > 0 ? -functions::log1p(v * T(std::expm1(-2 * tilt))) / T(tilt) : T(2) * v;
    return min(max(upper ? T(1) - t : t - T(1), T(-1)), T(1));
  }
  Vec3<double> draw(Stream& stream) const;
  // `dimension` independent uniform numbers to a point of the law (Rosenblatt): the first gives s = ⟨n, x⟩, rising, the others
  // one coordinate after the other in the slice of radius (1 − s²)^½ normal to n.
  Vec3<double> map(std::span<const double> u) const;

  // Depths of strongly tilted laws are proposed from a Gamma law of this rate (0: points are proposed uniformly),
  // whose envelope touches the density at the depth `touch`.
  double rate = 0, touch = 0;
  QuantileTable angle;  // of −θ with s = cos θ, dimension 2 and 3
};
ExponentialOnBall exponential_on_ball(int dimension, const Vec3<double>& mean);  // |mean| < 1

}  // namespace aleator::core
