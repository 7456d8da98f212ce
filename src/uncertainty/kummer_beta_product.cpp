// Rejection from six independent tilted beta laws. In the coordinates of kummer_beta_moments.hpp, with v = q², z = r², tr(S B) is
// affine in each of x, c, e, p², v, z but for R². Bounded from below by a function that is affine in each,
//   R² ≥ 0 where s3 > 0,   R² ≤ (1−v) z + c v where s3 ≤ 0 (Cauchy),
// the exponent Σ τ u − tr(S B) is largest at one of the 64 corners of the unit cube. The tilts τ that accept most minimise
//   Σ log Z_k(τ_k) + max over corners of (Σ τ u − tr(S B)),
// which is convex; the maximum is smoothed to T log Σ exp(·/T) with T falling.
#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "uncertainty/kummer_beta_sampler.hpp"

namespace aleator::core {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

struct Corners {
  std::array<Vector6, 64> u;
  std::array<double, 64> f;  // −(lower bound of tr(S B))

  explicit Corners(const Eigen::Vector3d& s) {
    for (int k = 0; k < 64; ++k) {
      for (int i = 0; i < 6; ++i) u[k][i] = (k >> i) & 1;
      const double x = u[k][0], c = u[k][1], e = u[k][2], p2 = u[k][3], v = u[k][4], z = u[k][5];
      const double q_all = (1 - c) * v + (s[2] > 0 ? 0.0 : (1 - x) * ((1 - v) * z + c * v));
      f[k] = -s[0] * x - s[1] * (c + (1 - x) * (1 - c) * p2) - s[2] * (q_all + e * (1 - q_all));
    }
  }
  double largest(const Vector6& tilt) const {
    double top = -std::numeric_limits<double>::infinity();
    for (int k = 0; k < 64; ++k) top = std::max(top, f[k] + tilt.dot(u[k]));
    return top;
  }
};

struct Objective {
  double value;
  Vector6 gradient;
  Matrix6 hessian;
};

std::array<TiltedBeta, 6> laws(double lambda_l, double lambda_u, const Vector6& t) {
  return {TiltedBeta(2 - lambda_l, 2 - lambda_u, t[0]), TiltedBeta(1.5 - lambda_l, 2 - lambda_u, t[1]),
          TiltedBeta(1 - lambda_l, 2 - lambda_u, t[2]), TiltedBeta(0.5, 1.5 - lambda_u, t[3]),
          TiltedBeta(0.5, 1.5 - lambda_u, t[4]),        TiltedBeta(0.5, 1 - lambda_u, t[5])};
}

Objective objective(double lambda_l, double lambda_u, const Corners& corners, const Vector6& tilt, double temperature) {
  const double top = corners.largest(tilt);
  double sum = 0;
  Vector6 mean = Vector6::Zero();
  Matrix6 product = Matrix6::Zero();
  for (int k = 0; k < 64; ++k) {
    const double w = std::exp((corners.f[k] + tilt.dot(corners.u[k]) - top) / temperature);
    sum += w, mean += w * corners.u[k], product += w * corners.u[k] * corners.u[k].transpose();
  }
  mean /= sum;
  Objective out{top + temperature * std::log(sum), mean, (product / sum - mean * mean.transpose()) / temperature};
  const auto law = laws(lambda_l, lambda_u, tilt);
  for (int k = 0; k < 6; ++k) {
    out.value += law[k].log_z;
    out.gradient[k] -= law[k].cumulant[0];
    out.hessian(k, k) += law[k].cumulant[1];
  }
  return out;
}

}  // namespace

double KummerBetaSampler::prepare_product(double log_z) {
  double best = -std::numeric_limits<double>::infinity();
  Vector6 best_tilt = Vector6::Zero();
  for (const bool mirrored : {false, true}) {
    KummerBetaSystem system{{0, 1, 2}, mirrored};
    do {
      const auto [low, up, s] = ordered(lambda_l_, lambda_u_, s_, system);
      const Corners corners(s);
      Vector6 tilt = Vector6::Zero();
      for (double temperature = 10; temperature > 0.02; temperature /= 4) {
        Objective now = objective(low, up, corners, tilt, temperature);
        for (int iteration = 0; iteration < 12; ++iteration) {
          const Vector6 step = -now.hessian.ldlt().solve(now.gradient);
          const double slope = step.dot(now.gradient);
          if (!(slope < -1e-4)) break;
          double length = std::min(1.0, 20 / step.cwiseAbs().maxCoeff());
          Objective next = objective(low, up, corners, tilt + length * step, temperature);
          for (int k = 0; k < 12 && !(next.value <= now.value + 0.1 * length * slope); ++k)
            next = objective(low, up, corners, tilt + (length *= 0.4) * step, temperature);
          if (!(next.value < now.value)) break;
          tilt += length * step, now = next;
        }
      }
      double log_acceptance = (mirrored ? log_z + s_.sum() : log_z) - corners.largest(tilt);
      for (const TiltedBeta& law : laws(low, up, tilt)) log_acceptance -= law.log_z;
      if (log_acceptance > best) best = log_acceptance, best_tilt = tilt, system_ = system;
    } while (std::next_permutation(system.order.begin(), system.order.end()));
  }
  const auto [low, up, s] = ordered(lambda_l_, lambda_u_, s_, system_);
  bound_ = Corners(s).largest(best_tilt);
  const auto law = laws(low, up, best_tilt);
  factor_.clear();
  for (int k = 0; k < 6; ++k) tilt_[k] = best_tilt[k], factor_.emplace_back(law[k]);
  return best;
}

Eigen::Matrix3d KummerBetaSampler::draw_product(Stream& stream) const {
  const auto [low, up, s] = ordered(lambda_l_, lambda_u_, s_, system_);
  for (;;) {
    std::array<double, 6> u;
    double exponent = -bound_;
    for (int k = 0; k < 6; ++k) u[k] = factor_[k].draw(stream), exponent += tilt_[k] * u[k];
    const int signs = static_cast<int>(8 * stream.uniform());  // of p, q, r
    const double level = std::log(stream.uniform());
    const auto root = [&](int k) { return (signs >> (k - 3)) & 1 ? -std::sqrt(u[k]) : std::sqrt(u[k]); };
    const Eigen::Matrix3d b = KummerBetaCoordinates{u[0], u[1], u[2], root(3), root(4), root(5)}.matrix();
    if (level > exponent - s.dot(b.diagonal())) continue;
    return reordered(b, system_);
  }
}

}  // namespace aleator::core
