// The complex Schur form A = U T Uᴴ, T upper triangular: of a linear system ẋ = A x its eigenvalues, its answers at any frequency for the price of a
// triangular solution, and its covariance under white noise. Unlike eigenvectors it loses nothing where eigenvalues meet.
#pragma once

#include <Eigen/Core>

namespace aleator::core::dense {

struct Schur {
  bool converged = false;
  Eigen::MatrixXcd U, T;
};
Schur schur(const Eigen::MatrixXd& a);

// x becomes (s − T)⁻¹ x.
void solve_shifted(const Schur& a, std::complex<double> s, Eigen::MatrixXcd& x);

// X of A X + X Aᵀ + Q = 0, Q symmetric; A has eigenvalues with negative real parts alone.
Eigen::MatrixXd solve_lyapunov(const Schur& a, const Eigen::MatrixXd& q);

}  // namespace aleator::core::dense
