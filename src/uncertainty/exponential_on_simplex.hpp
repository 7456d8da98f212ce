// The exponential law p(x) ∝ exp(−⟨λ, x⟩) on a triangle or a tetrahedron.
#pragma once

#include <array>
#include <span>

#include "numerics/vec3.hpp"
#include "uncertainty/stream.hpp"

namespace aleator::core {

// ∫ exp(−Σ b_i z_i) over the simplex b_i ≥ 0, Σ b_i = 1 (measure 1/n! for n + 1 nodes), that is (−1)ⁿ times the divided
// difference of exp(−·) at the nodes (Hermite–Genocchi); nodes rising, 2 to 6 of them, equal ones allowed; the factor
// exp(−z_0) is left out. Relative precision about 1e-15.
double exponential_over_simplex(std::span<const double> nodes);

struct SimplexMoments {
  double log_integral;  // log ∫ exp(−⟨λ, x⟩) dx, x relative to the origin asked for
  Vec3<double> mean;
  Mat3<double> second;  // E{x xᵀ}
};

class ExponentialOnSimplex {
 public:
  // `dimension` + 1 vertices, not in one plane (line).
  ExponentialOnSimplex(int dimension, const std::array<Vec3<double>, 4>& vertices, const Vec3<double>& lambda);

  SimplexMoments moments(const Vec3<double>& origin) const;
  Vec3<double> draw(Stream& stream) const;
  double acceptance() const { return acceptance_; }

 private:
  int dimension_;
  Vec3<double> lambda_;
  Vec3<double> tip_;                  // the vertex of largest density
  std::array<Vec3<double>, 3> edge_;  // from it to the others
  std::array<double, 3> gamma_{};     // ⟨λ, edge⟩ ≥ 0, rising
  double volume_;                     // dimension! times it
  double integral_;                   // over the barycentric coordinates
  int flat_ = 0;                      // how many coordinates are proposed uniformly, the flattest ones
  double acceptance_ = 1;
};

}  // namespace aleator::core
