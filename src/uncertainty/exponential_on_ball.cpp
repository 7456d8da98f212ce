#include "uncertainty/exponential_on_ball.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace aleator::core {
namespace {

using std::numbers::pi;

// Volume of the unit ball of `dimension` 1, 2, 3.
double ball_volume(int dimension) { return dimension == 1 ? 2.0 : dimension == 2 ? pi : 4 * pi / 3; }

// Gauss–Legendre on [0, 1]. 64 points: the integrands below are as smooth as x³ exp(−50 x²), for which 40 give round-off.
struct GaussRule {
  static constexpr int points = 64;
  std::array<double, points> x, w;
  GaussRule() {
    for (int i = 0; i < points; ++i) {
      double z = std::cos(pi * (i + 0.75) / (points + 0.5)), slope = 1;
      for (int iteration = 0; iteration < 8; ++iteration) {  // Newton on P_n(z) = 0
        double p = 1, before = 0;
        for (int j = 0; j < points; ++j) {
          const double next = ((2 * j + 1) * z * p - j * before) / (j + 1);
          before = p, p = next;
        }
        slope = points * (z * p - before) / (z * z - 1);
        z -= p / slope;
      }
      x[i] = 0.5 * (1 - z);
      w[i] = 1 / ((1 - z * z) * slope * slope);
    }
  }
};

// s = coth k − 1/k (Langevin). Below k = 1, where the terms cancel, k / (3 + k²/(5 + k²/(7 + …))).
BallMoments interval_moments(double k) {
  if (k <= 1) {
    double slope = 0;  // E{s}/k
    for (int odd = 27; odd >= 3; odd -= 2) slope = 1 / (odd + k * k * slope);
    const double mean = k * slope;
    return {std::log(k > 0 ? -std::expm1(-2 * k) / k : 2.0), mean, 1 - mean, 1 - mean * mean - 2 * slope, 0};
  }
  const double depth = 1 / k - 2 / std::expm1(2 * k), sinh = std::sinh(k);
  return {std::log(-std::expm1(-2 * k) / k), 1 - depth, depth, 1 / (k * k) - 1 / (sinh * sinh), 0};
}

// With s = cos θ the integrals are ∫ f(t) exp(−k t) sin^d θ dθ, t = 2 sin²(θ/2): smooth, of positive terms (no cancellation),
// and cut where k t = 50, that is at 1e-22 of the peak.
double largest_angle(double k) { return k > 25 ? 2 * std::asin(std::sqrt(25 / k)) : pi; }

BallMoments disc_or_ball_moments(int dimension, double k) {
  static const GaussRule rule;
  const double range = largest_angle(k);
  std::array<double, GaussRule::points> weight, depth;
  double z = 0, first = 0, along = 0, inward = 0, across = 0;
  for (int i = 0; i < GaussRule::points; ++i) {
    const double theta = range * rule.x[i], half = std::sin(theta / 2), sine = std::sin(theta);
    depth[i] = 2 * half * half;
    weight[i] = range * rule.w[i] * std::exp(-k * depth[i]) * (dimension == 2 ? sine * sine : sine * sine * sine);
    z += weight[i];
    first += weight[i] * depth[i];
    inward += weight[i] * std::cos(theta);
    across += weight[i] * sine * sine;  // |x|² in the slice, a uniform (d − 1)-ball of radius sin θ: sin² θ/(d + 1) per axis
  }
  first /= z;
  for (int i = 0; i < GaussRule::points; ++i) along += weight[i] * (depth[i] - first) * (depth[i] - first);
  return {std::log(ball_volume(dimension - 1) * z), k > 1 ? 1 - first : inward / z, first, along / z,
          across / z / (dimension + 1)};
}

// Quantiles of −θ. 64 panels: each is a quarter of the width of the density at most, or 0.05.
QuantileTable angle_table(int dimension, double k) {
  const auto density = [dimension, k](double minus_theta) {
    const double half = std::sin(minus_theta / 2), sine = std::sin(-minus_theta);
    return std::exp(-2 * k * half * half) * (dimension == 2 ? sine * sine : sine * sine * sine);
  };
  return {density, -largest_angle(k), 0.0, 64};
}

// Two directions normal to n (Duff et al. 2017).
struct Normals {
  Vec3<double> e1, e2;
};
Normals normals_of(const Vec3<double>& n) {
  const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
  return {{1 + sign * n.x * n.x * a, sign * b, -sign * n.x}, {b, sign + n.y * n.y * a, -n.y}};
}

}  // namespace

BallMoments ball_moments(int dimension, double k) {
  return dimension == 1 ? interval_moments(k) : disc_or_ball_moments(dimension, k);
}

