#include "uncertainty/kummer_beta_sampler.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "uncertainty/wishart.hpp"

namespace aleator::core {

namespace {

constexpr double none = -std::numeric_limits<double>::infinity();
constexpr double hopeless = -6.9;  // log of the smallest acceptance of a rejection, 1e-3

// The tangent point that accepts most. With α = −λl, β = −λu, a = 2 + α, y = 1/(1−x0) per direction, the mass of the envelope is
//   Γ3(a) Π (s + β y)^(−a) exp(β (y − 1 − log y)),
// convex in each y; its minimum is at β y² + (s − β − a) y − s = 0. Without tangent (β = 0) the rate is s itself.
struct Envelope {
  Eigen::Vector3d y, rate;
  double log_mass;  // −∞ as log acceptance where a rate is not positive
  bool exists;
};

Envelope best_envelope(double lambda_l, double lambda_u, const Eigen::Vector3d& s) {
  const double a = 2 - lambda_l, beta = -lambda_u;
  Envelope out{Eigen::Vector3d::Ones(), s, log_multivariate_gamma(a), lambda_u <= 0};
  for (int i = 0; i < 3 && out.exists; ++i) {
    if (beta > 0) {
      const double half = (a + beta - s[i]) / 2, root = std::sqrt(half * half + beta * s[i]);
      out.y[i] = half > 0 ? (half + root) / beta : s[i] / (root - half);
      out.rate[i] = s[i] + beta * out.y[i];
      out.log_mass += beta * (out.y[i] - 1 - std::log(out.y[i]));
    }
    out.exists = out.rate[i] > 0 && std::isfinite(out.y[i]) && out.y[i] > 0;
    if (out.exists) out.log_mass -= a * std::log(out.rate[i]);
  }
  return out;
}

}  // namespace

KummerBetaSampler::KummerBetaSampler(double lambda_l, double lambda_u, const Eigen::Vector3d& s, double log_z,
                                     const KummerBetaSystem& system, KummerBetaMethod wanted)
    : lambda_l_(lambda_l), lambda_u_(lambda_u), s_(s) {
  using enum KummerBetaMethod;
  const Envelope lower_one = best_envelope(lambda_l, lambda_u, s), upper_one = best_envelope(lambda_u, lambda_l, -s);
  // Of I − B: e^(−tr S B) = e^(−tr S) e^(tr S (I − B))
  const double log_lower = lower_one.exists ? log_z - lower_one.log_mass : none;
  const double log_upper = upper_one.exists ? log_z + s.sum() - upper_one.log_mass : none;
  const double log_wishart = std::max(log_lower, log_upper);
  // Preparing the product costs tens of milliseconds: only where the others accept little.
  double log_product = none;
  if (wanted == product || (wanted == best && log_wishart < std::log(0.3))) log_product = prepare_product(log_z);
  method_ = wanted;
  if (wanted == best) {
    method_ = log_product > log_wishart ? product : log_lower >= log_upper ? lower : upper;
    if (std::max(log_wishart, log_product) < hopeless) method_ = chain;
  }
  if ((method_ == lower && !lower_one.exists) || (method_ == upper && !upper_one.exists))
    throw std::invalid_argument("this envelope does not exist for this Kummer-Beta distribution");
  if (method_ == lower || method_ == upper) {
    const Envelope& used = method_ == lower ? lower_one : upper_one;
    WishartRejection& r = rejection_;
    r.shape = 2 - (method_ == lower ? lambda_l : lambda_u), r.power = -(method_ == lower ? lambda_u : lambda_l);
    for (int k = 0; k < 3; ++k) r.tangent[k] = used.y[k], r.scale[k] = 1 / std::sqrt(used.rate[k]);
    r.log_tangent = used.y.array().log().sum() - (used.y.array() - 1).sum();
    r.of_rest = method_ == upper;
    acceptance_ = std::exp(method_ == lower ? log_lower : log_upper);
  } else if (method_ == product) {
    acceptance_ = std::exp(log_product);
  } else {
    system_ = system;
    prepare_chain();
  }
}

Mat3<double> KummerBetaSampler::draw(Stream& stream) const {
  switch (method_) {
    case KummerBetaMethod::chain:
      return from_eigen(draw_chain(stream));
    case KummerBetaMethod::product:
      return from_eigen(draw_product(stream));
    default:
      return draw_wishart(stream);
  }
}

Mat3<double> KummerBetaSampler::draw_wishart(Stream& stream) const {
  for (;;) {
    const WishartFactor<double> l = draw_wishart_factor(rejection_.shape, stream);
    const WishartRejection::Tried<double> t = rejection_.tried(l, stream.uniform());
    if (t.accepted) return t.b;
  }
}

}  // namespace aleator::core
