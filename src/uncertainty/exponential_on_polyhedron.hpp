// The exponential law p(x) = exp(−⟨λ, x⟩) / Z(λ) on a convex polyhedron or polygon, with prescribed mean.
#pragma once

#include <vector>

#include "uncertainty/convex_hull.hpp"
#include "uncertainty/exponential_on_simplex.hpp"

namespace aleator::core {

class ExponentialOnPolyhedron {
 public:
  ExponentialOnPolyhedron() = default;
  // |E{x} − mean| ≤ 1e-10 of the size. Throws std::invalid_argument where double precision does not give that: a mean nearer
  // to the boundary than about 1e-7 of the size.
  ExponentialOnPolyhedron(ConvexHull hull, const Vec3<double>& mean);

  const ConvexHull& hull() const { return hull_; }
  const Vec3<double>& lambda() const { return lambda_; }
  double log_integral() const { return log_integral_; }  // log Z(λ)
  const Mat3<double>& covariance() const { return covariance_; }
  double acceptance() const { return acceptance_; }
  Vec3<double> draw(Stream& stream) const;

 private:
  Vec3<double> tilt_to(const Vec3<double>& lambda, const Vec3<double>& mean);

  ConvexHull hull_;
  Vec3<double> lambda_;
  Mat3<double> covariance_;
  double log_integral_ = 0, acceptance_ = 1;
  std::vector<std::array<Vec3<double>, 4>> corners_;  // of the simplices the polyhedron is divided into
  std::vector<ExponentialOnSimplex> simplices_;       // their laws
  std::vector<double> cumulative_;                    // probability of these and the ones before
};

}  // namespace aleator::core
