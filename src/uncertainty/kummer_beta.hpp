// Kummer–Beta law of a symmetric positive definite N × N matrix G between 0 and Gmax, with mean I (Batou & Soize, (18)):
//   p(G) = C det(G)^(−λl) det(Gmax − G)^(−λu) exp(−tr(μ G)),   0 < G < Gmax,   E{G} = I.
// N = 3 is the normalised Euler tensor of a body in space, N = 1 that of a planar body.
#pragma once

#include <Eigen/Core>
#include <type_traits>

#include "uncertainty/kummer_beta_sampler.hpp"
#include "uncertainty/stream.hpp"
#include "uncertainty/tilted_beta.hpp"

namespace aleator::core {

template <int N>
class KummerBeta {
 public:
  using Matrix = Eigen::Matrix<double, N, N>;
  using Chain = KummerBetaChain;

  // Solves μ. Throws std::invalid_argument: Gmax − I not positive definite, λl or λu too large for the law to exist.
  // The method of drawing is chosen by its acceptance; another one is for comparisons (N = 3).
  KummerBeta(const Matrix& gmax, double lambda_l, double lambda_u, KummerBetaMethod method = KummerBetaMethod::best);

  const Matrix& gmax() const { return gmax_; }
  const Matrix& mu() const { return mu_; }
  double lambda_l() const { return lambda_l_; }
  double lambda_u() const { return lambda_u_; }
  double log_c() const { return log_c_; }  // of C: log p(G) = log C − λl log det G − λu log det(Gmax − G) − tr(μ G)
  double mean_error() const { return mean_error_; }  // largest entry of |E{G} − I|, estimated independently of the solution
  double dispersion() const { return dispersion_; }  // (E‖G − I‖² / ‖I‖²)^½ (Frobenius)
  Matrix variance(const Matrix& a = Matrix::Identity()) const;  // of the entries of A G Aᵀ

  KummerBetaMethod method() const requires(N == 3) { return sampler_.method(); }
  bool exact() const { return exact_; }              // by rejection; otherwise Metropolis–Hastings
  double acceptance() const { return acceptance_; }  // expected, of the rejection or of the chain
  const Chain& chain() const { return chain_; }

  double quantile(double u) const requires(N == 1);  // of G
  Matrix draw(Stream& stream) const;                 // exact: independent draws; otherwise the end of a chain of its own
  template <class T>
  Mat3<T> scaled(const Mat3<T>& b) const requires(N == 3) {
    return congruent(scale_, b);
  }  // G = F B Fᵀ
  const KummerBetaSampler& sampler() const requires(N == 3) { return sampler_; }

 private:
  void solve(KummerBetaMethod method);

  Matrix gmax_, mu_ = Matrix::Zero();
  double lambda_l_, lambda_u_, log_c_ = 0, mean_error_ = 0, dispersion_ = 0, acceptance_ = 0;
  bool exact_ = true;
  Chain chain_;
  Matrix frame_ = Matrix::Identity();  // F with Gmax = F Fᵀ, G = F B Fᵀ: B is between 0 and I
  Mat3<double> scale_;                 // F, N = 3
  Matrix covariance_, square_;         // of B_ii and B_jj; E{B_ij²}
  std::conditional_t<N == 1, TiltedBetaSampler, KummerBetaSampler> sampler_;  // of B
  TiltedBetaQuantile quantile_;                                               // of B, N = 1
};

}  // namespace aleator::core
