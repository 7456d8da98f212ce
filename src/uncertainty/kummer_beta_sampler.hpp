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
#include "uncertainty/wishart.hpp"

namespace aleator::core {

inline Mat3<double> from_eigen(const Eigen::Matrix3d& m) {
  Mat3<double> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out[i][j] = m(i, j);
  return out;
}

enum class KummerBetaMethod { best, lower, upper, product, chain };

struct KummerBetaChain {  // of Metropolis–Hastings, from trial chains
  double step = 0, autocorrelation_time = 0, split_r_hat = 0;
  int burn_in = 0;
};

// Lower, upper: W = R^(−½) L Lᵀ R^(−½) is B, or I − B, accepted with det(I−W)^power / its tangent exponential:
//   power (log det(I−W) + Σ log y + tr(Y W) − Σ (y − 1)),   Y = diag(y),   since log det(I−X0) = −Σ log y, x0 y = y − 1.
struct WishartRejection {
  double shape = 0, power = 0;
  Vec3<double> tangent{1, 1, 1}, scale{1, 1, 1};  // y; R^(−½) of the rates R
  double log_tangent = 0;                         // Σ log y − Σ (y − 1)
  bool of_rest = false;                           // I − B is what is Wishart

  template <class T>
  struct Tried {
    Mat3<T> b;
    MaskOf<T> accepted;
  };
  template <class T>
  Tried<T> tried(const WishartFactor<T>& factor, const T& u) const {
    const Mat3<T> w = wishart_matrix(factor, scale), rest = Mat3<T>::identity() - w;
    // log det by elimination; none if it is not positive definite
    const T d0 = rest[0][0], l10 = rest[1][0] / d0, l20 = rest[2][0] / d0, d1 = rest[1][1] - l10 * rest[1][0];
    const T e = rest[2][1] - l20 * rest[1][0], d2 = rest[2][2] - l20 * rest[2][0] - e * e / d1;
    const auto positive = (T(0) < d0) & (T(0) < d1) & (T(0) < d2);
    const T log_det = log(select(positive, d0 * d1 * d2, T(1)));
    const T under = T(tangent.x) * w[0][0] + T(tangent.y) * w[1][1] + T(tangent.z) * w[2][2];
    const MaskOf<T> accepted = positive & (log(u) <= T(power) * (log_det + T(log_tangent) + under));
    return {of_rest ? rest : w, accepted};
  }
};

class KummerBetaSampler {
 public:
  KummerBetaSampler() = default;
  // log_z: of kummer_beta_moments; system: one that integrates well (its coordinates are nearly independent), for the chain.
  // Throws std::invalid_argument where the wanted method does not exist for this law.
  KummerBetaSampler(double lambda_l, double lambda_u, const Eigen::Vector3d& s, double log_z, const KummerBetaSystem& system,
                    KummerBetaMethod wanted);

  Mat3<double> draw(Stream& stream) const;
  KummerBetaMethod method() const { return method_; }
  const WishartRejection& rejection() const { return rejection_; }  // of lower and upper
  double acceptance() const { return acceptance_; }
  const KummerBetaChain& chain() const { return chain_; }

 private:
  double prepare_product(double log_z);  // gives the logarithm of the acceptance
  void prepare_chain();
  Mat3<double> draw_wishart(Stream& stream) const;
  Eigen::Matrix3d draw_product(Stream& stream) const;
  Eigen::Matrix3d draw_chain(Stream& stream) const;

  using Point = std::array<double, 6>;  // logits of x, c, e, (1+p)/2, (1+q)/2, (1+r)/2
  double log_density(const Point& y) const;
  bool advance(Point& y, double& log_p, double step, Stream& stream) const;  // one step of the chain; whether accepted

  double lambda_l_ = 0, lambda_u_ = 0, acceptance_ = 1;
  Eigen::Vector3d s_ = Eigen::Vector3d::Zero();
  KummerBetaMethod method_ = KummerBetaMethod::product;

  WishartRejection rejection_;  // lower, upper

  KummerBetaSystem system_;       // product, chain: coordinates
  std::array<double, 6> tilt_{};  // product: of x, c, e, p², q², r²
  std::vector<TiltedBetaSampler> factor_;
  double bound_ = 0;  // of Σ tilt · coordinate − tr(S B)

  KummerBetaOrdered law_{};  // chain: in the coordinates
  Point start_{}, scale_{};
  KummerBetaChain chain_;
};

}  // namespace aleator::core
