// A standard Gaussian field Y(x), mean 0, variance 1 and given correlation, as a finite sum: Ŷ(x) = Σ_{i≤m} ξ_i w_i(x) with
// independent standard normal ξ_i. Both methods project Y(x) on m combinations of its values at q nodes; with
// ρ(x) = (ρ(|x − x_1|), …, ρ(|x − x_q|)), C = (ρ(|x_k − x_l|)) and a diagonal S,
//   S C S φ_i = λ_i φ_i,   w_i(x) = φ_iᵀ S ρ(x) / √λ_i,   Var(Y(x) − Ŷ(x)) = 1 − Σ_{i≤m} w_i(x)².
//   EOLE (Li & Der Kiureghian 1993):  S = 1; optimal for the nodes, where all of them weigh the same.
//   Karhunen–Loève by Nyström's method:  S² = quadrature weights, so that w_i/√λ_i are the eigenfunctions of
//     ∫ ρ(|x − x'|) f(x') dx' = λ f(x), interpolated by the kernel; optimal in the mean over the domain.
// The variance of Ŷ is less than 1, never more: what is cut off is lost.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "numerics/vec3.hpp"
#include "uncertainty/correlation.hpp"

namespace aleator::core {

// The nodes of the beams that share a field, at t = 0.
struct FieldDomain {
  std::vector<Vec3<double>> nodes;
  std::vector<double> weights;  // [nodes] m, ≥ 0: of the quadrature over all lines
  std::vector<int> first;       // [lines] first node of each; neighbours on a line follow each other. Empty: all are one line

  // Adds a line through the given points, two at least, with trapezoidal weights of the distances between them.
  void add_line(const std::vector<Vec3<double>>& points);
  void add_line(const Vec3<double>& begin, const Vec3<double>& end, int count);  // straight, uniform, both ends included
};

class RandomField {
 public:
  enum class Method { eole, karhunen_loeve };

  // `terms` > 0: that many; 0: as few as keep the largest variance error below `error`. Throws std::invalid_argument: the
  // correlation matrix is not positive semidefinite (by more than three digits of a table explain); more terms than nodes, or
  // than eigenvalues above round-off; an `error` these nodes cannot reach, with how many could.
  RandomField(const Correlation& correlation, FieldDomain domain, Method method, int terms, double error = 0.05);

  int terms() const { return terms_; }
  double eigenvalue(int i) const { return eigenvalues_[i]; }  // i < terms(); falling; Karhunen–Loève: m

  // The w_i(x), [terms]. Each field's terms have the sign that makes the first large component of φ_i positive: the first beam
  // begins with the side that ξ_i > 0 raises. (Equal eigenvalues, as of equal beams far apart, leave the choice of φ_i open.)
  std::vector<double> weights(const Vec3<double>& x) const;
  double variance_error(const Vec3<double>& x) const;  // 1 − Σ w_i², relative to the variance of Y

  // Over the nodes and three points between neighbours. With all terms, this is what the nodes cannot resolve.
  double largest_variance_error() const { return error_curve_[terms_ - 1]; }
  // The same with 1, 2, … terms; ends with `most` or at the last eigenvalue above round-off.
  std::vector<double> error_curve(int most) const;

 private:
  Correlation correlation_;
  std::vector<Vec3<double>> nodes_;
  int terms_ = 0;
  std::vector<double> eigenvalues_;  // [terms]
  Eigen::MatrixXd projection_;       // [nodes × terms] S φ_i / √λ_i
  std::vector<double> error_curve_;  // [eigenvalues above round-off]
};

}  // namespace aleator::core
