// Draws of B with density proportional to exp(−tr(S B)) det(B)^(−λl) det(I − B)^(−λu) on 0 < B < I, S diagonal
// (kummer_beta_moments.hpp). By rejection, exactly and independently, from the best of
//   lower:    a Wishart-type law of B. For λu ≤ 0, log det(I − B) lies below its tangent at any X0 < I, so that
//             det(I−B)^(−λu) ≤ det(I−X0)^(−λu) exp(λu tr[(I−X0)⁻¹(B − X0)]): an exponential, of rate S − λu (I−X0)⁻¹ with S;
//   upper:    the same for I − B, where λl ≤ 0;
//   product:  six independent tilted beta laws in the coordinates of kummer_beta_moments.hpp; exists always.
// Where even the best would accept less than one in a thousand: a Metropolis–Hastings chain for every draw.
#pragma once

#include <Eigen/Core>
#include <array>
#include <vector>

#include "uncertainty/kummer_beta_moments.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

enum class KummerBetaMethod { best, lower, upper, product, chain };

struct KummerBetaChain {  // of Metropolis–Hastings, from trial chains
  double step = 0, autocorrelation_time = 0, split_r_hat = 0;
  int burn_in = 0;
};

class KummerBetaSampler {
 public:
  KummerBetaSampler() = default;
  // log_z: of kummer_beta_moments; system: one that integrates well (its coordinates are nearly independent), for the chain.
  // Throws std::invalid_argument where the wanted method does not exist for this law.
  KummerBetaSampler(double lambda_l, double lambda_u, const Eigen::Vector3d& s, double log_z, const KummerBetaSystem& system,
                    KummerBetaMethod wanted);

  Eigen::Matrix3d draw(Stream& stream) const;
  KummerBetaMethod method() const { return method_; }
  double acceptance() const { return acceptance_; }
  const KummerBetaChain& chain() const { return chain_; }

 private:
  double prepare_product(double log_z);  // gives the logarithm of the acceptance
  void prepare_chain();
  Eigen::Matrix3d draw_wishart(Stream& stream) const;
  Eigen::Matrix3d draw_product(Stream& stream) const;
  Eigen::Matrix3d draw_chain(Stream& stream) const;

  using Point = std::array<double, 6>;  // logits of x, c, e, (1+p)/2, (1+q)/2, (1+r)/2
  double log_density(const Point& y) const;
  bool advance(Point& y, double& log_p, double step, Stream& stream) const;  // one step of the chain; whether accepted

  double lambda_l_ = 0, lambda_u_ = 0, acceptance_ = 1;
  Eigen::Vector3d s_ = Eigen::Vector3d::Zero();
  KummerBetaMethod method_ = KummerBetaMethod::product;

  // lower, upper: powers and rates of the matrix that is Wishart (B or I − B), and 1/(1 − x0) of the tangent point
  double shape_ = 0, power_ = 0;
  Eigen::Vector3d tangent_ = Eigen::Vector3d::Ones();
  Eigen::Vector3d scale_of_factor_ = Eigen::Vector3d::Ones();  // R^(−½) of the rates R
  double log_tangent_ = 0;                                     // Σ log y − Σ (y − 1)

  KummerBetaSystem system_;       // product, chain: coordinates
  std::array<double, 6> tilt_{};  // product: of x, c, e, p², q², r²
  std::vector<TiltedBetaSampler> factor_;
  double bound_ = 0;  // of Σ tilt · coordinate − tr(S B)

  KummerBetaOrdered law_{};  // chain: in the coordinates
  Point start_{}, scale_{};
  KummerBetaChain chain_;
};

}  // namespace aleator::core
