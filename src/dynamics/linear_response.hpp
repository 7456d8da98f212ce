// What a model at rest answers to small functions of time u(t), some of its signals. With small motions x of the active velocities' directions,
//   M ẍ + C ẋ + K x + Gᵀ δλ = F₀ u + F₁ u̇ + F₂ ü,   G x = −g_u u.
// x = B z + P u, where B spans the motions that the joints leave free (BᵀMB = 1), and P is the least motion that follows the drives:
//   z̈ + BᵀCB ż + BᵀKB z = b₀ u + b₁ u̇ + b₂ ü,   b₀ = Bᵀ(F₀ − K P),  b₁ = Bᵀ(F₁ − C P),  b₂ = Bᵀ(F₂ − M P);
// the reactions follow from what is left of the first equation. Outputs are y = Y_x x + Y_v ẋ + Y_a ẍ + Y_λ δλ + D₀ u + D₁ u̇ + D₂ ü.
// In all of this derivatives by u, and those of outputs, are central differences; so are columns of C and K where a force has a kink at rest: of a damper
// that is softer in compression the mean of both slopes, which is also its best linear replacement under a normal motion. As a system of first order (modes.hpp: the state is (ω ζ, ζ̇))
//   ṡ = A s + B₀ u + B₁ u̇ + B₂ ü,   y = Y s + E₀ u + E₁ u̇ + E₂ ü,   H(ω) = Y (iω − A)⁻¹ (B₀ + iω B₁ − ω² B₂) + E₀ + iω E₁ − ω² E₂.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "dynamics/modes.hpp"
#include "numerics/dense_schur.hpp"

namespace aleator::core {

struct LinearInput {
  int signal = 0;
  double size = 1;  // how large it typically is: differences are taken over a hundredth of it
};

struct LinearSystem {
  Eigen::MatrixXd A;                 // [states][states]
  std::array<Eigen::MatrixXd, 3> B;  // [states][inputs], of u, u̇, ü
  Eigen::MatrixXd Y;                 // [channels][states]
  std::array<Eigen::MatrixXd, 3> E;  // [channels][inputs]
  std::vector<char> linear;          // [channels] 0: it has no linear part here, as an energy; its rows are 0
  std::vector<std::string>
      kinks;  // bodies, as messages name them: forces on them have another slope in each direction; the mean was taken
  ModesReport balance;
  dense::Schur form;  // of A

  // A motion of the system: damped, if it comes to rest.
  struct Motion {
    std::complex<double> eigenvalue;  // Im ≥ 0
    std::string where;                // what moves most: "body 'car' along z"
  };
  std::vector<Motion> motions;  // those the inputs excite, by |s|

  Eigen::MatrixXcd transfer(double omega) const;  // H, [channels][inputs]

 private:
  friend LinearSystem linear_system(Assembly<double>&, const State<double>&, const std::vector<LinearInput>&);
  Eigen::MatrixXcd YU_;
  std::array<Eigen::MatrixXcd, 3> UB_;
};

// About a state, whose velocities are ignored; other functions of time are frozen. Motions that no input excites are left out.
// Throws SimulationError where an input excites a motion that nothing pulls back or that grows by itself.
LinearSystem linear_system(Assembly<double>& assembly, const State<double>& about, const std::vector<LinearInput>& inputs);

}  // namespace aleator::core