double ball_tilt(int dimension, double mean) {
  if (mean <= 0) return 0;
  // E{t}(k) = g = 1 − mean. Newton on 1/E{t}, which is nearly linear: d + 1 over 2k for large k, 1 + k/(d + 2) for small.
  // E{t} ≤ (d + 1)/(2k), its value without the far end of the ball, so the root is below (d + 1)/(2g).
  const double g = 1 - mean;
  double low = 0, high = (dimension + 1) / (2 * g), k = std::min(high, (dimension + 2) * mean / g);
  for (int iteration = 0; iteration < 200; ++iteration) {
    const BallMoments m = ball_moments(dimension, k);
    const double missing = mean < 0.5 ? mean - m.mean : m.depth - g;
    (missing > 0 ? low : high) = k;
    double next = k + missing / m.variance * m.depth / g;
    if (!(next > low && next < high)) next = 0.5 * (low + high);
    const bool done = std::abs(next - k) <= 4e-16 * k;
    k = next;
    if (done) break;
  }
  return k;
}

ExponentialOnBall exponential_on_ball(int dimension, const Vec3<double>& mean) {
  ExponentialOnBall law;
  law.dimension = dimension;
  const double length = norm(mean);
  law.direction = length > 0 ? (1 / length) * mean : Vec3<double>{1, 0, 0};
  law.tilt = ball_tilt(dimension, length);
  const BallMoments m = ball_moments(dimension, law.tilt);
  law.log_integral = law.tilt + m.log_integral;
  law.covariance = (m.variance - m.across) * outer(law.direction, law.direction);
  for (int i = 0; i < dimension; ++i) law.covariance[i][i] += m.across;
  if (dimension == 1) return law;
  law.angle = angle_table(dimension, law.tilt);

  // Two envelopes, the better is taken. Points uniform in the ball, accepted with exp(−k t); or, as log(2 − t) lies below
  // its tangent at t0 = E{t}, with q = (d − 1)/2 and r = k + q/(2 − t0),
  //   exp(−k t) t^q (2 − t)^q ≤ (2 − t0)^q exp(q t0/(2 − t0)) · t^q exp(−r t),   a Gamma law of shape q + 1 and rate r.
  const double q = 0.5 * (dimension - 1), room = 2 - m.depth, rate = law.tilt + q / room;
  const double uniform = m.log_integral - std::log(ball_volume(dimension));
  const double gamma = m.log_integral - std::log(ball_volume(dimension - 1)) - q * std::log(room) - q * m.depth / room -
                       std::lgamma(q + 1) + (q + 1) * std::log(rate);
  law.acceptance = std::exp(std::max(uniform, gamma));
  if (gamma > uniform) law.rate = rate, law.touch = m.depth;
  return law;
}

Vec3<double> ExponentialOnBall::draw(Stream& stream) const {
  if (dimension == 1) return {quantile(stream.uniform()), 0, 0};
  const double q = 0.5 * (dimension - 1);
  double t, slice;  // depth and radius of the slice normal to n
  for (;;) {
    if (rate > 0) {
      t = stream.gamma(q + 1) / rate;
      const double u = stream.uniform();
      if (t >= 2) continue;
      const double room = 2 - touch;
      if (std::log(u) > q * (std::log((2 - t) / room) + (t - touch) / room)) continue;
    } else {
      // Depth of a uniform point: radius u^(1/d); direction uniform on the circle or the sphere (Archimedes).
      const double radius = dimension == 2 ? std::sqrt(stream.uniform()) : std::cbrt(stream.uniform());
      t = 1 - radius * (dimension == 2 ? std::cos(pi * stream.uniform()) : 2 * stream.uniform() - 1);
      if (std::log(stream.uniform()) > -tilt * t) continue;
    }
    slice = std::sqrt(t * (2 - t));
    break;
  }
  const Vec3<double>& n = direction;
  if (dimension == 2) return (1 - t) * n + slice * (2 * stream.uniform() - 1) * Vec3<double>{-n.y, n.x, 0};
  const auto [e1, e2] = normals_of(n);
  const double radius = slice * std::sqrt(stream.uniform()), turn = 2 * pi * stream.uniform();
  return (1 - t) * n + (radius * std::cos(turn)) * e1 + (radius * std::sin(turn)) * e2;
}

Vec3<double> ExponentialOnBall::map(std::span<const double> u) const {
  if (dimension == 1) return {quantile(u[0]), 0, 0};
  const Vec3<double>& n = direction;
  const double theta = -angle(u[0]), s = std::cos(theta), slice = std::sin(theta);
  if (dimension == 2) return s * n + slice * (2 * u[1] - 1) * Vec3<double>{-n.y, n.x, 0};
  // One coordinate of a uniform point in a disc has the semicircle law, that of s in two dimensions without a tilt; the other
  // is uniform in the chord that is left.
  static const QuantileTable semicircle = angle_table(2, 0);
  const double psi = -semicircle(u[1]);
  const auto [e1, e2] = normals_of(n);
  return s * n + slice * std::cos(psi) * e1 + slice * std::sin(psi) * (2 * u[2] - 1) * e2;
}

}  // namespace aleator::core
