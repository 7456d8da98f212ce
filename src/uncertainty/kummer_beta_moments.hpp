// Moments of the Kummer–Beta law in its simplest form: a random 3 × 3 matrix B with density
//   p(B) = exp(−tr(S B)) det(B)^(−λl) det(I − B)^(−λu) / Z(S),   0 < B < I,   S = diag(s1, s2, s3).
// Every Kummer–Beta law becomes this one by G = F B Fᵀ with Gmax = F Fᵀ, F = V D^½ (V, D: eigenvectors and eigenvalues of
// Gmax), S = Fᵀ μ F. If E{G} = I, then E{B} = D⁻¹, and S is diagonal: the signs of the eigenvectors do not matter to p.
//
// Coordinates. B = Tᵀ T, T upper triangular, and six numbers x, c, e in ]0, 1[ and p, q, r in ]−1, 1[ with
//   t11² = x,   t22² = c,   t33² = e,   t12 = √((1−x)(1−c)) p,   t23 = √((1−c)(1−e)) q,
//   t13 = √((1−x)(1−e)) R,   R = √((1−q²)(1−p²)) r − √c q p
// take apart both determinants, det B = x c e and det(I − B) = (1−x)(1−c)(1−e)(1−p²)(1−q²)(1−r²), so that with α = −λl,
// β = −λu the measure det(B)^α det(I−B)^β dB is a product:
//   x^(α+1) (1−x)^(β+1) · c^(α+½) (1−c)^(β+1) · e^α (1−e)^(β+1) · (1−p²)^(β+½) · (1−q²)^(β+½) · (1−r²)^β.
// Only tr(S B) couples the six:
//   B11 = x,   B22 = c + (1−x)(1−c) p²,   B33 = Q + e (1−Q),   Q = (1−c) q² + (1−x) R².
#pragma once

#include <Eigen/Core>
#include <array>

#include "uncertainty/tilted_beta.hpp"

namespace aleator::core {

struct KummerBetaCoordinates {
  double x, c, e, p, q, r;
  Eigen::Matrix3d matrix() const;  // B
};

struct KummerBetaMoments {
  double log_z;
  Eigen::Vector3d mean;        // E{B_ii}; E{B_ij} = 0
  Eigen::Matrix3d covariance;  // of B_ii and B_jj
  Eigen::Matrix3d square;      // E{B_ij²}
};

// The tilts of x, c, e, p², q², r² that make the product of six tilted beta laws closest to p (a mean field: each tilt is the
// derivative of tr(S B) at the means of the others). Shapes of the six are those of the measure above.
struct KummerBetaFactors {
  KummerBetaFactors(double lambda_l, double lambda_u, const Eigen::Vector3d& s);
  TiltedBeta x, c, e, p2, q2, r2;
};

// The six coordinates depend on the order of the three directions, and as well I − B can be taken in place of B (λl and λu
// change places, S its sign): twelve coordinate systems. Which one integrates best depends on the law.
struct KummerBetaSystem {
  std::array<int, 3> order{0, 1, 2};
  bool mirrored = false;
};

// The law in such coordinates, and B from the matrix they give.
struct KummerBetaOrdered {
  double lambda_l = 0, lambda_u = 0;
  Eigen::Vector3d s = Eigen::Vector3d::Zero();
};
KummerBetaOrdered ordered(double lambda_l, double lambda_u, const Eigen::Vector3d& s, const KummerBetaSystem& system);
Eigen::Matrix3d reordered(const Eigen::Matrix3d& b, const KummerBetaSystem& system);

// Product of Gauss rules for x, c (n points each) and p², q², r² (m points each); the integral over e is done beforehand as a
// function of Q.
struct KummerBetaRule {
  int n, m;
};
KummerBetaMoments kummer_beta_moments(double lambda_l, double lambda_u, const Eigen::Vector3d& s, KummerBetaSystem system,
                                      KummerBetaRule rule);

}  // namespace aleator::core
